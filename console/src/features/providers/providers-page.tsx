import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Provider } from '@tenantry/client'
import { momentColumn } from '../../components/cells.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import { pageOf } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useTranslation } from '../../translation.ts'
import { ConnectionStatus, MissingPermissions } from '../sso/sso.views.tsx'
import { useLackingOf } from '../roles/roles.queries.ts'
import { useProviders } from './providers.queries.ts'

const useColumns = (): Column<Provider>[] => {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('fields.name'),
      isFixed: true,
      cell: ({ id, name }) => (
        <RowLink to="/providers/$providerId" params={{ providerId: id }}>
          {name}
        </RowLink>
      ),
    },
    { key: 'kind', width: 12, header: t('providers.kind'), cell: ({ kind }) => t(`providerKinds.${kind}`) },
    {
      key: 'status',
      isClear: true,
      width: 9,
      header: t('fields.status'),
      cell: ({ status }) => <ConnectionStatus status={status} />,
    },
    momentColumn('used', t('providers.lastUsed'), ({ last_used_at: at }) => at),
  ]
}

/** An installation has at most 20 providers, so the list has one page. */
const onlyPage = {}

export const ProvidersPage = () => {
  const { t } = useTranslation()
  const providers = useProviders()
  const lacking = useLackingOf('provider:manage')
  const rows = { ...providers, data: providers.data && pageOf(providers.data, onlyPage) }
  const action = (lacking ?? []).length === 0 && (
    <Button
      disabled={lacking === undefined}
      renderRoot={(props: object) => <Link to="/providers/new" {...props} />}
    >
      {t('providers.create')}
    </Button>
  )
  const { isVacant, inHeader } = placeAction(rows, false, action)
  return (
    <>
      <PageHeader title={t('places.providers')} description={t('providers.about')} actions={inHeader} />
      <MissingPermissions lacking={lacking ?? []} />
      <DataTable
        label={t('places.providers')}
        name="providers"
        columns={useColumns()}
        rows={rows}
        news={useNews(['provider'], providers)}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        page={onlyPage}
        empty={{ title: t('providers.none'), description: t('providers.noneText'), action }}
        isVacant={isVacant}
      />
    </>
  )
}
