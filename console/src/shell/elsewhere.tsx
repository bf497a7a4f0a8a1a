import { Link } from '@tanstack/react-router'
import { useTranslation } from '../translation.ts'
import { useScopeTenant } from './tenants.ts'

/** Says, below the header, that the pages show another tenant. */
export const Elsewhere = () => {
  const { t } = useTranslation()
  const { name, isUnknown, isOwn } = useScopeTenant()
  if (isOwn) return null
  return (
    <div className="elsewhere">
      <b className="cut">
        {t('shell.elsewhere', { tenant: name ?? (isUnknown ? t('shell.tenantUnknown') : '…') })}
      </b>
      <Link to="/" search={{ tenant: undefined }}>
        {t('common.toOwnTenant')}
      </Link>
    </div>
  )
}
