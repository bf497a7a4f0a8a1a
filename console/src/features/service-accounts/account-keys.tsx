import { Badge, Box, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Key } from '@tenantry/client'
import { useState } from 'react'
import { Ago, useAgo } from '../../components/ago.tsx'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { HelpLink } from '../../components/help-link.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { pageOf } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { isExpired, isExpiring, useKeys } from './service-accounts.queries.ts'
import { CallerLink } from './service-accounts.views.tsx'
import { momentColumn } from '../../components/cells.tsx'

const CreateKeyDialog = lazyPart(async () => (await import('./create-key.views.tsx')).CreateKeyDialog)

const route = getRouteApi('/shell/service-accounts/$accountId')

/** Valid keys come before expired keys. Each group has the newest first. */
const inOrder = (keys: Key[]): Key[] =>
  keys.toSorted((one, other) => Number(isExpired(one)) - Number(isExpired(other)) || other.id - one.id)

interface AccountKeysProps {
  accountId: number
  canChange: boolean
}

export const AccountKeys = ({ accountId, canChange }: AccountKeysProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const mayChange = useMe().can('service_account:update') && canChange
  const keys = useKeys(accountId)
  const [revoked, setRevoked] = useState<Key>()
  const columns = useKeyColumns(mayChange ? setRevoked : undefined)
  const create = useDialogButton(
    t('serviceAccounts.createKey'),
    (onClose) => <CreateKeyDialog accountId={accountId} onClose={onClose} />,
    { size: 'xs' },
  )
  const action = mayChange && create.button
  return (
    <Box component="section">
      <DataTable
        label={t('serviceAccounts.keys')}
        name="keys"
        columns={columns}
        rows={{ ...keys, data: keys.data && pageOf(inOrder(keys.data), search) }}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        toolbar={
          <>
            <Title order={2} size="h4">
              {t('serviceAccounts.keys')}
            </Title>
            {Boolean(keys.data?.length) && action}
          </>
        }
        empty={{
          title: t('serviceAccounts.noKeys'),
          description: t('serviceAccounts.noKeysText'),
          action: (
            <>
              {action}
              <HelpLink to="service-accounts" />
            </>
          ),
        }}
      />
      {create.opened}
      {revoked && <RevokeKey accountId={accountId} revoked={revoked} onClose={() => setRevoked(undefined)} />}
    </Box>
  )
}

const Expiry = ({ of }: { of: Key }) => {
  const { t } = useTranslation()
  if (of.expires_at === '') {
    return (
      <Text size="sm" c="dimmed">
        {t('serviceAccounts.expiresNever')}
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
const useKeyColumns = (onRevoke: ((key: Key) => void) | undefined): Column<Key>[] => {
  const { t } = useTranslation()
  const revoke: Column<Key> = {
    key: 'actions',
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    width: 7,
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
      key: 'expires',
      width: 11,
      header: t('serviceAccounts.expires'),
      cell: (key) => <Expiry of={key} />,
    },
    {
      key: 'prefix',
      width: 9,
      header: t('serviceAccounts.prefix'),
      cell: ({ prefix }) => <Code>{prefix}…</Code>,
    },
    momentColumn('lastUsed', t('serviceAccounts.lastUsed'), ({ last_used_at: at }) => at),
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

interface RevokeKeyProps {
  accountId: number
  revoked: Key
  onClose: () => void
}

const RevokeKey = ({ accountId, revoked: { id, name, last_used_at: at }, onClose }: RevokeKeyProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const ago = useAgo(at)
  const used = at === '' ? t('serviceAccounts.neverUsed') : t('serviceAccounts.usedAgo', { ago })
  return (
    <ConfirmChange
      title={t('serviceAccounts.revokeOne', { name })}
      confirm={t('serviceAccounts.revoke')}
      send={() => api.serviceAccounts.keys.delete({ accountId, keyId: id })}
      onClose={onClose}
      done={t('serviceAccounts.revoked', { name })}
    >
      {t('serviceAccounts.revokeText')} {used}
    </ConfirmChange>
  )
}
