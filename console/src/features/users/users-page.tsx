import { Checkbox, NativeSelect, Skeleton, Text } from '@mantine/core'
import { IconDownload, IconMail, IconUpload, IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ListedUser, Page, User } from '@tenantry/client'
import { useState } from 'react'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { FilterPill } from '../../components/filter-pill.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { MoreMenu } from '../../components/more-menu.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { AddressSearch } from '../../components/search-input.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import type { Sorting } from '../../components/table-model.ts'
import { useFilterChange } from '../../components/use-page-change.ts'
import { nameOf, useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { loadPage } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { filtersIn } from '../attributes/attributes.queries.ts'
import { attributeSearch } from '../attributes/attributes.search.ts'
import { AttributeFilters } from '../attributes/attribute-lists.views.tsx'
import { useRoles } from '../roles/roles.queries.ts'
import { useUsage } from '../settings/settings.queries.ts'
import { useManyUsers } from './use-many-users.ts'
import { useUserColumns } from './user-columns.tsx'
import { isSort, type UsersSearch } from './users.search.ts'

const route = getRouteApi('/shell/users')

// Lazy, because most visits of the list select nobody.
const BulkActions = lazyPart(
  async () => (await import('./bulk-actions.tsx')).BulkActions,
  <Skeleton height={30} width={96} />,
)

const BulkProgress = lazyPart(
  async () => (await import('../../components/bulk-progress.tsx')).BulkProgress<ListedUser>,
  null,
)
const ConfirmStatus = lazyPart(async () => (await import('./confirm-status.views.tsx')).ConfirmStatus)
const CreateUserDialog = lazyPart(async () => (await import('./create-user-dialog.tsx')).CreateUserDialog)
const ExportDialog = lazyPart(async () => (await import('./export-users.views.tsx')).ExportDialog)
const loadInvitations = loadPage(
  ['access', 'invitations'],
  () => import('../invitations/invitations.views.tsx'),
)
const InviteDialog = lazyPart(async () => (await loadInvitations()).InviteDialog)

/** Callers who may see roles get roles in the list and in its filter. */
const useFilters = (found: UsersSearch) => {
  const { search, status, role_id, seen } = found
  const filters = { search, status, seen, ...attributeSearch(found) }
  return useMe().can('role:read')
    ? { ...filters, role_id, include: 'attributes,created_at,roles' as const }
    : { ...filters, include: 'attributes,created_at' as const }
}

const useUsers = (found: UsersSearch) => {
  const { api, tenantId } = useScope()
  const { page, size = defaultPageSize, sort } = found
  const query = { ...useFilters(found), page, page_size: size, sort }
  return useQuery({
    queryKey: ['users', tenantId, query],
    queryFn: ({ signal }) => api.users.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

interface RoleFilterProps {
  value: number | undefined
  onChange: (roleId: number | undefined) => void
}

const RoleFilter = ({ value, onChange }: RoleFilterProps) => {
  const { t } = useTranslation()
  const { data: roles = [] } = useRoles()
  if (!useMe().can('role:read')) return null
  return (
    <NativeSelect
      w={180}
      aria-label={t('users.holding')}
      data={[
        { value: '', label: t('users.anyRole') },
        ...roles.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value) || undefined)}
    />
  )
}

const Filters = () => {
  const { t } = useTranslation()
  const { status, role_id, seen } = route.useSearch()
  const filter = useFilterChange<UsersSearch>()
  return (
    <>
      <AddressSearch label={t('users.search')} maxLength={254} />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
      {seen && (
        <FilterPill
          text={t(seen === 'online' ? 'users.online' : 'users.today')}
          onRemove={() => filter({ seen: undefined })}
        />
      )}
      <RoleFilter value={role_id} onChange={(chosen) => filter({ role_id: chosen })} />
      <AttributeFilters subject="user" />
    </>
  )
}

const PageActions = ({ users }: { users: Page<ListedUser> | undefined }) => {
  const { t } = useTranslation()
  const found = route.useSearch()
  const { include: _, ...filters } = useFilters(found)
  const query = {
    ...filters,
    include: 'attributes' as const,
    ...(found.sort === '-id' && { sort: found.sort }),
  }
  const canCreate = useMe().can('user:create')
  return (
    <>
      <MoreMenu
        actions={[
          canCreate && {
            label: t('users.create'),
            icon: IconUserPlus,
            renderWindow: (onClose) => <CreateUserDialog onClose={onClose} />,
          },
          canCreate && { label: t('places.importShort'), icon: IconUpload, to: '/users/import' },
          (users?.total ?? 0) > 0 && {
            label: t('users.export'),
            icon: IconDownload,
            renderWindow: (onClose) => <ExportDialog query={query} counted={users} onClose={onClose} />,
          },
          { label: t('places.invitations'), icon: IconMail, to: '/users/invitations' },
        ]}
      />
      {canCreate && (
        <DialogButton label={t('places.invite')}>
          {(onClose) => <InviteDialog onClose={onClose} />}
        </DialogButton>
      )}
    </>
  )
}

const none: ListedUser[] = []

/** The selected users of all pages; those on this page with their current data. */
const useChosen = (shown: ListedUser[] = none) => {
  const [chosen, setChosen] = useState(none)
  const now = new Map(shown.map((user) => [user.id, user]))
  return {
    selected: chosen.map((user) => now.get(user.id) ?? user),
    choose: setChosen,
    /** Keeps users who were selected meanwhile. */
    forget: (users: ListedUser[]) => {
      const ids = new Set(users.map(({ id }) => id))
      setChosen((them) => them.filter(({ id }) => !ids.has(id)))
    },
  }
}

/** The most selected users. More would take long, because each user needs a request. */
const selectableMax = 1000

const useSelectAll = (users: Page<ListedUser> | undefined, choose: (users: ListedUser[]) => void) => {
  const { api } = useScope()
  const filters = useFilters(route.useSearch())
  const { mutate, error } = useMutation({
    mutationFn: async () => {
      const all: ListedUser[] = []
      for await (const user of api.users.all(filters)) {
        if (all.push(user) === selectableMax) break
      }
      return all
    },
    onSuccess: choose,
  })
  return { error, run: users && users.total <= selectableMax ? () => mutate() : undefined }
}

/** The order of the list. If the service ignored the requested order, the order by id. */
const useSorting = (users: Page<ListedUser> | undefined): Sorting => {
  const { sort } = route.useSearch()
  const navigate = route.useNavigate()
  return {
    by: (users?.isSortIgnored ? undefined : sort) ?? 'id',
    onChange: (by) =>
      void navigate({
        search: (others) => ({ ...others, page: undefined, sort: isSort(by) ? by : undefined }),
      }),
  }
}

const SortIgnored = () => {
  const { t } = useTranslation()
  return (
    <Text size="sm" c="dimmed" mb="xs" role="status">
      {t('users.sortIgnored')}
    </Text>
  )
}

const useEmpty = () => {
  const { t } = useTranslation()
  const found = route.useSearch()
  const { search, status, role_id, seen } = found
  const navigate = route.useNavigate()
  const filters = [search, status, role_id, seen, ...filtersIn(found)]
  const isFiltered = filters.some((filter) => filter !== undefined)
  return isFiltered
    ? {
        title: t('users.noneFound'),
        description: t('users.noneFoundText'),
        action: <ClearFilters onClick={() => void navigate({ search: ({ sort }) => ({ sort }) })} />,
      }
    : { title: t('users.none') }
}

/** The description, or the number of users that the limit of the tenant counts. */
const useDescription = (): string => {
  const { t } = useTranslation()
  const format = useFormat()
  const { used = 0, limit = null } = useUsage(true).data?.users ?? {}
  if (limit === null) return t('users.description')
  return t('users.ofLimit', { used: format.count(used), limit: format.count(limit) })
}

/** Changes that the list shows. */
const shownInList = ['user', 'role.assign', 'role.unassign', 'auth.register', 'invitation.accept']

export const UsersPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const users = useUsers(search)
  const [asked, ask] = useState<User>()
  const columns = useUserColumns(ask)
  const work = useManyUsers()
  const { selected, choose, forget } = useChosen(users.data?.items)
  const all = useSelectAll(users.data, choose)
  const actions = <BulkActions users={selected} work={work} onDone={forget} />
  return (
    <>
      <PageHeader
        title={t('places.users')}
        description={useDescription()}
        actions={<PageActions users={users.data} />}
      />
      {work.bulk.state.total > 0 && <BulkProgress {...work.bulk} nameOf={nameOf} />}
      {all.error && <ErrorPanel error={all.error} />}
      {users.data?.isSortIgnored && <SortIgnored />}
      <DataTable
        label={t('places.users')}
        name="users"
        columns={columns}
        rows={users}
        news={useNews(shownInList, users)}
        idOf={({ id }) => id}
        nameOf={nameOf}
        page={search}
        toolbar={<Filters />}
        sorting={useSorting(users.data)}
        selection={{
          Checkbox,
          selected,
          onChange: choose,
          onAll: all.run,
          actions,
        }}
        empty={useEmpty()}
      />
      {asked && (
        <ConfirmStatus user={asked} status={asked.status === 1 ? 0 : 1} onClose={() => ask(undefined)} />
      )}
    </>
  )
}
