import { Box, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Tenant } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTenantCache } from './tenant-cache.ts'
import { useTenantColumns } from './tenant-columns.tsx'
import { useTenantRows } from './tenant-rows.ts'
import type { TenantsSearch } from './tenants.search.ts'

const route = getRouteApi('/shell/tenants')

const loadDialogs = () => import('./tenant-dialogs.tsx')
const dialogs = {
  edit: lazyPart(async () => (await loadDialogs()).EditTenant),
  disable: lazyPart(async () => (await loadDialogs()).DisableTenant),
  delete: lazyPart(async () => (await loadDialogs()).DeleteTenant),
}
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

/** Enabling takes nothing away, so it does not ask. */
const useEnable = () => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { put, renew } = useTenantCache()
  return useMutation({
    mutationFn: ({ id }: Tenant) => client.tenants.update(id, { status: 1 }),
    onSuccess: (tenant) => {
      put(tenant)
      renew()
      notify(t('tenants.isEnabled', { name: tenant.name }))
    },
  })
}

interface Asked {
  kind: keyof typeof dialogs
  tenant: Tenant
}

const AskedDialog = ({ asked: { kind, tenant }, onClose }: { asked: Asked; onClose: () => void }) => {
  const Dialog = dialogs[kind]
  return <Dialog tenant={tenant} onClose={onClose} />
}

const CreateTenant = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
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
  const rows = useTenantRows(search)
  const [asked, setAsked] = useState<Asked>()
  const enable = useEnable()
  const columns = useTenantColumns(({ kind, tenant }) =>
    kind === 'enable' ? enable.mutate(tenant) : setAsked({ kind, tenant }),
  )
  return (
    <>
      <PageHeader
        title={t('places.tenants')}
        description={t('tenants.description')}
        actions={can('tenant:create') && <CreateTenant />}
      />
      {enable.error && (
        <Box mb="sm">
          <ErrorPanel error={enable.error} />
        </Box>
      )}
      <DataTable
        label={t('places.tenants')}
        name="tenants"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        onPage={usePageChange()}
        sorting={{
          by: search.sort ?? 'name',
          onChange: (by) => view({ sort: by === 'name' ? undefined : by }),
        }}
        toolbar={<Filters />}
        empty={{ title: t('tenants.noneFound'), description: t('tenants.noneFoundText') }}
      />
      {asked && <AskedDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
