import { Text, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { portalPreview } from '../session/portal.ts'
import { useTranslation } from '../translation.ts'
import { isShared } from './nav-pages.ts'
import { useScopeTenant } from './tenants.ts'

/** States, below the header, that the pages show another tenant, or the portal to a platform administrator. */
export const ScopeBar = () => {
  const isPreview = portalPreview.useValue()
  const { isOwn } = useScopeTenant()
  if (isPreview) return <PreviewBar />
  return isOwn ? null : <OtherTenantBar />
}

const PreviewBar = () => {
  const { t } = useTranslation()
  const { name } = useScopeTenant()
  return (
    <div className="elsewhere">
      <b className="cut">{t('shell.previewed', { tenant: name ?? '…' })}</b>
      <UnstyledButton onClick={() => portalPreview.set(false)}>{t('shell.endPreview')}</UnstyledButton>
    </div>
  )
}

const OtherTenantBar = () => {
  const { t } = useTranslation()
  const { name, isUnknown } = useScopeTenant()
  const isOfAll = isShared(useLocation().pathname)
  return (
    <div className="elsewhere">
      <b className="cut">
        {t('shell.elsewhere', { tenant: name ?? (isUnknown ? t('shell.tenantUnknown') : '…') })}
      </b>
      {isOfAll && (
        <Text span inherit visibleFrom="sm">
          {t('shell.shared')}
        </Text>
      )}
      <Link to="/" search={{ tenant: undefined }}>
        {t('common.toOwnTenant')}
      </Link>
    </div>
  )
}
