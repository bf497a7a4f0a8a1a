import { Badge, Box, Code, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { Permission, PermissionCode, Role } from '@tenantry/client'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useCellKeys } from './cell-keys.ts'
import { PermissionCell } from './permission-cell.tsx'
import type { Draft } from './role-draft.ts'
import { useCanChange } from './roles.queries.ts'
import { useModuleName } from './roles.texts.ts'

export interface RoleMatrixProps {
  roles: Role[]
  permissions: Permission[]
  draft: Draft
  onToggle: (role: Role, permission: Permission) => void
}

export const RoleMatrix = (props: RoleMatrixProps) => {
  const { t } = useTranslation()
  const { roles, permissions } = props
  const nameOfModule = useModuleName()
  const { ref, ...keys } = useCellKeys()
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <Box className="matrix" tabIndex={0} role="region" aria-label={t('places.roles')} {...keys}>
        <Table ref={ref} withRowBorders={false} verticalSpacing={6} aria-label={t('places.roles')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('roles.permission')}</Table.Th>
              {roles.map((role) => (
                <RoleHeader key={role.id} role={role} />
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...Map.groupBy(permissions, ({ module }) => module)].map(([module, of]) => (
              <Fragment key={module}>
                <Table.Tr className="group-row">
                  <Table.Th colSpan={roles.length + 1} scope="rowgroup">
                    <span>{nameOfModule(module)}</span>
                  </Table.Th>
                </Table.Tr>
                {of.map((permission) => (
                  <PermissionRow key={permission.id} permission={permission} {...props} />
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Paper>
  )
}

const RoleHeader = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const canChange = useCanChange()(role)
  return (
    <Table.Th scope="col">
      <Stack gap={2} align="center">
        <TextLink
          to="/roles/$roleId"
          params={{ roleId: String(role.id) }}
          size="sm"
          fw={500}
          lineClamp={2}
          title={role.name}
        >
          {role.name}
        </TextLink>
        <RoleMark role={role} canChange={canChange} />
        <Text size="xs" c="dimmed" className="numbers" fw={400}>
          {t('roles.permissions', { count: role.permissions.length })}
        </Text>
      </Stack>
    </Table.Th>
  )
}

export const RoleMark = ({ role, canChange }: { role: Role; canChange: boolean }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  if (role.is_system) {
    return (
      <Badge size="sm" variant="default" tt="none" fw={500} title={t('roles.systemText')}>
        {t('roles.system')}
      </Badge>
    )
  }
  return can('role:update') && !canChange ? (
    <IconLock size={14} role="img" aria-label={t('roles.outranks')} title={t('roles.outranks')} />
  ) : null
}

interface PermissionRowProps extends RoleMatrixProps {
  permission: Permission
}

const PermissionRow = ({ permission, roles, draft, onToggle }: PermissionRowProps) => {
  const { can } = useMe()
  const canChange = useCanChange()
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <PermissionName permission={permission} />
      </Table.Th>
      {roles.map((role) => (
        <Table.Td key={role.id}>
          <PermissionCell
            role={role}
            permission={permission}
            drafted={draft.get(role.id)?.get(permission.id)}
            canChange={can('role:update') && canChange(role)}
            isOwn={can(permission.code as PermissionCode)}
            tabIndex={-1}
            onToggle={onToggle}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

const PermissionName = ({ permission: { code, name, description } }: { permission: Permission }) => (
  <Group gap="2 xs" title={description}>
    <Text size="sm" fw={400}>
      {name}
    </Text>
    <Code className="whole">{code}</Code>
  </Group>
)
