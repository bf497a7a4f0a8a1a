import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import { usePageChange } from '../../components/use-page-change.ts'
import { useNews } from '../../components/list-news.tsx'
import { useMe } from '../../session/me.ts'
import { useTenantActions } from './tenant-actions.tsx'
import { useTenantColumns } from './tenant-columns.tsx'
import { isSort, type TenantsSearch } from './tenants.search.ts'
import { defaultPageSize } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'

const useTenants = ({ search, status, sort = 'name', page, size = defaultPageSize }: TenantsSearch) => {
  const query = { search, status, sort, page, page_size: size }
  return useQuery({
    queryKey: ['tenants', 'page', query],
    queryFn: async ({ signal }) => ({
      ...(await client.tenants.find(query, { signal })),
      page: page ?? 1,
      isCapped: false,
    }),
    placeholderData: keepPreviousData,
  })
}

const route = getRouteApi('/shell/tenants')

const CreateTenantModal = lazyPart(async () => (await import('./create-tenant-modal.tsx')).CreateTenantModal)

/** Another search, filter or order starts at its first page. */
const useView = () => {
  const navigate = route.useNavigate()
  return (change: Partial<TenantsSearch>): void =>
    void navigate({ search: (others) => ({ ...others, page: undefined, ...change }), replace: true })
}

const Filters = () => {
  const { t } = useTranslation()
  const { search, status } = route.useSearch()
  const view = useView()
  return (
    <>
      <SearchInput
        label={t('tenants.search')}
        value={search ?? ''}
        onChange={(text) => view({ search: text || undefined })}
      />
      <StatusFilter value={status} onChange={(chosen) => view({ status: chosen })} />
    </>
  )
}

const CreateTenant = () => {
  const { t } = useTranslation()
  const isOpen = route.useSearch().new === true
  const navigate = route.useNavigate()
  const setOpen = (open: boolean): void =>
    // The window has already asked.
    void navigate({
      search: (others) => ({ ...others, new: open || undefined }),
      replace: true,
      ignoreBlocker: true,
    })
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('tenants.create')}</Button>
      {isOpen && <CreateTenantModal onClose={() => setOpen(false)} />}
    </>
  )
}

export const TenantsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const view = useView()
  const { can } = useMe()
  const rows = useTenants(search)
  const { act, error, dialog } = useTenantActions()
  const columns = useTenantColumns(act)
  return (
    <>
      <PageHeader
        title={t('places.tenants')}
        description={t('tenants.description')}
        actions={can('tenant:create') && <CreateTenant />}
      />
      {error}
      <DataTable
        label={t('places.tenants')}
        name="tenants"
        columns={columns}
        rows={rows}
        news={useNews(['tenant'], rows)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        onPage={usePageChange()}
        sorting={{
          by: search.sort ?? 'name',
          onChange: (by) => view({ sort: isSort(by) ? by : undefined }),
        }}
        toolbar={<Filters />}
        empty={{ title: t('tenants.noneFound'), description: t('tenants.noneFoundText') }}
      />
      {dialog}
    </>
  )
}
