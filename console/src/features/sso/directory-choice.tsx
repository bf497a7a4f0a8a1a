import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Connection } from '@tenantry/client'
import { useState } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { usePermissions, useRoles, useRenewRoles } from '../roles/roles.queries.ts'
import { useAccounts, useRenewAccounts } from '../service-accounts/service-accounts.queries.ts'
import { useUpdateConnection } from './connection-actions.tsx'

const needed = 'scim:provision'

/** The id of a role with no permission but that to push. Creates the role if the tenant lacks one. */
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
  const renewRoles = useRenewRoles()
  const renewAccounts = useRenewAccounts()
  const roleId = useDirectoryRole()
  const setting = useUpdateConnection(connection, () => notify(t('connections.directorySet')))
  const create = async (): Promise<number> => {
    const account = await api.serviceAccounts.create({
      name: t('connections.directoryName', { name: connection.name }),
      description: t('connections.directoryRoleText'),
    })
    await api.roles.assign({ userId: account.id, roleId: await roleId() })
    await Promise.all([renewRoles(), renewAccounts()])
    return account.id
  }
  return useMutation({
    mutationFn: async (accountId: number | undefined) =>
      setting.mutateAsync({ scim_account_id: accountId ?? (await create()) }),
  })
}

type Setting = ReturnType<typeof useSetUp>

/** Selects the service account whose keys push: a new or an existing one. */
export const DirectoryChoice = ({ connection }: { connection: Connection }) => {
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
