import { getRouteApi } from '@tanstack/react-router'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { AuditFilterBar, filtersOf, isFiltered } from './audit-filters.tsx'
import { AuditRecords } from './audit.views.tsx'
import { ExportMenu } from './export-menu.tsx'
import { useExport } from './use-export.ts'

const route = getRouteApi('/shell/audit')

const ExportProgress = lazyPart(async () => (await import('./export-progress.tsx')).ExportProgress)

export const AuditPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const work = useExport()
  return (
    <>
      <PageHeader
        title={t('places.audit')}
        description={t('auditLog.description')}
        actions={useMe().reaches('exportAuditLogs') && <ExportMenu filters={search} work={work} />}
      />
      {work.state && <ExportProgress state={work.state} onCancel={work.cancel} onClose={work.clear} />}
      <AuditRecords
        label={t('places.audit')}
        name="audit"
        filters={filtersOf(search)}
        search={search}
        toolbar={<AuditFilterBar />}
        empty={
          isFiltered(search)
            ? {
                title: t('auditLog.noneFound'),
                description: t(
                  (search.search ?? search.ip) === undefined
                    ? 'auditLog.noneFoundText'
                    : 'auditLog.searchedNewest',
                ),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
            : { title: t('auditLog.none') }
        }
      />
    </>
  )
}
