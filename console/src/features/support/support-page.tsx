import { Alert, Button, Group, NativeSelect, SegmentedControl, Skeleton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { SupportSession } from '@tenantry/client'
import { Cut, momentColumn } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import type { Empty } from '../../components/empty-list.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { formOf, supportAccess } from '../settings/settings.queries.ts'
import { OpenSessions } from './open-sessions.tsx'
import { SupportBadge, useActorName } from './support-parts.tsx'
import { useOpenSessions, useSupportSessions } from './support-lists.ts'
import { useCanAsk } from './support.queries.ts'
import { statuses, type SupportSearch } from './support.search.ts'

const ProductEntrance = lazyPart(
  async () => (await import('./product-entrance.tsx')).ProductEntrance,
  <Skeleton height={180} />,
)

const route = getRouteApi('/shell/support')

const useSupportColumns = (): Column<SupportSession>[] => {
  const { t } = useTranslation()
  const actorName = useActorName()
  return [
    {
      key: 'actor',
      header: t('support.actor'),
      isFixed: true,
      cell: (session) => (
        <RowLink to="/support/$supportId" params={{ supportId: session.id }}>
          {actorName(session)}
        </RowLink>
      ),
    },
    { key: 'user', header: t('support.user'), isFixed: true, cell: ({ user }) => <Cut text={user.name} /> },
    {
      key: 'status',
      isClear: true,
      width: 9,
      header: t('fields.status'),
      cell: ({ status }) => <SupportBadge status={status} />,
    },
    {
      key: 'kind',
      width: 8,
      header: t('support.kind'),
      cell: ({ kind }) => <Cut text={t(`supportKinds.${kind}`)} />,
    },
    { key: 'reason', header: t('support.reason'), cell: ({ reason }) => <Cut text={reason} /> },
    {
      key: 'decider',
      header: t('support.decidedBy'),
      cell: ({ decided_by: decider }) => <Cut text={decider?.name ?? ''} />,
    },
    momentColumn('created', t('support.asked'), ({ created_at: at }) => at),
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { status, mine } = route.useSearch()
  const filter = useFilterChange<SupportSearch & { search?: string }>()
  return (
    <Group gap="sm">
      {useCanAsk() && (
        <SegmentedControl
          aria-label={t('support.list')}
          value={mine ? 'mine' : 'tenant'}
          data={[
            { value: 'tenant', label: t('support.ofTenant') },
            { value: 'mine', label: t('support.mine') },
          ]}
          onChange={(chosen) => filter({ mine: chosen === 'mine' ? true : undefined })}
        />
      )}
      <NativeSelect
        aria-label={t('fields.status')}
        value={status ?? ''}
        data={[
          { value: '', label: t('support.allStatuses') },
          ...statuses.map((one) => ({ value: one, label: t(`supportStatuses.${one}`) })),
        ]}
        onChange={({ currentTarget: { value } }) => filter({ status: statuses.find((one) => one === value) })}
      />
    </Group>
  )
}

/** Support sessions are asked for on the page of a user. */
const ToUsers = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  const canAsk = useCanAsk()
  return (
    can('user:read') &&
    canAsk && (
      <Button renderRoot={(props: object) => <Link to="/users" {...props} />}>{t('support.toUsers')}</Button>
    )
  )
}

const useEmpty = (): Empty => {
  const { t } = useTranslation()
  const { status, mine } = route.useSearch()
  const navigate = route.useNavigate()
  const canAsk = useCanAsk()
  if (status !== undefined) {
    return {
      title: t('support.noneFound'),
      action: <ClearFilters onClick={() => void navigate({ search: { mine } })} />,
    }
  }
  return {
    title: t('support.none'),
    description: t(canAsk ? 'support.noneText' : 'support.noneAsked'),
    action: <ToUsers />,
  }
}

const Lists = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const empty = useEmpty()
  const rows = useSupportSessions(search)
  const columns = useSupportColumns()
  // The open sessions would push the list down.
  if (useOpenSessions().isPending) return <Skeleton height={480} />
  return (
    <>
      <OpenSessions />
      <DataTable
        label={t('support.list')}
        name="support"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ actor }) => actor.name}
        page={search}
        toolbar={<Filters />}
        empty={empty}
      />
    </>
  )
}

/** Leads to the rules of the organization. */
const ToRules = () => {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    can('setting:read') && (
      <Button
        variant="default"
        renderRoot={(props: object) => (
          <Link to="/settings" search={formOf(supportAccess.key) ?? {}} {...props} />
        )}
      >
        {t('support.rules')}
      </Button>
    )
  )
}

/** Questions and running support sessions, and the list of all; or the question of a product. */
export const SupportPage = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const { entrance } = route.useLoaderData()
  if (entrance && search.support_session === entrance.supportId) {
    return (
      <>
        <PageHeader title={t('places.support')} />
        <ProductEntrance entrance={entrance} />
      </>
    )
  }
  return (
    <>
      <PageHeader title={t('places.support')} description={t('support.about')} actions={<ToRules />} />
      {search.ended !== undefined && (
        <Alert icon={<IconInfoCircle />} title={t('support.endedHere')} mb="lg" role="status">
          {t('support.endedHereText')}
        </Alert>
      )}
      <Lists />
    </>
  )
}
