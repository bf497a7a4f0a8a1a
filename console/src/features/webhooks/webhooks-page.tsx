import { Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Webhook } from '@tenantry/client'
import type { ReactNode } from 'react'
import { DataTable } from '../../components/data-table.tsx'
import { useDialogButton } from '../../components/use-dialog-button.tsx'
import type { Empty } from '../../components/empty-list.tsx'
import { FilterPill } from '../../components/filter-pill.tsx'
import { HelpLink } from '../../components/help-link.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { placeAction } from '../../components/place-action.tsx'
import { pageOf } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { WebhookStatus } from './webhook-status.tsx'
import { addressOf, isTroubled, nameOfWebhook, useLackingFor, useWebhooks } from './webhooks.queries.ts'
import { useTrouble } from './webhooks.texts.ts'
import { Cut, Numbers, momentColumn, idColumn } from '../../components/cells.tsx'

const CreateWebhookDialog = lazyPart(
  async () => (await import('./create-webhook.views.tsx')).CreateWebhookDialog,
)

const route = getRouteApi('/shell/webhooks')

interface CellProps {
  webhook: Webhook
}

const Name = ({ webhook }: CellProps) => {
  const [name, address] = [nameOfWebhook(webhook), addressOf(webhook)]
  return (
    <Stack gap={0}>
      <RowLink to="/webhooks/$webhookId" params={{ webhookId: String(webhook.id) }}>
        {name}
      </RowLink>
      {name !== address && (
        <Text size="xs" c="dimmed" className="cut" title={address}>
          {address}
        </Text>
      )}
    </Stack>
  )
}

/** Shows the whole reason, because users notice a stopped webhook in this list. */
const Status = ({ webhook }: CellProps) => (
  <Stack gap={2} align="flex-start">
    <WebhookStatus webhook={webhook} />
    <Text size="xs" c="dimmed" className="breakable">
      {useTrouble(webhook)}
    </Text>
  </Stack>
)

const useWebhookColumns = (): Column<Webhook>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  return [
    { key: 'name', header: t('webhooks.one'), isFixed: true, cell: (webhook) => <Name webhook={webhook} /> },
    {
      key: 'status',
      isClear: true,
      width: 16,
      header: t('fields.status'),
      cell: (webhook) => <Status webhook={webhook} />,
    },
    {
      key: 'events',
      header: t('webhooks.events'),
      cell: ({ events }) => <Cut text={events.includes('*') ? t('common.all') : events.join(', ')} />,
    },
    {
      key: 'backlog',
      width: 7,
      header: t('webhooks.backlog'),
      cell: ({ backlog }) => <Numbers>{format.count(backlog)}</Numbers>,
    },
    momentColumn('delivered', t('webhooks.lastDelivered'), ({ last_delivered_at: at }) => at),
    idColumn(t('fields.id')),
  ]
}

/** A tenant has at most 20 webhooks, so the list has one page. */
const onlyPage = {}

/** The webhooks of the list, and whether a filter chose them. */
const useRows = () => {
  const webhooks = useWebhooks()
  const { failing: isFiltered = false } = route.useSearch()
  const shown = isFiltered ? webhooks.data?.filter(isTroubled) : webhooks.data
  return { rows: { ...webhooks, data: shown && pageOf(shown, onlyPage) }, isFiltered }
}

const FailingFilter = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return <FilterPill text={t('webhooks.failingOnly')} onRemove={() => void navigate({ search: {} })} />
}

const useEmpty = (action: ReactNode, isFiltered: boolean): Empty => {
  const { t } = useTranslation()
  if (isFiltered) return { title: t('webhooks.noneFailing') }
  return {
    title: t('webhooks.none'),
    description: t(action ? 'webhooks.noneText' : 'webhooks.noneToRead'),
    action: (
      <>
        {action}
        <HelpLink to="webhooks" />
      </>
    ),
  }
}

export const WebhooksPage = () => {
  const { t } = useTranslation()
  const { rows, isFiltered } = useRows()
  const canCreate = useLackingFor()({ all_tenants: false }).length === 0
  const { button, opened } = useDialogButton(t('places.createWebhook'), (onClose) => (
    <CreateWebhookDialog onClose={onClose} />
  ))
  const action = canCreate && button
  const { isVacant, inHeader } = placeAction(rows, isFiltered, action)
  return (
    <>
      <PageHeader title={t('places.webhooks')} description={t('webhooks.about')} actions={inHeader} />
      <DataTable
        label={t('places.webhooks')}
        name="webhooks"
        columns={useWebhookColumns()}
        rows={rows}
        news={useNews(['webhook'], rows)}
        idOf={({ id }) => id}
        nameOf={nameOfWebhook}
        page={onlyPage}
        toolbar={isFiltered && <FailingFilter />}
        empty={useEmpty(action, isFiltered)}
        isVacant={isVacant}
      />
      {opened}
    </>
  )
}
