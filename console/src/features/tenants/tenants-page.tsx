import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Tenant } from '@tenantry/client'
import { momentColumn } from '../../components/cells.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { AddressSearch } from '../../components/search-input.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useTenantActions } from './tenant-actions.tsx'
import { TenantMenu, type TenantAction } from './tenant-menu.tsx'
import { isSort, type TenantsSearch } from './tenants.search.ts'

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

const CreateTenantModal = lazyPart(async () => (await import('./create-tenant.tsx')).CreateTenantModal)

const Filters = () => {
  const { t } = useTranslation()
  const { status } = route.useSearch()
  const filter = useFilterChange<TenantsSearch>()
  return (
    <>
      <AddressSearch label={t('tenants.search')} />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
    </>
  )
}

const CreateTenant = () => {
  const { t } = useTranslation()
  const isOpen = route.useSearch().new === true
  const navigate = route.useNavigate()
  const setOpen = (open: boolean): void =>
    // The window has already asked about unsaved text.
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
  const view = useFilterChange<TenantsSearch>()
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

const Mark = ({ children }: { children: string }) => (
  <Badge size="sm" variant="default" tt="none" fw={500} style={{ flexShrink: 0 }}>
    {children}
  </Badge>
)

const Name = ({ tenant: { id, name, slug } }: { tenant: Tenant }) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  return (
    <Stack gap={0} miw={0}>
      <Group gap="xs" wrap="nowrap">
        <TextLink
          to="/tenants/$tenantId"
          params={{ tenantId: id }}
          size="sm"
          fw={500}
          className="cut"
          title={name}
        >
          {name}
        </TextLink>
        {id === builtInTenantId && <Mark>{t('tenants.builtIn')}</Mark>}
        {id === tenantId && <Mark>{t('tenants.current')}</Mark>}
      </Group>
      <Text size="xs" c="dimmed" className="cut" title={slug}>
        {slug}
      </Text>
    </Stack>
  )
}

const useTenantColumns = (onAction: (action: TenantAction) => void): Column<Tenant>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      isSortable: true,
      cell: (tenant) => <Name tenant={tenant} />,
    },
    {
      key: 'status',
      width: 7.5,
      header: t('fields.status'),
      isSortable: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    { ...momentColumn('created_at', t('tenants.created'), (tenant) => tenant.created_at), isSortable: true },
    {
      ...momentColumn('updated_at', t('tenants.updated'), (tenant) => tenant.updated_at),
      isSortable: true,
      isHidden: true,
    },
    {
      key: 'id',
      header: t('fields.id'),
      isHidden: true,
      cell: ({ id }) => <CopyText text={id} label={t('tenants.copyId')} />,
    },
    {
      key: 'actions',
      width: 6,
      header: t('table.actions'),
      isActions: true,
      cell: (tenant) => <TenantMenu tenant={tenant} onAction={onAction} />,
    },
  ]
}
