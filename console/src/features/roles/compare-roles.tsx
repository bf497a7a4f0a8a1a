import { Button, Group, Paper } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, Role } from '@tenantry/client'
import { lazyPopup } from '../../components/lazy-popup.tsx'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { useTranslation } from '../../translation.ts'
import type { RoleDraft, SetCells } from './role-draft.ts'
import { RoleMatrix } from './role-matrix.tsx'
import { useCountedRoles } from './roles.queries.ts'
import { modulesOf } from './roles.texts.ts'
import { NoPermissionFound } from './permission-groups.views.tsx'

const route = getRouteApi('/shell/roles')

/** The most roles at first, because users cannot read more at a glance. The user can choose others. */
const shownAtFirst = { wide: 10, narrow: 4 }

/** The roles that the URL names, in the order of the list. */
const useShown = (roles: Role[]): Role[] => {
  const { shown } = route.useSearch()
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false })
  const most = shownAtFirst[isNarrow ? 'narrow' : 'wide']
  return shown ? roles.filter(({ id }) => shown.includes(id)) : roles.slice(0, most)
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
        <Paper withBorder>
          <NoPermissionFound />
        </Paper>
      ) : (
        <RoleMatrix roles={shown} permissions={permissions} search={search} {...drafting} />
      )}
    </>
  )
}

const Toolbar = ({ roles, shown }: { roles: Role[]; shown: Role[] }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <Group mb="sm" gap="sm">
      <AddressSearch label={t('roles.search')} />
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

export interface RolePickerProps {
  roles: Role[]
  shown: Role[]
  onChange: (ids: number[]) => void
}

const RoleChoice = lazyPopup('dialog', async () => (await import('./role-choice.tsx')).RoleChoice)

const RolePicker = (props: RolePickerProps) => {
  const { t } = useTranslation()
  return (
    <RoleChoice {...props}>
      <Button variant="default" leftSection={<IconColumns3 size={16} />}>
        {t('roles.shown', { shown: props.shown.length, count: props.roles.length })}
      </Button>
    </RoleChoice>
  )
}
