import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkProgress } from '../../components/bulk-progress.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { SearchInput } from '../../components/search-input.tsx'
import { useBulk } from '../../components/use-bulk.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { BulkActions } from './bulk-actions.tsx'
import { CreateUser } from './create-user.tsx'
import { useUserColumns } from './user-columns.tsx'
import { nameOf } from './user-queries.ts'
import type { UsersSearch } from './users.routes.ts'

const route = getRouteApi('/shell/users')

/** The page of users that the address names. */
const useUsers = ({ page, size = defaultPageSize, search, status }: UsersSearch) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size, search, status }
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
  // Another filter begins at its first page.
  const filter = (change: Partial<UsersSearch>): void =>
    void navigate({ search: (others) => ({ ...others, page: undefined, ...change }), replace: true })
  return (
    <>
      <SearchInput
        label={t('users.search')}
        value={search ?? ''}
        onChange={(text) => filter({ search: text || undefined })}
      />
      <SegmentedControl
        aria-label={t('fields.status')}
        value={status === undefined ? 'all' : String(status)}
        data={[
          { value: 'all', label: t('common.all') },
          { value: '1', label: t('common.enabled') },
          { value: '0', label: t('common.disabled') },
        ]}
        onChange={(value) => filter({ status: value === 'all' ? undefined : value === '1' ? 1 : 0 })}
      />
    </>
  )
}

export const UsersPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const users = useUsers(search)
  const columns = useUserColumns()
  const bulk = useBulk<User>()
  const [selected, setSelected] = useState<User[]>([])
  const isFiltered = search.search !== undefined || search.status !== undefined
  const actions = <BulkActions users={selected} bulk={bulk} onDone={() => setSelected([])} />
  return (
    <>
      <PageHeader
        title={t('users.title')}
        description={t('users.description')}
        actions={can('user:create') && <CreateUser />}
      />
      <BulkProgress state={bulk.state} nameOf={nameOf} onClose={bulk.clear} />
      <DataTable
        label={t('users.title')}
        name="users"
        columns={columns}
        rows={users}
        idOf={({ id }) => id}
        nameOf={nameOf}
        page={search}
        onPage={(page) =>
          void navigate({ search: (others) => ({ ...others, page: undefined, size: undefined, ...page }) })
        }
        toolbar={<Filters />}
        {...(can('user:update') || can('user:delete')
          ? { selection: { selected, onChange: setSelected, actions } }
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
