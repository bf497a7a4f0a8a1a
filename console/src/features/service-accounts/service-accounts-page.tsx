import { getRouteApi } from '@tanstack/react-router'
import type { ServiceAccount } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { HelpLink } from '../../components/help-link.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { FilterPill } from '../../components/filter-pill.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import { AddressSearch } from '../../components/search-input.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { StatusFilter } from '../../components/status-filter.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { useNews } from '../../components/list-news.tsx'
import { useMe } from '../../session/me.ts'
import { useAccounts } from './service-accounts.queries.ts'
import type { AccountsSearch } from './service-accounts.search.ts'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import { Cut, momentColumn, idColumn } from '../../components/cells.tsx'

const CreateAccountDialog = lazyPart(
  async () => (await import('./account-dialogs.views.tsx')).CreateAccountDialog,
)

const route = getRouteApi('/shell/service-accounts')

const Name = ({ account: { id, name } }: { account: ServiceAccount }) => (
  <RowLink to="/service-accounts/$accountId" params={{ accountId: String(id) }} className="cut">
    {name}
  </RowLink>
)

const useAccountColumns = (): Column<ServiceAccount>[] => {
  const { t } = useTranslation()
  return [
    { key: 'name', header: t('fields.name'), isFixed: true, cell: (account) => <Name account={account} /> },
    {
      key: 'description',
      header: t('serviceAccounts.description'),
      cell: ({ description }) => <Cut text={description} />,
    },
    {
      key: 'status',
      isClear: true,
      width: 7.5,
      header: t('fields.status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    momentColumn('lastUsed', t('serviceAccounts.lastUsed'), ({ last_used_at: at }) => at),
    momentColumn('created', t('serviceAccounts.createdAt'), ({ created_at }) => created_at),
    idColumn(t('fields.id')),
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { status, ending } = route.useSearch()
  const filter = useFilterChange<AccountsSearch>()
  return (
    <>
      <AddressSearch label={t('serviceAccounts.search')} />
      <StatusFilter value={status} onChange={(chosen) => filter({ status: chosen })} />
      {ending && (
        <FilterPill text={t('serviceAccounts.keysEnding')} onRemove={() => filter({ ending: undefined })} />
      )}
    </>
  )
}

const useCreating = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { button, opened } = useDialogButton(t('places.createServiceAccount'), (onClose) => (
    <CreateAccountDialog onClose={onClose} />
  ))
  return { button: can('service_account:create') && button, opened }
}

export const ServiceAccountsPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const accounts = useAccounts(search)
  const isFiltered = [search.search, search.status, search.ending].some((filter) => filter !== undefined)
  const { button, opened } = useCreating()
  const { isVacant, inHeader } = placeAction(accounts, isFiltered, button)
  return (
    <>
      <PageHeader
        title={t('places.serviceAccounts')}
        description={t('serviceAccounts.about')}
        actions={inHeader}
      />
      <DataTable
        label={t('places.serviceAccounts')}
        name="service-accounts"
        columns={useAccountColumns()}
        rows={accounts}
        news={useNews(['service_account'], accounts)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={search}
        toolbar={<Filters />}
        empty={
          isFiltered
            ? {
                title: t('serviceAccounts.noneFound'),
                description: t('serviceAccounts.noneFoundText'),
                action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
              }
            : {
                title: t('serviceAccounts.none'),
                description: t('serviceAccounts.noneText'),
                action: (
                  <>
                    {button}
                    <HelpLink to="service-accounts" />
                  </>
                ),
              }
        }
        isVacant={isVacant}
      />
      {opened}
    </>
  )
}
