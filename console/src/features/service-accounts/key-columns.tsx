import { Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import type { Key } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { Ago, AgoOrNever } from '../../components/ago.tsx'
import type { Column } from '../../components/table-model.ts'
import { isExpired, isExpiring } from './key-expiry.ts'
import { CallerLink } from './service-accounts.views.tsx'

const Expiry = ({ of }: { of: Key }) => {
  const { t } = useTranslation()
  if (of.expires_at === '') {
    return (
      <Text size="sm" c="dimmed">
        {t('common.never')}
      </Text>
    )
  }
  return (
    <Group gap={6} wrap="nowrap">
      <Ago at={of.expires_at} />
      {isExpired(of) && <Mark color="red" text={t('serviceAccounts.expired')} />}
      {isExpiring(of) && <Mark color="orange" text={t('serviceAccounts.expiring')} />}
    </Group>
  )
}

const Mark = ({ color, text }: { color: string; text: string }) => (
  <Badge variant="dot" color={color} tt="none" fw={500} miw="max-content">
    {text}
  </Badge>
)

const Networks = ({ of: { allowed_cidrs: networks } }: { of: Key }) => {
  const { t } = useTranslation()
  if (networks.length > 0) {
    return (
      <Text size="sm" className="breakable" maw={220}>
        {networks.join(', ')}
      </Text>
    )
  }
  return (
    <Text size="sm" c="dimmed" className="unbroken">
      {t('serviceAccounts.anywhere')}
    </Text>
  )
}

const Name = ({ of: { name } }: { of: Key }) => (
  <Text size="sm" fw={500} className="cut" title={name}>
    {name}
  </Text>
)

const Created = ({ of: { created_at: at, created_by: by } }: { of: Key }) => (
  <Stack gap={0}>
    <Ago at={at} />
    <CallerLink id={by} size="xs" />
  </Stack>
)

/** With `onRevoke`, each row has a button. */
export const useKeyColumns = (onRevoke: ((key: Key) => void) | undefined): Column<Key>[] => {
  const { t } = useTranslation()
  const revoke: Column<Key> = {
    key: 'actions',
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (key) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('serviceAccounts.revokeKey', { name: key.name })}
        onClick={() => onRevoke?.(key)}
      >
        {t('serviceAccounts.revoke')}
      </Button>
    ),
  }
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      cell: (key) => <Name of={key} />,
    },
    {
      key: 'prefix',
      width: 10,
      header: t('serviceAccounts.prefix'),
      cell: ({ prefix }) => <Code>{prefix}…</Code>,
    },
    { key: 'expires', width: 12, header: t('serviceAccounts.expires'), cell: (key) => <Expiry of={key} /> },
    {
      key: 'lastUsed',
      width: 9,
      header: t('serviceAccounts.lastUsed'),
      cell: ({ last_used_at: at }) => <AgoOrNever at={at} />,
    },
    { key: 'networks', header: t('serviceAccounts.networks'), cell: (key) => <Networks of={key} /> },
    {
      key: 'created',
      width: 9,
      header: t('serviceAccounts.createdAt'),
      cell: (key) => <Created of={key} />,
    },
    ...(onRevoke ? [revoke] : []),
  ]
}
