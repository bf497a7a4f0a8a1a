import {
  ActionIcon,
  Alert,
  Badge,
  Card,
  Code,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Permission, Role, RoleAssignment } from '@tenantry/client'
import { Fragment, useState, type ReactNode } from 'react'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LazySelect } from '../../components/lazy-select.tsx'
import { Table } from '../../components/table.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useOffer } from '../../components/use-offer.ts'
import { loadPage } from '../../i18n.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { AssignmentFacts, ChangeEnd, useAssignmentsOf } from '../roles/role-ends.views.tsx'
import { useRoles, useRolesOf } from '../roles/roles.queries.ts'
import { useModuleName } from '../roles/roles.texts.ts'
import { useRoleOptions } from '../roles/role-options.views.tsx'
import type { RoleHolder } from '../roles/roles.views.tsx'
import { useRenew } from '../../components/use-renew.ts'

const TakeRole = lazyPart(async () => (await import('../roles/take-role.views.tsx')).TakeRole)

const loadGiving = loadPage(['access', 'roleEnds'], () => import('./give-role.tsx'))
const GiveChosen = lazyPart(async () => (await loadGiving()).GiveChosen, <Skeleton height={180} />)

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
  const assignments = useAssignmentsOf(user.id)
  // The giver and the end of a role are a line of their own, which would push the rows below.
  if (!roles || !assignments) {
    return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />
  }
  return (
    <Stack>
      {user.status === 0 && <Alert color="gray">{t('users.disabledAccess')}</Alert>}
      <SimpleGrid className="columns-in-order" cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <Stack className="in-order">
          <UserRoles {...{ user, roles, assignments, canChange, canHold }} />
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
  assignments: Map<number, RoleAssignment>
  canChange: boolean
  canHold?: ((role: Role) => boolean) | undefined
}

const UserRoles = (props: UserRolesProps) => {
  const { user, roles, assignments, canChange, canHold = () => true } = props
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
          <HeldRole
            key={role.id}
            user={user}
            role={role}
            assignment={assignments.get(role.id)}
            canChange={canChange && can('role:assign')}
            onTake={() => setLeaving(role)}
          />
        ))}
        {can('role:assign') && can('role:read') && <GiveRole user={user} held={roles} canHold={canHold} />}
      </Stack>
      {leaving && <TakeRole user={user} role={leaving} onClose={() => setLeaving(undefined)} />}
    </Card>
  )
}

interface HeldRoleProps {
  user: RoleHolder
  role: Role
  assignment: RoleAssignment | undefined
  canChange: boolean
  onTake: () => void
}

const HeldRole = ({ user, role, assignment, canChange, onTake }: HeldRoleProps) => {
  const { t } = useTranslation()
  const take = t('users.takeRole', { role: role.name })
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500} className="breakable">
          {role.name}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {role.description}
        </Text>
        {assignment && <AssignmentFacts assignment={assignment} />}
      </Stack>
      {canChange && (
        <Group gap={2} wrap="nowrap">
          {assignment && <ChangeEnd user={user} assignment={assignment} />}
          <ActionIcon variant="subtle" color="gray" aria-label={take} data-hint={take} onClick={onTake}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
      )}
    </Group>
  )
}

interface Gift {
  roleId: number
  expiresAt: string | undefined
}

const useGive = ({ id: userId }: RoleHolder, onDone: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { offer } = useOffer()
  const { api } = useScope()
  const renew = useRenew()
  const undoing = useMutation({
    mutationFn: (roleId: number) => api.roles.unassign({ userId, roleId }),
    onSuccess: async () => {
      notify(t('users.roleTaken'))
      await renew()
    },
  })
  const giving = useMutation({
    mutationFn: ({ roleId, expiresAt }: Gift) => api.roles.assign({ userId, roleId, expiresAt }),
    onSuccess: async (_, { roleId }) => {
      onDone()
      offer(t('users.roleGiven'), t('common.undo'), () => undoing.mutate(roleId))
      await renew()
    },
  })
  return { giving, undoing }
}

export type Giving = ReturnType<typeof useGive>['giving']

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
      <LazySelect
        label={t('users.giveRole')}
        placeholder={t('users.chooseRole')}
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
