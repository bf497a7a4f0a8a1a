import { Alert, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Connection, Key } from '@tenantry/client'
import { MomentAndAgo, useAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FactRow, FactTable } from '../../components/facts.tsx'
import { useTranslation } from '../../translation.ts'
import { endsWithin, isExpired, useKeys } from '../service-accounts/service-accounts.queries.ts'

/** Long enough for another person to enter a new key at the provider. */
const warnedDays = 30

/** The key that ends last. A key without an end comes first. */
const lastOf = (keys: Key[]): Key | undefined => {
  const endOf = ({ expires_at: at }: Key): number => (at === '' ? Infinity : Date.parse(at))
  return keys.filter((key) => !isExpired(key)).toSorted((one, other) => endOf(other) - endOf(one))[0]
}

interface DirectoryKeysProps {
  accountId: number
  connection: Connection
}

/** The key by which the directory pushes, its last request and its last error. Warns before the key ends. */
export const DirectoryKeys = ({ accountId, connection }: DirectoryKeysProps) => {
  const { t } = useTranslation()
  const { data: keys, error, refetch } = useKeys(accountId)
  if (error && !keys) return <ErrorPanel error={error} onRetry={() => void refetch()} />
  if (!keys) return <Skeleton height={80} />
  const key = lastOf(keys)
  const [lastUsed = ''] = keys
    .map(({ last_used_at: at }) => at)
    .toSorted()
    .toReversed()
  return (
    <>
      {key ? <EndOfKey of={key} /> : <NoKey isActive={connection.status === 'active'} />}
      <FactTable>
        {key && <FactRow label={t('connections.directoryKeyName')}>{`${key.name} (${key.prefix}…)`}</FactRow>}
        {key && (
          <FactRow label={t('connections.directoryKeyEnd')}>
            <MomentAndAgo at={key.expires_at} />
          </FactRow>
        )}
        <FactRow label={t('connections.directoryLastPush')}>
          <MomentAndAgo at={lastUsed} />
        </FactRow>
        <LastError connection={connection} />
      </FactTable>
    </>
  )
}

const LastError = ({
  connection: { directory_error: fault, directory_error_at: at = '' },
}: {
  connection: Connection
}) => {
  const { t } = useTranslation()
  if (at === '') return null
  return (
    <FactRow label={t('connections.directoryLastError')}>
      {fault}
      <br />
      <MomentAndAgo at={at} />
    </FactRow>
  )
}

/** Nobody misses a key before the connection is active. */
const NoKey = ({ isActive }: { isActive: boolean }) => {
  const { t } = useTranslation()
  return (
    <Alert
      color={isActive ? 'red' : 'yellow'}
      icon={<IconAlertTriangle />}
      title={t('connections.directoryNoKey')}
    >
      {t('connections.directoryKeyNext')}
    </Alert>
  )
}

const EndOfKey = ({ of }: { of: Key }) => {
  const { t } = useTranslation()
  const when = useAgo(of.expires_at)
  if (!endsWithin(of, warnedDays)) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('connections.directoryKeyEnding', { when })}>
      {t('connections.directoryKeyNext')}
    </Alert>
  )
}
