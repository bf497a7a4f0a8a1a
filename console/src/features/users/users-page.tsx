import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Page, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { SearchInput } from '../../components/search-input.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { BulkActions } from './bulk-actions.tsx'
import { CreateUser } from './create-user.tsx'
import { ExportUsers } from './export-users.tsx'
import { useManyUsers } from './use-many-users.ts'
import { useUserColumns } from './user-columns.tsx'
import type { UsersSearch } from './users.search.ts'

const route = getRouteApi('/shell/users')

const useUsers = ({ page, size = defaultPageSize, search, status, sort }: UsersSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, search, status, sort }
  return useQuery({
    queryKey: ['users', tenantId, query],
    queryFn: ({ signal }) => api.users.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

const Filters = () => {
  const { t } = useTranslation()
  const { search, status } = route.useSearch()
  const navigate = route.useNavigate()
  // Another filter starts at its first page.
  const filter = (change: Partial<UsersSearch>): void =>
    void navigate({ search: (others) => ({ ...others, page: undefined, ...change }), replace: true })
  return (
    <>
      <SearchInput
        label={t('users.search')}
        value={search ?? ''}
        onChange={(text) => filter({ search: text || undefined })}
      />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
    </>
  )
}

const PageActions = ({ users }: { users: Page<User> | undefined }) => {
  const { t } = useTranslation()
  const { search, status, sort } = route.useSearch()
  const { can } = useMe()
  return (
    <>
      {can('user:create') && (
        <Button
          variant="default"
          renderRoot={(props: object) => <Link to="/users/import" {...props} />}
          leftSection={<IconUpload size={16} />}
        >
          {t('places.importShort')}
        </Button>
      )}
      <Button variant="default" renderRoot={(props: object) => <Link to="/users/invitations" {...props} />}>
        {t('places.invitations')}
      </Button>
      <ExportUsers query={{ search, status, sort }} counted={users} />
      {can('user:create') && <CreateUser />}
    </>
  )
}

const none: User[] = []

/** The selected users of all pages; those on this page with their present data. */
const useChosen = (shown: User[] = none) => {
  const [chosen, setChosen] = useState(none)
  const now = new Map(shown.map((user) => [user.id, user]))
  return {
    selected: chosen.map((user) => now.get(user.id) ?? user),
    choose: setChosen,
    /** Keeps users who were selected meanwhile. */
    forget: (users: User[]) => {
      const ids = new Set(users.map(({ id }) => id))
      setChosen((them) => them.filter(({ id }) => !ids.has(id)))
    },
  }
}

export const UsersPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const users = useUsers(search)
  const columns = useUserColumns()
  const work = useManyUsers()
  const { selected, choose, forget } = useChosen(users.data?.items)
  const isFiltered = search.search !== undefined || search.status !== undefined
  const actions = <BulkActions users={selected} work={work} onDone={forget} />
  return (
    <>
      <PageHeader
        title={t('places.users')}
        description={t('users.description')}
        actions={<PageActions users={users.data} />}
      />
      <BulkProgress {...work.bulk} idOf={({ id }) => id} nameOf={nameOf} />
      <DataTable
        label={t('places.users')}
        name="users"
        columns={columns}
        rows={users}
        idOf={({ id }) => id}
        nameOf={nameOf}
        page={search}
        onPage={usePageChange()}
        toolbar={<Filters />}
        sorting={{
          by: search.sort ?? 'id',
          onChange: (by) => {
            const sort = by === '-id' ? by : undefined
            void navigate({ search: (others) => ({ ...others, page: undefined, sort }) })
          },
        }}
        {...(can('user:update') || can('user:delete')
          ? { selection: { selected, onChange: choose, actions } }
          : {})}
        empty={
          isFiltered
            ? { title: t('users.noneFound'), description: t('users.noneFoundText') }
            : { title: t('users.none') }
        }
      />
    </>
  )
}
