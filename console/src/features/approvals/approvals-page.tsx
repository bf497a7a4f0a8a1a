import { Button, NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Approval } from '@tenantry/client'
import { Cut, momentColumn } from '../../components/cells.tsx'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import type { Empty } from '../../components/empty-list.tsx'
import { Policies } from './policies.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFilterChange } from '../../components/use-page-change.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { ApprovalBadge } from './approval-parts.tsx'
import { useApprovals } from './approvals.queries.ts'
import { useChangeName } from './change-name.ts'
import { statuses, type ApprovalsSearch } from './approvals.search.ts'
import { ReadyNote } from './ready-note.tsx'

const route = getRouteApi('/shell/approvals')

const useApprovalColumns = (): Column<Approval>[] => {
  const { t } = useTranslation()
  const nameOf = useChangeName()
  return [
    {
      key: 'what',
      header: t('approvals.what'),
      isFixed: true,
      cell: (approval) => (
        <RowLink to="/approvals/$approvalId" params={{ approvalId: String(approval.id) }}>
          {nameOf(approval)}
        </RowLink>
      ),
    },
    { key: 'reason', header: t('approvals.reason'), cell: ({ reason }) => <Cut text={reason} /> },
    {
      key: 'by',
      width: 10,
      header: t('approvals.askedBy'),
      cell: ({ requested_by: by }) => <Cut text={by.name} />,
    },
    {
      key: 'status',
      isClear: true,
      width: 9,
      header: t('fields.status'),
      cell: ({ status }) => <ApprovalBadge status={status} />,
    },
    momentColumn('asked', t('approvals.asked'), ({ created_at: at }) => at),
    momentColumn('expires', t('approvals.expires'), ({ expires_at: at }) => at),
  ]
}

const Filters = () => {
  const { t } = useTranslation()
  const { status } = route.useSearch()
  const filter = useFilterChange<ApprovalsSearch & { search?: string }>()
  return (
    <NativeSelect
      aria-label={t('fields.status')}
      value={status ?? 'pending'}
      data={[
        ...statuses.map((one) => ({ value: one, label: t(`approvalStatuses.${one}`) })),
        { value: 'all', label: t('approvals.all') },
      ]}
      onChange={({ currentTarget: { value } }) =>
        filter({ status: (value === 'pending' ? undefined : value) as ApprovalsSearch['status'] })
      }
    />
  )
}

const useEmpty = (): Empty => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  if (status !== undefined) {
    return {
      title: t('approvals.noneFound'),
      action: <ClearFilters onClick={() => void navigate({ search: {} })} />,
    }
  }
  return {
    title: t('approvals.none'),
    description: t('approvals.noneText'),
    action: can('approval:manage') && (
      <Button onClick={() => void navigate({ search: { tab: 'policies' } })}>
        {t('approvals.toPolicies')}
      </Button>
    ),
  }
}

const Requests = () => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const approvals = useApprovals(search)
  const empty = useEmpty()
  return (
    <>
      {search.status === undefined && <ReadyNote />}
      <DataTable
        label={t('places.approvals')}
        name="approvals"
        columns={useApprovalColumns()}
        rows={approvals}
        news={useNews(['approval'], approvals)}
        idOf={({ id }) => id}
        nameOf={({ reason }) => reason}
        page={search}
        toolbar={<Filters />}
        empty={empty}
      />
    </>
  )
}

/** Changes that wait for approval, and the policies that ask for it. */
export const ApprovalsPage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { can } = useMe()
  const search = route.useSearch()
  const tab = can('approval:read') ? (search.tab ?? 'requests') : 'requests'
  return (
    <>
      <PageHeader title={t('places.approvals')} description={t('approvals.about')} />
      {can('approval:read') ? (
        <PageTabs
          tab={tab}
          titles={{ requests: t('approvals.requests'), policies: t('approvals.policies') }}
          label={t('places.approvals')}
          onChange={(chosen) => void navigate({ search: chosen === 'policies' ? { tab: chosen } : {} })}
        >
          {tab === 'policies' ? <Policies /> : <Requests />}
        </PageTabs>
      ) : (
        <Requests />
      )}
    </>
  )
}
