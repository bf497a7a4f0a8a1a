import { Stack, Text } from '@mantine/core'
import type { Webhook } from '@tenantry/client'
import { DataTable } from '../../components/data-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { HelpLink } from '../../components/help-link.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { pageOf } from '../../components/page-search.ts'
import type { Column } from '../../components/table-model.ts'
import { RowLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useTranslation } from '../../translation.ts'
import { WebhookStatus } from './webhook-status.tsx'
import { addressOf, nameOfWebhook, useLackingFor, useWebhooks } from './webhooks.queries.ts'
import { useTrouble } from './webhooks.texts.ts'
import { Cut, Numbers, momentColumn, idColumn } from '../../components/cells.tsx'

const CreateWebhookDialog = lazyPart(
  async () => (await import('./create-webhook.views.tsx')).CreateWebhookDialog,
)

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

export const WebhooksPage = () => {
  const { t } = useTranslation()
  const webhooks = useWebhooks()
  const canCreate = useLackingFor()({ all_tenants: false }).length === 0
  return (
    <>
      <PageHeader
        title={t('places.webhooks')}
        description={t('webhooks.about')}
        actions={
          canCreate && (
            <DialogButton label={t('places.createWebhook')}>
              {(onClose) => <CreateWebhookDialog onClose={onClose} />}
            </DialogButton>
          )
        }
      />
      <DataTable
        label={t('places.webhooks')}
        name="webhooks"
        columns={useWebhookColumns()}
        rows={{ ...webhooks, data: webhooks.data && pageOf(webhooks.data, onlyPage) }}
        news={useNews(['webhook'], webhooks)}
        idOf={({ id }) => id}
        nameOf={nameOfWebhook}
        page={onlyPage}
        empty={{
          title: t('webhooks.none'),
          description: t(canCreate ? 'webhooks.noneText' : 'webhooks.noneToRead'),
          action: <HelpLink to="webhooks" />,
        }}
      />
    </>
  )
}
