import {
  Alert,
  Badge,
  Card,
  Code,
  Group,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core'
import type { Permission, Role, User } from '@tenantry/client'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useModuleName } from '../roles/module-name.ts'
import { useRolesOf } from './user-queries.ts'
import { UserRoles } from './user-roles.tsx'

/** Which roles a user holds, and what they permit. */
export const UserAccess = ({ user, canChange }: { user: User; canChange: boolean }) => {
  const { t } = useTranslation()
  const { data: roles, error, refetch } = useRolesOf(user.id)
  if (!roles) {
    return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />
  }
  return (
    <Stack>
      {user.status === 0 && <Alert color="gray">{t('users.disabledAccess')}</Alert>}
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
        <UserRoles user={user} roles={roles} canChange={canChange} />
        <EffectivePermissions roles={roles} />
      </SimpleGrid>
    </Stack>
  )
}

interface Effective extends Permission {
  /** The names of the roles that it comes from. */
  from: string[]
}

/** What the roles permit together, each permission once, in the order of the catalogue. */
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
    <Table verticalSpacing={6} layout="fixed" className="data-table">
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
        <Code>{code}</Code>
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
