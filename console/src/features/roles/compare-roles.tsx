import { EmptyState, Group, Paper } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { modulesOf } from './modules.ts'
import type { RoleDraft, SetCells } from './role-draft.ts'
import { RoleMatrix } from './role-matrix.tsx'
import { RolePicker } from './role-picker.tsx'
import { useCountedRoles } from './roles.queries.ts'

const route = getRouteApi('/shell/roles')

/** More columns cannot be read at a glance. The user chooses others. */
const shownAtFirst = 10

/** The roles that the address names, in the order of the list. */
const useShown = (roles: Role[]): Role[] => {
  const { shown } = route.useSearch()
  return shown ? roles.filter(({ id }) => shown.includes(id)) : roles.slice(0, shownAtFirst)
}

interface CompareRolesProps {
  roles: Role[]
  permissions: Permission[]
  draft: RoleDraft
  setCells: SetCells
}

export const CompareRoles = ({ roles, permissions, ...drafting }: CompareRolesProps) => {
  const { search = '' } = route.useSearch()
  const shown = useShown(roles)
  return (
    <>
      <Toolbar roles={roles} shown={shown} />
      {modulesOf(permissions, search).size === 0 ? (
        <NoneFound />
      ) : (
        <RoleMatrix roles={shown} permissions={permissions} search={search} {...drafting} />
      )}
    </>
  )
}

const Toolbar = ({ roles, shown }: { roles: Role[]; shown: Role[] }) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Group mb="sm" gap="sm">
      <SearchInput
        label={t('roles.search')}
        value={search}
        onChange={(text) =>
          void navigate({ search: (others) => ({ ...others, search: text || undefined }), replace: true })
        }
      />
      <Group ml="auto" gap="sm">
        <ListNews news={useNews(['role'], useCountedRoles())} />
        <RolePicker
          roles={roles}
          shown={shown}
          onChange={(ids) =>
            void navigate({ search: (others) => ({ ...others, shown: ids }), replace: true })
          }
        />
      </Group>
    </Group>
  )
}

const NoneFound = () => {
  const { t } = useTranslation()
  return (
    <Paper withBorder>
      <EmptyState
        py="xl"
        icon={<IconListSearch size={32} stroke={1.5} />}
        title={t('roles.noPermission')}
        description={t('roles.noPermissionText')}
      />
    </Paper>
  )
}
