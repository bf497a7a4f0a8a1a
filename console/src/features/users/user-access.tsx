import { Alert, Badge, Card, Code, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { Permission, Role } from '@tenantry/client'
import { Fragment, type ReactNode } from 'react'
import { Table } from '../../components/table.tsx'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useRolesOf } from '../roles/roles.queries.ts'
import { useModuleName } from '../roles/roles.texts.ts'
import type { RoleHolder } from '../roles/roles.views.tsx'
import { UserRoles } from './user-roles.tsx'

interface UserAccessProps {
  user: RoleHolder
  canChange: boolean
  /** Whether this kind of holder can have the role at all. */
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
