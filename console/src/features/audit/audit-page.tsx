import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { AuditLog } from '@tenantry/client'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'
import { useUserNames } from '../users/user-names.ts'
import { useAuditColumns } from './audit-columns.tsx'
import { AuditFilterBar, filtersOf, isFiltered } from './audit-filters.tsx'
import { useAuditTexts } from './audit-texts.ts'
import type { AuditSearch } from './audit.routes.ts'
import { ExportMenu, ExportProgress } from './export-menu.tsx'
import { useExport } from './use-export.ts'

/** Fetched when the list stands. */
const RecordDrawer = lazy(async () => ({ default: (await import('./record-drawer.tsx')).RecordDrawer }))

const route = getRouteApi('/shell/audit')

/** The page of records that the address names. */
const useRecords = (search: AuditSearch) => {
  const { api, tenantId } = useScope()
  const query = { ...filtersOf(search), page: search.page, page_size: search.size ?? defaultPageSize }
  return useQuery({
    queryKey: ['audit', tenantId, query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

const none: AuditLog[] = []

export const AuditPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const records = useRecords(search)
  const { ofAction } = useAuditTexts()
  const nameOf = useUserNames((records.data?.items ?? none).map(({ user_id }) => user_id))
  const columns = useAuditColumns(nameOf)
  const work = useExport()
  return (
    <>
      <PageHeader
        title={t('audit.title')}
        description={t('audit.description')}
        actions={<ExportMenu filters={search} work={work} />}
      />
      <ExportProgress work={work} />
      <DataTable
        label={t('audit.title')}
        name="audit"
        columns={columns}
        rows={records}
        idOf={({ id }) => id}
        nameOf={({ action }) => ofAction(action)}
        page={search}
        onPage={(page) =>
          void navigate({ search: (others) => ({ ...others, page: undefined, size: undefined, ...page }) })
        }
        toolbar={<AuditFilterBar />}
        empty={
          isFiltered(search)
            ? { title: t('audit.noneFound'), description: t('audit.noneFoundText') }
            : { title: t('audit.none') }
        }
      />
      <Suspense>
        <RecordDrawer
          id={search.id}
          records={records.isPlaceholderData ? undefined : records.data?.items}
          nameOf={nameOf}
          onClose={() =>
            void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
          }
        />
      </Suspense>
    </>
  )
}
