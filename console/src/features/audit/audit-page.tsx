import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../components/page-header.tsx'
import { AuditFilterBar, filtersOf, isFiltered } from './audit-filters.tsx'
import { AuditRecords } from './audit.views.tsx'
import { ExportMenu, ExportProgress } from './export-menu.tsx'
import { useExport } from './use-export.ts'

const route = getRouteApi('/shell/audit')

export const AuditPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
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
            ? { title: t('audit.noneFound'), description: t('audit.noneFoundText') }
            : { title: t('audit.none') }
        }
      />
    </>
  )
}
