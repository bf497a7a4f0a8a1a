import { Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { AuditFilterBar, filtersOf, isFiltered } from './audit-filters.tsx'
import { AuditRecords } from './audit.views.tsx'
import { useExport } from './use-export.ts'

const route = getRouteApi('/shell/audit')

// Lazy, because users read the records before they export them.
const ExportMenu = lazyPart(
  async () => (await import('./export-menu.tsx')).ExportMenu,
  <Skeleton height={36} width={110} />,
)
const ExportProgress = lazyPart(async () => (await import('./export-menu.tsx')).ExportProgress)

export const AuditPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const work = useExport()
  return (
    <>
      <PageHeader
        title={t('places.audit')}
        description={t('audit.description')}
        actions={<ExportMenu filters={search} work={work} />}
      />
      <ExportProgress work={work} />
      <AuditRecords
        label={t('places.audit')}
        name="audit"
        filters={filtersOf(search)}
        search={search}
        toolbar={<AuditFilterBar />}
        empty={
          isFiltered(search)
            ? {
                title: t('audit.noneFound'),
                description: t(
                  (search.search ?? search.ip) === undefined ? 'audit.noneFoundText' : 'audit.searchedNewest',
                ),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
            : { title: t('audit.none') }
        }
      />
    </>
  )
}
