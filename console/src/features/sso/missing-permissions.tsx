import { Alert } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { PermissionCode } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'

/** Says which permissions the caller lacks for any change. */
export const MissingPermissions = ({ lacking }: { lacking: PermissionCode[] }) => {
  const { t } = useTranslation()
  if (lacking.length === 0) return null
  return (
    <Alert color="yellow" icon={<IconLock />} title={t('connections.outranks')} mb="md">
      {t('connections.outranksText', { codes: lacking.join(', ') })}
    </Alert>
  )
}
