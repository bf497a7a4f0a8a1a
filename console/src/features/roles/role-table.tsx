import { ActionIcon, Button, Checkbox, Group } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { ListedRole, Role } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { pageOf } from '../../components/page-search.ts'
import { AddressSearch } from '../../components/search-input.tsx'
import type { Column, Sorting } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { RoleMark } from './roles.views.tsx'
import { useCanChange, useCanDuplicate, useCountedRoles } from './roles.queries.ts'
import { foundOf, isSort } from './roles.search.ts'
import { Cut, Numbers } from '../../components/cells.tsx'

const route = getRouteApi('/shell/roles')

const DuplicateRole = lazyPart(async () => (await import('./role-dialogs.views.tsx')).DuplicateRole)

const Name = ({ role }: { role: Role }) => {
  const canChange = useCanChange()(role)
  return (
    <Group gap="xs" wrap="nowrap">
      <TextLink
        to="/roles/$roleId"
        params={{ roleId: String(role.id) }}
        size="sm"
        fw={500}
        className="cut"
        title={role.name}
      >
        {role.name}
      </TextLink>
      <RoleMark role={role} canChange={canChange} />
    </Group>
  )
}

/** The service counts holders up to this number. */
const holdersMax = 10_000

const Holders = ({ role: { id, holders = 0 } }: { role: ListedRole }) => {
  const format = useFormat()
  const said = format.total({ total: holders, isCapped: holders >= holdersMax })
  if (holders === 0) return <Numbers>{said}</Numbers>
  return (
    <TextLink to="/users" search={{ role_id: id }} size="sm" className="numbers">
      {said}
    </TextLink>
  )
}

const Duplicate = ({ role, onDuplicate }: { role: Role; onDuplicate: (role: Role) => void }) => {
  const { t } = useTranslation()
  const canDuplicate = useCanDuplicate()(role)
  const label = t('roles.duplicateTitle', { name: role.name })
  if (!canDuplicate) return null
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      data-hint={t('roles.duplicate')}
      onClick={() => onDuplicate(role)}
    >
      <IconCopy size={16} />
    </ActionIcon>
  )
}

const useRoleColumns = (onDuplicate: (role: Role) => void): Column<ListedRole>[] => {
  const { t } = useTranslation()
  const { can } = useMe()
  const format = useFormat()
  const holders: Column<ListedRole> = {
    key: 'holders',
    width: 7,
    header: t('roles.holders'),
    isSortable: true,
    cell: (role) => <Holders role={role} />,
  }
  const actions: Column<ListedRole> = {
    key: 'actions',
    width: 4,
    header: t('table.actions'),
    isActions: true,
    isFixed: true,
    cell: (role) => <Duplicate {...{ role, onDuplicate }} />,
  }
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      isSortable: true,
      cell: (role) => <Name role={role} />,
    },
    {
      key: 'permissions',
      width: 8,
      header: t('roles.permissionCount'),
      isSortable: true,
      cell: ({ permissions }) => <Numbers>{format.count(permissions.length)}</Numbers>,
    },
    ...(can('user:read') ? [holders] : []),
    {
      key: 'description',
      header: t('fields.description'),
      cell: ({ description }) => <Cut text={description} />,
    },
    ...(can('role:create') && can('role:update') ? [actions] : []),
  ]
}

const useSorting = (): Sorting => {
  const { sort = 'name' } = route.useSearch()
  const navigate = route.useNavigate()
  return {
    by: sort,
    onChange: (by) =>
      void navigate({
        search: (others) => ({ ...others, page: undefined, sort: isSort(by) ? by : undefined }),
      }),
  }
}

const CompareButton = ({ roles }: { roles: Role[] }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void navigate({ search: { tab: 'compare', shown: roles.map(({ id }) => id) } })}
    >
      {t('roles.compare')}
    </Button>
  )
}

export const RoleTable = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const roles = useCountedRoles()
  const [selected, setSelected] = useState<ListedRole[]>([])
  const [duplicated, setDuplicated] = useState<Role>()
  return (
    <>
      <DataTable
        label={t('places.roles')}
        name="roles"
        columns={useRoleColumns(setDuplicated)}
        rows={{ ...roles, data: roles.data && pageOf(foundOf(roles.data, search), search) }}
        news={useNews(['role'], roles)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        toolbar={<AddressSearch label={t('roles.searchRoles')} />}
        sorting={useSorting()}
        selection={{
          Checkbox,
          selected,
          onChange: setSelected,
          actions: <CompareButton roles={selected} />,
        }}
        empty={{
          title: t('roles.noneFound'),
          action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
        }}
      />
      {duplicated && <DuplicateRole role={duplicated} onClose={() => setDuplicated(undefined)} />}
    </>
  )
}
