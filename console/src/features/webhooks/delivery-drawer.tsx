import { Button, Drawer, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import type { Delivery, Webhook } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MomentAndAgo } from '../../components/ago.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useRecord } from '../audit/audit.queries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import { DeliveryStatus } from './webhook-status.tsx'
import { useAnswerText, useEventTexts } from './webhooks.texts.ts'

interface DeliveryDrawerProps {
  webhook: Webhook
  delivery: Delivery | undefined
  canManage: boolean
  onClose: () => void
}

/** Keeps the last delivery, so that the drawer shows it until it has closed. */
const useLast = (delivery: Delivery | undefined): Delivery | undefined => {
  const [last, setLast] = useState(delivery)
  if (delivery !== undefined && delivery !== last) setLast(delivery)
  return delivery ?? last
}

/** One delivery: what was sent, and what was answered. */
export const DeliveryDrawer = ({ webhook, delivery, canManage, onClose }: DeliveryDrawerProps) => {
  const { t } = useTranslation()
  const shown = useLast(delivery)
  const text = useEventTexts()(shown?.event ?? '')
  const [isReplaying, setReplaying] = useState(false)
  return (
    <>
      <Drawer
        opened={delivery !== undefined}
        onClose={onClose}
        // Escape closes only the window above.
        closeOnEscape={!isReplaying}
        position="right"
        size="lg"
        title={t('webhooks.delivery', { id: shown?.id })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {shown && (
          <Stack gap="lg">
            <Title order={2} size="h3" className="breakable">
              {text}
            </Title>
            <Outcome delivery={shown} />
            <Sent delivery={shown} onReplay={canManage ? () => setReplaying(true) : undefined} />
          </Stack>
        )}
      </Drawer>
      {shown && isReplaying && (
        <ReplayDialog
          webhooks={[webhook]}
          record={{ id: shown.event_id, event: shown.event }}
          onClose={() => setReplaying(false)}
        />
      )}
    </>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Table.Tr>
    <Table.Th w={130} fw={400} c="dimmed">
      {label}
    </Table.Th>
    <Table.Td>{children}</Table.Td>
  </Table.Tr>
)

const Outcome = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation()
  const answerOf = useAnswerText()
  const { event, status, attempts } = delivery
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('webhooks.outcome')}
      </Title>
      <Table className="facts" withRowBorders={false} verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          <Fact label={t('webhooks.event')}>{event}</Fact>
          <Fact label={t('fields.status')}>
            <DeliveryStatus status={status} />
          </Fact>
          {status === 'dead' && <Fact label="">{t('webhooks.deadText')}</Fact>}
          {status === 'failed' && <Fact label="">{t('webhooks.failedText')}</Fact>}
          <Fact label={t('webhooks.answered')}>{answerOf(delivery)}</Fact>
          <Fact label={t('webhooks.attempts')}>{attempts}</Fact>
          <Fact label={t('webhooks.when')}>
            <MomentAndAgo at={delivery.created_at} />
          </Fact>
          {delivery.next_attempt_at !== '' && (
            <Fact label={t('webhooks.nextAttempt')}>
              <MomentAndAgo at={delivery.next_attempt_at} />
            </Fact>
          )}
          {delivery.delivered_at !== '' && (
            <Fact label={t('webhooks.deliveredAt')}>
              <MomentAndAgo at={delivery.delivered_at} />
            </Fact>
          )}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}

interface SentProps {
  delivery: Delivery
  /** Undefined for callers who may not replay. */
  onReplay: (() => void) | undefined
}

const Sent = (props: SentProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { event_id: id, status } = props.delivery
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t(status === 'dead' ? 'webhooks.notSent' : 'webhooks.sent')}
      </Title>
      {id === 0 ? (
        <Note text={t('webhooks.gapText')} />
      ) : can('audit:read') ? (
        <SentRecord {...props} />
      ) : (
        <Note text={t('common.needs', { needs: 'audit:read' })} />
      )}
    </Stack>
  )
}

const Note = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
)

/** The body as the service sends it, made of the record, which never changes. */
const SentRecord = ({ delivery: { event_id: id }, onReplay }: SentProps) => {
  const { t } = useTranslation()
  const { data, error } = useRecord(id)
  if (error && !data) return <Note text={t('webhooks.recordAway', { id })} />
  if (!data) return <Skeleton height={200} />
  return (
    <>
      <JsonView value={{ type: data.action, timestamp: data.created_at, data }} label={t('webhooks.sent')} />
      <Group gap="md">
        <TextLink to="/audit" search={{ id }} size="sm">
          {t('webhooks.toRecord')}
        </TextLink>
        {onReplay && (
          <Button size="xs" variant="default" onClick={onReplay}>
            {t('webhooks.replayFrom')}
          </Button>
        )}
      </Group>
    </>
  )
}
