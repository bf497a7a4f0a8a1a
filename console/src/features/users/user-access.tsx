import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Card,
  Code,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Permission, Role } from '@tenantry/client'
import { Fragment, useState, type ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Table } from '../../components/table.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useOffer } from '../../components/use-offer.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { usePreview } from '../authz/authz.queries.ts'
import { Effect } from '../authz/authz.views.tsx'
import { useRoles, useRolesOf } from '../roles/roles.queries.ts'
import { useModuleName } from '../roles/roles.texts.ts'
import { TakeRole, useRoleOptions, type RoleHolder } from '../roles/roles.views.tsx'
import { useRenewUsers } from './users.queries.ts'

interface UserAccessProps {
  user: RoleHolder
  canChange: boolean
  /** Whether this kind of holder can have the role. */
  canHold?: ((role: Role) => boolean) | undefined
  /** Shown below the roles. */
  children?: ReactNode
}

export const UserAccess = ({ user, canChange, canHold, children }: UserAccessProps) => {
  const { t } = useTranslation()
  const { data: roles, error, refetch } = useRolesOf(user.id)
  if (!roles) {
    return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />
  }
  return (
    <Stack>
      {user.status === 0 && <Alert color="gray">{t('users.disabledAccess')}</Alert>}
      <SimpleGrid className="columns-in-order" cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <Stack className="in-order">
          <UserRoles user={user} roles={roles} canChange={canChange} canHold={canHold} />
          {children}
        </Stack>
        <EffectivePermissions roles={roles} />
      </SimpleGrid>
    </Stack>
  )
}

interface Effective extends Permission {
  from: string[]
}

const effectiveOf = (roles: Role[]): Effective[] => {
  const found = new Map<number, Effective>()
  for (const { name, permissions } of roles) {
    for (const permission of permissions) {
      const from = [...(found.get(permission.id)?.from ?? []), name]
      found.set(permission.id, { ...permission, from })
    }
  }
  return [...found.values()].toSorted((one, other) => one.id - other.id)
}

const EffectivePermissions = ({ roles }: { roles: Role[] }) => {
  const { t } = useTranslation()
  const effective = effectiveOf(roles)
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4">
        {t('users.permissions', { count: effective.length })}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('users.permissionsText')}
      </Text>
      {effective.length > 0 && <PermissionTable effective={effective} />}
    </Card>
  )
}

const PermissionTable = ({ effective }: { effective: Effective[] }) => {
  const { t } = useTranslation()
  const nameOfModule = useModuleName()
  const modules = Map.groupBy(effective, ({ module }) => module)
  return (
    <Table className="data-table fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('users.permission')}</Table.Th>
          <Table.Th>{t('users.fromRoles')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {[...modules].map(([module, permissions]) => (
          <Fragment key={module}>
            <Table.Tr className="group-row">
              <Table.Th colSpan={2} scope="rowgroup">
                {nameOfModule(module)}
              </Table.Th>
            </Table.Tr>
            {permissions.map((permission) => (
              <PermissionRow key={permission.id} permission={permission} />
            ))}
          </Fragment>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const PermissionRow = ({ permission: { code, name, description, from } }: { permission: Effective }) => (
  <Table.Tr>
    <Table.Td>
      <Stack gap={2} align="flex-start">
        <Text size="sm" title={description}>
          {name}
        </Text>
        <Code className="whole">{code}</Code>
      </Stack>
    </Table.Td>
    <Table.Td>
      <Group gap={4}>
        {from.map((role) => (
          <Badge key={role} variant="default" tt="none" fw={400} maw="100%" title={role}>
            {role}
          </Badge>
        ))}
      </Group>
    </Table.Td>
  </Table.Tr>
)

interface UserRolesProps {
  user: RoleHolder
  roles: Role[]
  canChange: boolean
  canHold?: ((role: Role) => boolean) | undefined
}

const UserRoles = ({ user, roles, canChange, canHold = () => true }: UserRolesProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const [leaving, setLeaving] = useState<Role>()
  return (
    <Card withBorder padding="lg">
      <Title order={2} size="h4" mb="md">
        {t('users.roles')}
      </Title>
      <Stack gap="sm">
        {roles.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('users.noRoles')}
          </Text>
        )}
        {roles.map((role) => (
          <Group key={role.id} justify="space-between" wrap="nowrap" align="flex-start">
            <Stack gap={0} miw={0}>
              <Text size="sm" fw={500} className="breakable">
                {role.name}
              </Text>
              <Text size="sm" c="dimmed" className="breakable">
                {role.description}
              </Text>
            </Stack>
            {canChange && can('role:assign') && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('users.takeRole', { role: role.name })}
                data-hint={t('users.takeRole', { role: role.name })}
                onClick={() => setLeaving(role)}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {can('role:assign') && can('role:read') && <GiveRole user={user} held={roles} canHold={canHold} />}
      </Stack>
      {leaving && <TakeRole user={user} role={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

const useGive = ({ id: userId }: RoleHolder, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { offer } = useOffer()
  const { api } = useScope()
  const renew = useRenewUsers()
  const undoing = useMutation({
    mutationFn: (roleId: number) => api.roles.unassign({ userId, roleId }),
    onSuccess: async () => {
      notify(t('users.roleTaken'))
      await renew(userId)
    },
  })
  const giving = useMutation({
    mutationFn: (roleId: number) => api.roles.assign({ userId, roleId }),
    onSuccess: async (_, roleId) => {
      onDone()
      offer(t('users.roleGiven'), t('common.undo'), () => undoing.mutate(roleId))
      await renew(userId)
    },
  })
  return { giving, undoing }
}

interface GiveRoleProps {
  user: RoleHolder
  held: Role[]
  canHold: (role: Role) => boolean
}

const GiveRole = ({ user, held, canHold }: GiveRoleProps) => {
  const { t } = useTranslation()
  const { data: roles = [], isPending } = useRoles()
  const [chosen, setChosen] = useState<string | null>(null)
  const free = roles.filter(({ id }) => held.every((role) => role.id !== id))
  const options = useRoleOptions(free.filter(canHold))
  const { giving, undoing } = useGive(user, () => setChosen(null))
  if (isPending) return <Skeleton height={66} mt="xs" />
  if (options.data.length === 0) return null
  return (
    <Stack gap="sm" mt="xs">
      <Select
        label={t('users.giveRole')}
        placeholder={t('users.chooseRole')}
        searchable
        clearable
        value={chosen}
        onChange={setChosen}
        clearButtonProps={{ 'aria-label': t('common.clear') }}
        {...options}
      />
      {undoing.isError && <ErrorPanel error={undoing.error} />}
      {chosen !== null && <GiveChosen key={chosen} user={user} roleId={Number(chosen)} giving={giving} />}
    </Stack>
  )
}

interface GiveChosenProps {
  user: RoleHolder
  roleId: number
  giving: ReturnType<typeof useGive>['giving']
}

/** Shows the user's gains before the caller can give the role. */
const GiveChosen = ({ user, roleId, giving }: GiveChosenProps) => {
  const { t } = useTranslation()
  const preview = usePreview(() => [{ kind: 'assign_role', user_id: user.id, role_id: roleId }])
  return (
    <>
      <Effect preview={preview} />
      {giving.isError && giving.variables === roleId && <ErrorPanel error={giving.error} />}
      <Group justify="flex-end">
        <Button disabled={!preview.isOpen} loading={giving.isPending} onClick={() => giving.mutate(roleId)}>
          {t('users.give')}
        </Button>
      </Group>
    </>
  )
}
