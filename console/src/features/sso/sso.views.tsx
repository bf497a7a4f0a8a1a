import { Alert, Skeleton, Stack } from '@mantine/core'
import { IconBan, IconCheck, IconLock, IconPencil } from '@tabler/icons-react'
import type { Connection, PermissionCode } from '@tenantry/client'
import type { ReactNode } from 'react'
import { Signed } from '../../components/status-badge.tsx'
import { useTranslation } from '../../translation.ts'

const looks = {
  active: { sign: IconCheck, className: 'status-on' },
  draft: { sign: IconPencil, className: '' },
  disabled: { sign: IconBan, className: 'status-off' },
}

/** Of a connection or of a provider. */
export const ConnectionStatus = ({ status }: Pick<Connection, 'status'>) => {
  const { t } = useTranslation()
  return <Signed {...looks[status]} text={t(`connections.${status}`)} />
}

/** Names the permissions that the caller lacks for any change. */
export const MissingPermissions = ({ lacking }: { lacking: PermissionCode[] }) => {
  const { t } = useTranslation()
  if (lacking.length === 0) return null
  return (
    <Alert color="yellow" icon={<IconLock />} title={t('connections.outranks')} mb="md">
      {t('connections.outranksText', { codes: lacking.join(', ') })}
    </Alert>
  )
}

interface WithPermissionsProps {
  /** Undefined until it is known. */
  lacking: PermissionCode[] | undefined
  children: ReactNode
}

/** Shows a page that needs permissions, or names those that the caller lacks. */
export const WithPermissions = ({ lacking, children }: WithPermissionsProps) =>
  lacking === undefined ? (
    <Skeleton height={480} />
  ) : (
    <Stack maw={900}>
      <MissingPermissions lacking={lacking} />
      {lacking.length === 0 && children}
    </Stack>
  )
