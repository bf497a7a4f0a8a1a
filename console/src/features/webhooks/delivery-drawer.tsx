import { Button, Code, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Delivery, DeliveryDetails, DeliveryRequest, Webhook } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { headless } from '../../components/dialog.tsx'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { ReplayDialog } from './replay-webhook.views.tsx'
import { Outcome } from './test-webhook.tsx'
import { DeliveryStatus } from './webhook-status.tsx'
import { useDelivery } from './webhooks.queries.ts'
import { useAnswerText, useEventTexts } from './webhooks.texts.ts'
import { FactRow, FactTable } from '../../components/facts.tsx'
import { useRenew } from '../../components/use-renew.ts'

interface DeliveryDrawerProps {
  webhook: Webhook
  delivery: Delivery | undefined
  canManage: boolean
  onClose: () => void
}

/** Keeps the last delivery, so that the drawer shows it until the drawer has closed. */
const useLast = (delivery: Delivery | undefined): Delivery | undefined => {
  const [last, setLast] = useState(delivery)
  if (delivery !== undefined && delivery !== last) setLast(delivery)
  return delivery ?? last
}

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
        attributes={headless}
        title={t('webhooks.delivery', { id: shown?.id })}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {shown && (
          <Stack gap="lg">
            <Title order={2} size="h3" className="breakable">
              {text}
            </Title>
            <Contents
              webhook={webhook}
              delivery={shown}
              canManage={canManage}
              onReplay={() => setReplaying(true)}
            />
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

const DeliveryFacts = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation()
  const answerOf = useAnswerText()
  const { event, status, attempts } = delivery
  return (
    <Part title={t('webhooks.outcome')}>
      <FactTable>
        <FactRow label={t('webhooks.event')}>{event}</FactRow>
        <FactRow label={t('fields.status')}>
          <DeliveryStatus status={status} />
        </FactRow>
        {status === 'dead' && <FactRow label="">{t('webhooks.deadText')}</FactRow>}
        {status === 'failed' && <FactRow label="">{t('webhooks.failedText')}</FactRow>}
        <FactRow label={t('webhooks.answered')}>{answerOf(delivery)}</FactRow>
        <FactRow label={t('webhooks.attempts')}>{attempts}</FactRow>
        <FactRow label={t('webhooks.when')}>
          <MomentAndAgo at={delivery.created_at} />
        </FactRow>
        {delivery.next_attempt_at !== '' && (
          <FactRow label={t('webhooks.nextAttempt')}>
            <MomentAndAgo at={delivery.next_attempt_at} />
          </FactRow>
        )}
        {delivery.delivered_at !== '' && (
          <FactRow label={t('webhooks.deliveredAt')}>
            <MomentAndAgo at={delivery.delivered_at} />
          </FactRow>
        )}
      </FactTable>
    </Part>
  )
}

interface ContentsProps {
  webhook: Webhook
  delivery: Delivery
  canManage: boolean
  onReplay: () => void
}

/** The facts, the attempts with their answers, and the sent request. The row of the list may be older. */
const Contents = (props: ContentsProps) => {
  const { webhook, delivery } = props
  const details = useDelivery(webhook.id, delivery.id)
  return (
    <>
      <DeliveryFacts delivery={details.data ?? delivery} />
      <Loaded query={details} height={200}>
        {(data) => <Sent {...props} details={data} />}
      </Loaded>
    </>
  )
}

const Sent = ({ details, ...props }: ContentsProps & { details: DeliveryDetails }) => {
  const { t } = useTranslation()
  const { history, status, request } = details
  return (
    <>
      {history.length > 0 && (
        <Part title={t('webhooks.attempts')}>
          <Attempts history={history} />
        </Part>
      )}
      {props.canManage && <RepeatDelivery {...props} />}
      <Part title={t(status === 'dead' ? 'webhooks.notSent' : 'webhooks.sent')}>
        <Request delivery={details} request={request} />
      </Part>
    </>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap="xs">
    <Title order={3} size="h5">
      {title}
    </Title>
    {children}
  </Stack>
)

/** The service keeps the last 20 attempts, the newest last. */
const Attempts = ({ history }: Pick<DeliveryDetails, 'history'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const answerOf = useAnswerText()
  return (
    <Stack gap="sm" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {history.toReversed().map((attempt) => (
        <li key={`${attempt.at} ${attempt.duration_ms}`}>
          <Group gap="xs" justify="space-between">
            <Text size="sm" fw={500} {...(attempt.error === '' ? {} : { c: 'var(--text-bad)' })}>
              {answerOf(attempt)}
            </Text>
            <Text size="xs" c="dimmed" className="numbers">
              {format.momentExact(attempt.at)} ·{' '}
              {t('webhooks.ms', { duration: format.count(attempt.duration_ms) })}
            </Text>
          </Group>
          {attempt.response !== '' && (
            <Code block className="whole" mah={120} style={{ overflow: 'auto' }} tabIndex={0}>
              {attempt.response}
            </Code>
          )}
        </li>
      ))}
    </Stack>
  )
}

/** Sends this event again, or replays the webhook from it. */
const RepeatDelivery = ({ webhook, delivery: { id, event_id: recordId }, onReplay }: ContentsProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const sending = useMutation({ mutationFn: () => api.webhooks.resend(webhook.id, id), onSettled: renew })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Button size="xs" loading={sending.isPending} onClick={() => sending.mutate()}>
          {t('webhooks.sendAgain')}
        </Button>
        {recordId !== 0 && (
          <Button size="xs" variant="default" onClick={onReplay}>
            {t('webhooks.replayFrom')}
          </Button>
        )}
      </Group>
      {sending.error && <ErrorPanel error={sending.error} />}
      {sending.data && !sending.isPending && (
        <Outcome outcome={sending.data} taken={t('webhooks.againTaken')} failed={t('webhooks.againFailed')} />
      )}
    </Stack>
  )
}

const Note = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
)

interface RequestProps {
  delivery: Delivery
  request: DeliveryRequest
}

const Request = ({ delivery: { event_id: id }, request: { headers, body } }: RequestProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  return (
    <>
      {headers['webhook-id'] !== '' && <Headers headers={headers} />}
      {body === '' ? (
        <Note
          text={
            can('audit:read') ? t('webhooks.recordAway', { id }) : t('common.needs', { needs: 'audit:read' })
          }
        />
      ) : (
        <JsonView value={JSON.parse(body)} label={t('webhooks.sent')} />
      )}
      {id === 0 && <Note text={t('webhooks.gapText')} />}
      {id !== 0 && body !== '' && (
        <TextLink to="/audit" search={{ id }} size="sm">
          {t('webhooks.toRecord')}
        </TextLink>
      )}
    </>
  )
}

/** The headers without the signatures, which the service does not keep. */
const Headers = ({ headers }: Pick<DeliveryRequest, 'headers'>) => {
  const { t } = useTranslation()
  const text = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  return (
    <Code block className="whole" aria-label={t('webhooks.headers')} role="region">
      {text}
    </Code>
  )
}
