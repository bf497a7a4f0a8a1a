import { getRouteApi } from '@tanstack/react-router'
import type { AuditLog } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { defaultPageSize } from '../../components/page-search.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { useUserNames } from '../users/user-names.ts'
import { useAuditColumns } from './audit-columns.tsx'
import { AuditFilterBar, filtersOf, isFiltered } from './audit-filters.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { ExportMenu, ExportProgress } from './export-menu.tsx'
import { RecordDrawer } from './record-drawer.tsx'
import { useExport } from './use-export.ts'
import { useRecords } from './use-records.ts'

const route = getRouteApi('/shell/audit')

const none: AuditLog[] = []

export const AuditPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const records = useRecords({
    ...filtersOf(search),
    page: search.page,
    page_size: search.size ?? defaultPageSize,
  })
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
        onPage={usePageChange()}
        toolbar={<AuditFilterBar />}
        empty={
          isFiltered(search)
            ? { title: t('audit.noneFound'), description: t('audit.noneFoundText') }
            : { title: t('audit.none') }
        }
      />
      <RecordDrawer
        id={search.id}
        onClose={() =>
          void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
        }
      />
    </>
  )
}
