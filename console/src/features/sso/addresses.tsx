import { Stack } from '@mantine/core'
import type { Connection } from '@tenantry/client'
import { CopyLine } from '../../components/copy-text.tsx'
import { useTranslation } from '../../translation.ts'

/** The address of our metadata, which is also our entity id. It differs from the callback only in its last segment. */
const metadataOf = ({ callback_url: url }: Connection): string => url.replace(/\/acs$/, '/metadata')

export const Addresses = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const { type, callback_url: url } = connection
  if (type === 'oidc') {
    return <CopyLine label={t('connections.redirect')} text={url} copy={t('connections.copyRedirect')} />
  }
  const ours = metadataOf(connection)
  return (
    <Stack gap="sm">
      <CopyLine label={t('connections.entityId')} text={ours} copy={t('connections.copyEntityId')} />
      <CopyLine label={t('connections.acs')} text={url} copy={t('connections.copyAcs')} />
      <CopyLine label={t('connections.ourMetadata')} text={ours} copy={t('connections.copyMetadata')} />
    </Stack>
  )
}
