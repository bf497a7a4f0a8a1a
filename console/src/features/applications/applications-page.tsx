import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Application } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { useApplications } from './applications.queries.ts'
import { kinds, type ApplicationsSearch } from './applications.search.ts'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { momentColumn } from '../../components/cells.tsx'

const CreateDialog = lazyPart(
  async () => (await import('./create-application.views.tsx')).CreateApplicationDialog,
)

const route = getRouteApi('/shell/applications')

const Name = ({ of: { id, name } }: { of: Application }) => (
  <RowLink to="/applications/$applicationId" params={{ applicationId: String(id) }} className="cut">
    {name}
  </RowLink>
)

const useColumns = (): Column<Application>[] => {
  const { t } = useTranslation()
  return [
    { key: 'name', header: t('fields.name'), isFixed: true, cell: (one) => <Name of={one} /> },
    {
      key: 'kind',
      width: 9,
      header: t('applications.kind'),
      cell: ({ kind }) => t(`applicationKinds.${kind}`),
    },
    {
      key: 'owner',
      width: 9,
      header: t('applications.owner'),
      cell: ({ is_third_party: isForeign }) => t(isForeign ? 'applications.thirdParty' : 'applications.own'),
    },
    {
      key: 'client',
      width: 15,
      header: t('applications.clientId'),
      cell: ({ client_id: id }) => <CopyText text={id} label={t('applications.copyClientId')} />,
    },
    {
      key: 'status',
      isClear: true,
      width: 7.5,
      header: t('fields.status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    momentColumn('created', t('applications.createdAt'), ({ created_at: at }) => at),
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { kind, status, registered } = route.useSearch()
  const filter = useFilterChange<ApplicationsSearch>()
  const choices = kinds.map((value) => ({ value, label: t(`applicationKinds.${value}`) }))
  return (
    <>
      <AddressSearch label={t('applications.search')} />
      <NativeSelect
        aria-label={t('applications.kind')}
        value={kind ?? ''}
        data={[{ value: '', label: t('applications.everyKind') }, ...choices]}
        onChange={({ currentTarget: { value } }) => filter({ kind: kinds.find((one) => one === value) })}
      />
      <NativeSelect
        aria-label={t('applications.maker')}
        value={registered ? 'themselves' : 'here'}
        data={[
          { value: 'here', label: t('applications.madeHere') },
          { value: 'themselves', label: t('applications.registeredThemselves') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          filter({ registered: value === 'themselves' || undefined })
        }
      />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
    </>
  )
}

export const ApplicationsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const applications = useApplications(search)
  const isFiltered = [search.search, search.kind, search.status, search.registered].some(
    (filter) => filter !== undefined,
  )
  const create = useDialogButton(t('places.createApplication'), (onClose) => (
    <CreateDialog onClose={onClose} />
  ))
  const action = can('application:manage') && create.button
  const { isVacant, inHeader } = placeAction(applications, isFiltered, action)
  return (
    <>
      <PageHeader title={t('places.applications')} description={t('applications.about')} actions={inHeader} />
      <DataTable
        label={t('places.applications')}
        name="applications"
        columns={useColumns()}
        rows={applications}
        news={useNews(['application'], applications)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        toolbar={<Filters />}
        empty={
          isFiltered
            ? {
                title: t('applications.noneFound'),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
            : { title: t('applications.none'), description: t('applications.noneText'), action }
        }
        isVacant={isVacant}
      />
      {create.opened}
    </>
  )
}
