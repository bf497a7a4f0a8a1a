import { Alert, Button, Group, List, Select, Stack, Text } from '@mantine/core'
import type { Connection } from '@tenantry/client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { CopyLine } from '../../components/copy-text.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { usePermissions, useRoles } from '../roles/roles.queries.ts'
import { useAccounts } from '../service-accounts/service-accounts.queries.ts'
import { useCallers } from '../users/users.queries.ts'
import type { ConnectionProps } from './connection-page.tsx'
import { DirectoryGroups } from './directory-groups.tsx'
import { DirectoryKeys } from './directory-keys.tsx'
import { GuideButton } from './guide-button.tsx'
import { providerOf } from './presets.ts'
import { useConnections, useUpdateConnection } from './sso.queries.ts'
import { useRenew } from '../../components/use-renew.ts'

const CreateKeyDialog = lazyPart(
  async () =>
    (await loadPage(['developers'], () => import('../service-accounts/create-key.views.tsx'))())
      .CreateKeyDialog,
)

/** The directory that pushes users and groups by SCIM. */
export const Directory = (props: ConnectionProps) => {
  const { t } = useTranslation()
  const { connection, canChange } = props
  const { data: connections = [] } = useConnections()
  const other = connections.find((one) => one.id !== connection.id && one.scim_account_id !== null)
  return (
    <Stack maw={900}>
      <SectionCard title={t('connections.directory')} hint={t('connections.directoryHint')}>
        {connection.scim_account_id === null ? (
          <Absent connection={connection} other={other} canChange={canChange} />
        ) : (
          <Present connection={connection} accountId={connection.scim_account_id} canChange={canChange} />
        )}
      </SectionCard>
      {connection.scim_account_id !== null && <DirectoryGroups />}
    </Stack>
  )
}

interface AbsentProps {
  connection: Connection
  /** Another connection that already has the tenant's directory. */
  other: Connection | undefined
  canChange: boolean
}

const Absent = ({ connection, other, canChange }: AbsentProps) => {
  const { t } = useTranslation()
  if (other) return <Text size="sm">{t('connections.directoryElsewhere', { name: other.name })}</Text>
  return (
    <Stack>
      <Text size="sm">{t('connections.noDirectory')}</Text>
      {canChange && (
        <>
          <Alert color="gray" title={t('connections.directoryEffect')}>
            <List size="sm" spacing={4}>
              <List.Item>{t('connections.directoryJit')}</List.Item>
              <List.Item>{t('connections.directoryGroupIds')}</List.Item>
              <List.Item>{t('connections.directoryLeavers')}</List.Item>
            </List>
          </Alert>
          <DirectoryChoice connection={connection} />
        </>
      )}
    </Stack>
  )
}

interface PresentProps {
  connection: Connection
  accountId: number
  canChange: boolean
}

/** The base address has the same host as the callback. */
const baseOf = ({ callback_url: url }: Connection): string => new URL('/scim/v2', url).href

const Present = ({ connection, accountId, canChange }: PresentProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { name } = useCallers([accountId])(accountId)
  return (
    <Stack>
      <Group gap={6}>
        <Text size="sm">{t('connections.directoryAccount')}</Text>
        {can('service_account:read') ? (
          <TextLink to="/service-accounts/$accountId" params={{ accountId: String(accountId) }} size="sm">
            {name}
          </TextLink>
        ) : (
          <Text size="sm">{name}</Text>
        )}
      </Group>
      <CopyLine
        label={t('connections.baseUrl')}
        text={baseOf(connection)}
        copy={t('connections.copyBaseUrl')}
      />
      <Text size="sm">{t('connections.directoryKey')}</Text>
      {can('service_account:read') && <DirectoryKeys accountId={accountId} connection={connection} />}
      <GuideButton provider={providerOf(connection)} part="scim" />
      {canChange && (
        <Group>
          {can('service_account:update') && (
            <DialogButton
              variant={connection.status === 'active' ? 'filled' : 'default'}
              label={t('connections.createKey')}
            >
              {(onClose) => <CreateKeyDialog accountId={accountId} onClose={onClose} />}
            </DialogButton>
          )}
          <RemoveDirectory connection={connection} />
        </Group>
      )}
    </Stack>
  )
}

const RemoveDirectory = ({ connection: { id, name } }: { connection: Connection }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmButton
      isDeletion
      title={t('connections.removeDirectoryOne', { name })}
      confirm={t('connections.removeDirectory')}
      send={() => api.sso.updateConnection(id, { scim_account_id: null })}
      done={t('connections.directoryRemoved')}
    >
      {t('connections.removeDirectoryText')}
    </ConfirmButton>
  )
}

const needed = 'scim:provision'

/** The id of a role whose only permission is to push. Creates the role if the tenant lacks it. */
const useDirectoryRole = () => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { data: roles = [] } = useRoles()
  const { data: permissions = [] } = usePermissions()
  return async (): Promise<number> => {
    const found = roles.find(({ permissions: held }) => held.length === 1 && held[0]?.code === needed)
    if (found) return found.id
    const role = await api.roles.create({
      name: t('connections.directoryRole'),
      description: t('connections.directoryRoleText'),
    })
    const ids = permissions.filter(({ code }) => code === needed).map(({ id }) => id)
    await api.roles.replacePermissions(role.id, ids)
    return role.id
  }
}

const useSetUp = (connection: Connection) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const roleId = useDirectoryRole()
  const setting = useUpdateConnection(connection, () => notify(t('connections.directorySet')))
  const create = async (): Promise<number> => {
    const account = await api.serviceAccounts.create({
      name: t('connections.directoryName', { name: connection.name }),
      description: t('connections.directoryRoleText'),
    })
    await api.roles.assign({ userId: account.id, roleId: await roleId() })
    await renew()
    return account.id
  }
  return useMutation({
    mutationFn: async (accountId: number | undefined) =>
      setting.mutateAsync({ scim_account_id: accountId ?? (await create()) }),
  })
}

type Setting = ReturnType<typeof useSetUp>

/** The choice of the service account whose keys push: a new account or an existing one. */
const DirectoryChoice = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const setting = useSetUp(connection)
  const canCreate = can('service_account:create') && can('role:create') && can('role:assign')
  return (
    <Stack>
      {setting.error && <ErrorPanel error={setting.error} />}
      {canCreate && (
        <Group>
          <Button
            loading={setting.isPending && setting.variables === undefined}
            disabled={setting.isPending}
            onClick={() => setting.mutate(undefined)}
          >
            {t('connections.createDirectory')}
          </Button>
        </Group>
      )}
      <PresentAccounts setting={setting} />
      <Text size="sm" c="dimmed">
        {t('connections.accountRank')}
      </Text>
    </Stack>
  )
}

const PresentAccounts = ({ setting }: { setting: Setting }) => {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const { data: accounts } = useAccounts({ size: 200 }, useMe().can('service_account:read'))
  const present = accounts?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  if (present.length === 0) return null
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label={t('connections.useAccount')}
        description={t('connections.useAccountHint', { permission: needed })}
        data={present}
        searchable
        value={chosen}
        onChange={setChosen}
        flex={1}
        miw={200}
        maw={420}
      />
      <Button
        variant="default"
        disabled={chosen === null || setting.isPending}
        onClick={() => setting.mutate(Number(chosen))}
      >
        {t('connections.useThis')}
      </Button>
    </Group>
  )
}
