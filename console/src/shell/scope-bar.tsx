import { Text, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { portalPreview } from '../session/portal.ts'
import { useTranslation } from '../translation.ts'
import { isShared } from './nav-pages.ts'
import { useScopeName, useScopeTenant } from './tenants.ts'

/** States, below the header, that the pages show another tenant, or the portal to a platform administrator. */
export const ScopeBar = () => (portalPreview.useValue() ? <PreviewBar /> : <OtherTenantBar />)

const PreviewBar = () => {
  const { t } = useTranslation()
  const tenant = useScopeName()
  return (
    <div className="elsewhere">
      <b className="cut">{t('shell.previewed', { tenant })}</b>
      <UnstyledButton onClick={() => portalPreview.set(false)}>{t('shell.endPreview')}</UnstyledButton>
    </div>
  )
}

const OtherTenantBar = () => {
  const { t } = useTranslation()
  const { missing } = useScopeTenant()
  const tenant = useScopeName()
  const isOfAll = isShared(useLocation().pathname)
  // The page says it.
  if (missing && !isOfAll) return null
  return (
    <div className="elsewhere">
      <b className="cut">{t('shell.elsewhere', { tenant })}</b>
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
