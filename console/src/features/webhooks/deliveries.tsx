import { Box, NativeSelect, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Delivery, Webhook } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ClearFilters } from '../../components/clear-filters.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import type { Column } from '../../components/table-model.ts'
import { TextLink } from '../../components/text-link.tsx'
import { DeliveryStatus } from './webhook-status.tsx'
import { useDeliveries } from './webhooks.queries.ts'
import { deliveryStates } from './webhooks.search.ts'
import { useAnswerText, useEventTexts } from './webhooks.texts.ts'
import { DialogButton } from '../../components/dialog-button.tsx'
import { Cut, Numbers, momentColumn } from '../../components/cells.tsx'

// Lazy, because most visits open no delivery and replay nothing.
const DeliveryDrawer = lazyPart(async () => (await import('./delivery-drawer.tsx')).DeliveryDrawer)
const ReplayDialog = lazyPart(async () => (await import('./replay-webhook.views.tsx')).ReplayDialog)

const route = getRouteApi('/shell/webhooks/$webhookId')

/** The link to the delivery covers its whole row. */
const Event = ({ delivery: { id, event } }: { delivery: Delivery }) => {
  const { t } = useTranslation()
  const text = useEventTexts()(event)
  return (
    <Stack gap={0}>
      <TextLink
        to="."
        search={(others) => ({ ...others, id })}
        resetScroll={false}
        className="row-link subject"
        title={text}
        size="sm"
        c="inherit"
        underline="never"
      >
        <VisuallyHidden>{t('webhooks.openDelivery')} </VisuallyHidden>
        {text}
      </TextLink>
      {text !== event && (
        <Text size="xs" c="dimmed">
          {event}
        </Text>
      )}
    </Stack>
  )
}

const useDeliveryColumns = (): Column<Delivery>[] => {
  const { t } = useTranslation()
  const answerOf = useAnswerText()
  return [
    {
      key: 'event',
      header: t('webhooks.event'),
      isFixed: true,
      cell: (delivery) => <Event delivery={delivery} />,
    },
    {
      key: 'status',
      isClear: true,
      width: 8,
      header: t('fields.status'),
      cell: ({ status }) => <DeliveryStatus status={status} />,
    },
    {
      key: 'answer',
      width: 12,
      header: t('webhooks.answered'),
      cell: (delivery) => <Cut text={answerOf(delivery)} />,
    },
    {
      key: 'attempts',
      width: 6.5,
      header: t('webhooks.attempts'),
      cell: ({ attempts }) => <Numbers>{attempts}</Numbers>,
    },
    momentColumn('created', t('webhooks.when'), ({ created_at: at }) => at),
    {
      key: 'record',
      width: 7,
      header: t('webhooks.record'),
      isHidden: true,
      cell: ({ event_id: id }) => <Numbers>{id === 0 ? '–' : id}</Numbers>,
    },
  ]
}

const StatusChoice = () => {
  const { t } = useTranslation()
  const { status } = route.useSearch()
  const navigate = route.useNavigate()
  const filter = (chosen: string | null): void =>
    // With another filter, the list starts at its first page, and the open delivery closes.
    void navigate({
      search: ({ size }) => ({ size, status: deliveryStates.find((state) => state === chosen) }),
      replace: true,
      resetScroll: false,
    })
  return (
    <NativeSelect
      aria-label={t('fields.status')}
      w={170}
      data={[
        { value: 'all', label: t('common.all') },
        ...deliveryStates.map((value) => ({ value, label: t(`deliveryStates.${value}`) })),
      ]}
      value={status ?? 'all'}
      onChange={({ currentTarget }) => filter(currentTarget.value)}
    />
  )
}

const Replay = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation()
  return (
    <DialogButton size="xs" variant="default" label={t('webhooks.replay')}>
      {(onClose) => <ReplayDialog webhooks={[webhook]} onClose={onClose} />}
    </DialogButton>
  )
}

interface DeliveriesProps {
  webhook: Webhook
  canManage: boolean
}

export const Deliveries = ({ webhook, canManage }: DeliveriesProps) => {
  const { t } = useTranslation()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const deliveries = useDeliveries(webhook.id, search)
  const [hasOpened, setOpened] = useState(false)
  if (search.id !== undefined && !hasOpened) setOpened(true)
  return (
    <Box component="section">
      <DataTable
        label={t('webhooks.deliveries')}
        name="deliveries"
        columns={useDeliveryColumns()}
        rows={deliveries}
        idOf={({ id }) => id}
        nameOf={({ event }) => event}
        page={search}
        toolbar={
          <>
            <Title order={2} size="h4">
              {t('webhooks.deliveries')}
            </Title>
            <StatusChoice />
            {canManage && <Replay webhook={webhook} />}
          </>
        }
        empty={
          search.status === undefined
            ? { title: t('webhooks.noDeliveries'), description: t('webhooks.noDeliveriesText') }
            : {
                title: t('webhooks.noneFound'),
                action: <ClearFilters onClick={() => void navigate({ search: {}, resetScroll: false })} />,
              }
        }
      />
      {hasOpened && (
        <DeliveryDrawer
          webhook={webhook}
          delivery={deliveries.data?.items.find(({ id }) => id === search.id)}
          canManage={canManage}
          onClose={() =>
            void navigate({ search: (others) => ({ ...others, id: undefined }), resetScroll: false })
          }
        />
      )}
    </Box>
  )
}
