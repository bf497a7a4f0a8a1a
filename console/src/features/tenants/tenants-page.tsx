import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ListedTenant, Tenant } from '@tenantry/client'
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
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { attributeSearch } from '../attributes/attributes.search.ts'
import { AttributeFilters, useAttributeColumns } from '../attributes/attribute-lists.views.tsx'
import { useTenantActions } from './tenant-actions.tsx'
import { TenantMenu, type TenantAction } from './tenant-menu.tsx'
import { isSort, type TenantsSearch } from './tenants.search.ts'

const useTenants = (found: TenantsSearch) => {
  const { search, status, sort = 'name', page, size = defaultPageSize } = found
  const include = useMe().can('tenant:enter') ? ('attributes,figures' as const) : ('attributes' as const)
  const query = { search, status, sort, page, page_size: size, include, ...attributeSearch(found) }
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
      <AddressSearch label={t('tenants.search')} maxLength={128} />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
      <AttributeFilters subject="tenant" />
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
      <Button onClick={() => setOpen(true)}>{t('places.createTenant')}</Button>
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

const numberColumn = (
  key: 'users' | 'administrators',
  header: string,
  format: ReturnType<typeof useFormat>,
): Column<ListedTenant> => ({
  key,
  header,
  width: 8.5,
  isSortable: true,
  cell: ({ figures }) => (
    <Text size="sm" className="numbers">
      {figures && format.count(figures[key])}
    </Text>
  ),
})

/** For callers who may enter tenants. */
const useFigureColumns = (): Column<ListedTenant>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  if (!useMe().can('tenant:enter')) return []
  return [
    numberColumn('users', t('places.users'), format),
    numberColumn('administrators', t('tenant.administrators'), format),
    {
      key: 'last_seen_on',
      header: t('tenants.lastSeen'),
      width: 8.5,
      isSortable: true,
      cell: ({ figures }) => <LastSeen day={figures?.last_seen_on ?? ''} />,
    },
    {
      key: 'limit_share',
      header: t('tenants.limitShare'),
      width: 8.5,
      isSortable: true,
      cell: ({ figures }) => <LimitShare share={figures?.limit_share ?? null} />,
    },
  ]
}

const LastSeen = ({ day }: { day: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (day === '') return <Faint>{t('common.never')}</Faint>
  return (
    <Text size="sm" className="unbroken" title={format.day(day)}>
      {format.daysAgo(day)}
    </Text>
  )
}

const Faint = ({ children }: { children: string }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)

/** As the service warns: from 90 % on. */
const nearShare = 90

const LimitShare = ({ share }: { share: number | null }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (share === null) return <Faint>{t('tenants.noLimit')}</Faint>
  return (
    <Text size="sm" className="numbers" {...(share >= nearShare && { fw: 600, c: 'var(--text-bad)' })}>
      {format.percent(share)}
    </Text>
  )
}

const useTenantColumns = (onAction: (action: TenantAction) => void): Column<ListedTenant>[] => {
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
      isClear: true,
      width: 7.5,
      header: t('fields.status'),
      isSortable: true,
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    ...useFigureColumns(),
    {
      ...momentColumn('created_at', t('tenants.created'), (tenant) => tenant.created_at),
      isSortable: true,
      isHidden: true,
    },
    {
      ...momentColumn('updated_at', t('tenants.updated'), (tenant) => tenant.updated_at),
      isSortable: true,
      isHidden: true,
    },
    ...useAttributeColumns('tenant'),
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
