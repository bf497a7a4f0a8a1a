import { Group, Paper, Select, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, PermissionCode, Role } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { PermissionCell } from './permission-cell.tsx'
import { RoleMark, type RoleMatrixProps } from './role-matrix.tsx'
import { useCanChange } from './roles.queries.ts'
import { useModuleName } from './roles.texts.ts'

const route = getRouteApi('/shell/roles')

/** One role at a time, on screens too narrow for the matrix. */
export const RoleList = ({ roles, ...props }: RoleMatrixProps) => {
  const { t } = useTranslation()
  const { role: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const role = roles.find(({ id }) => id === chosen) ?? roles[0]
  if (!role) return null
  return (
    <Stack gap="sm">
      <Select
        label={t('places.role')}
        data={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(role.id)}
        onChange={(id) =>
          void navigate({ search: (others) => ({ ...others, role: Number(id) }), replace: true })
        }
        allowDeselect={false}
        searchable
      />
      <RoleCard role={role} {...props} />
    </Stack>
  )
}

interface RoleCardProps extends Omit<RoleMatrixProps, 'roles'> {
  role: Role
}

const RoleCard = ({ role, permissions, draft, onToggle }: RoleCardProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const nameOfModule = useModuleName()
  const canChange = useCanChange()(role)
  const cellOf = (permission: Permission) => (
    <PermissionCell
      role={role}
      permission={permission}
      drafted={draft.get(role.id)?.get(permission.id)}
      canChange={can('role:update') && canChange}
      isOwn={can(permission.code as PermissionCode)}
      tabIndex={0}
      onToggle={onToggle}
    />
  )
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t('roles.permissions', { count: role.permissions.length })}
          </Text>
          <RoleMark role={role} canChange={canChange} />
        </Group>
        <TextLink to="/roles/$roleId" params={{ roleId: String(role.id) }} size="sm">
          {t('roles.details')}
        </TextLink>
      </Group>
      {[...Map.groupBy(permissions, ({ module }) => module)].map(([module, of]) => (
        <Stack key={module} gap={0} mt="sm">
          <Text size="xs" fw={500} c="dimmed">
            {nameOfModule(module)}
          </Text>
          {of.map((permission) => (
            <Group key={permission.id} justify="space-between" wrap="nowrap" mih={40}>
              <Stack gap={0}>
                <Text size="sm">{permission.name}</Text>
                <Text size="xs" c="dimmed" ff="monospace">
                  {permission.code}
                </Text>
              </Stack>
              {cellOf(permission)}
            </Group>
          ))}
        </Stack>
      ))}
    </Paper>
  )
}
