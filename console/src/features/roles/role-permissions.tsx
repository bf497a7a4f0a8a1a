import { Card, Group, Skeleton, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, PermissionCode, Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { useMe } from '../../session/me.ts'
import { PermissionGroups } from './permission-groups.tsx'
import { holds, type RoleDraft, type SetCells } from './role-draft.ts'
import { usePermissions } from './roles.queries.ts'

const route = getRouteApi('/shell/roles/$roleId')

interface RolePermissionsProps {
  role: Role
  draft: RoleDraft
  setCells: SetCells
  canChange: boolean
}

export const RolePermissions = (props: RolePermissionsProps) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {t('roles.permissions', { count: props.role.permissions.length })}
        </Title>
        <SearchInput
          label={t('roles.search')}
          value={search}
          onChange={(text) =>
            void navigate({ search: (others) => ({ ...others, search: text || undefined }), replace: true })
          }
        />
      </Group>
      {props.canChange ? (
        <ChosenPermissions search={search} {...props} />
      ) : (
        <PermissionGroups permissions={props.role.permissions} search={search} isHeld={() => true} />
      )}
    </Card>
  )
}

const ChosenPermissions = ({ role, draft, setCells, search }: RolePermissionsProps & { search: string }) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { data: permissions, error, refetch } = usePermissions()
  if (!permissions) {
    return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} />
  }
  return (
    <PermissionGroups
      permissions={permissions}
      search={search}
      isHeld={(permission) => holds(role, permission)}
      choosing={{
        draftedOf: ({ id }) => draft.get(role.id)?.get(id),
        reasonOf: ({ code }: Permission) => (can(code as PermissionCode) ? undefined : t('roles.notOwn')),
        onChoose: (chosen, isWanted) => setCells(role, chosen, isWanted),
      }}
    />
  )
}
