import { Alert, Badge, Box, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconLock, IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Webhook } from '@tenantry/client'
import { useState } from 'react'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { CopyText } from '../../components/copy-text.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { deletion, MoreMenu } from '../../components/more-menu.tsx'
import { ResourcePage } from '../../components/resource-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { History } from '../audit/history.views.tsx'
import { SamplePayload } from './sample-payload.tsx'
import { NextAttempt, TestWebhook } from './test-webhook.tsx'
import { WebhookStatus } from './webhook-status.tsx'
import { addressOf, nameOfWebhook, stateOf, useLackingFor, useWebhook } from './webhooks.queries.ts'
import { isEditorMissing, useEventTexts, useFaultText, useReason } from './webhooks.texts.ts'
import { useRenew } from '../../components/use-renew.ts'

const EditWebhookDialog = lazyPart(async () => (await import('./create-webhook.views.tsx')).EditWebhookDialog)
const RotateSecretDialog = lazyPart(
  async () => (await import('./create-webhook.views.tsx')).RotateSecretDialog,
)

// Lazy: the list has much code, and is below the facts and the test.
const Deliveries = lazyPart(
  async () => (await import('./deliveries.tsx')).Deliveries,
  <Skeleton height={320} />,
)

const route = getRouteApi('/shell/webhooks/$webhookId')

export const WebhookPage = () => {
  const webhook = useWebhook(Number(route.useParams().webhookId))
  return (
    <ResourcePage of="/webhooks" query={webhook} height={320}>
      {(data) => <WebhookDetails webhook={data} />}
    </ResourcePage>
  )
}

interface WebhookProps {
  webhook: Webhook
}

const WebhookDetails = ({ webhook }: WebhookProps) => {
  const { t } = useTranslation()
  const canManage = useLackingFor()(webhook).length === 0
  const [name, address] = [nameOfWebhook(webhook), addressOf(webhook)]
  return (
    <>
      <PageHeader
        title={name}
        description={name === address ? '' : address}
        marks={<Marks webhook={webhook} />}
        actions={canManage && <WebhookActions webhook={webhook} />}
      />
      <Stack>
        <MissingPermissions webhook={webhook} />
        <StoppedReason webhook={webhook} canManage={canManage} />
        <SimpleGrid cols={{ base: 1, lg: canManage ? 2 : 1 }} style={{ alignItems: 'start' }}>
          <WebhookFacts webhook={webhook} />
          {canManage && (
            <SectionCard title={t('webhooks.testTitle')} hint={t('webhooks.testText')}>
              <TestWebhook
                id={webhook.id}
                isFailing={stateOf(webhook) === 'failing'}
                isNext={stateOf(webhook) === 'untested'}
              />
            </SectionCard>
          )}
        </SimpleGrid>
        <Deliveries webhook={webhook} canManage={canManage} />
        <History resource="webhook" id={webhook.id} hint={t('webhooks.history')} />
      </Stack>
    </>
  )
}

const Marks = ({ webhook }: WebhookProps) => {
  const { t } = useTranslation()
  return (
    <>
      <WebhookStatus webhook={webhook} />
      {webhook.all_tenants && (
        <Badge variant="default" tt="none" fw={500}>
          {t('webhooks.forAll')}
        </Badge>
      )}
    </>
  )
}

/**
 * Names the permissions that the caller lacks for this webhook. The caller's permission to manage webhooks does not
 * suffice.
 */
const MissingPermissions = ({ webhook }: WebhookProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const lacking = useLackingFor()(webhook)
  if (!can('webhook:manage') || lacking.length === 0) return null
  return (
    <Alert color="yellow" icon={<IconLock />} title={t('webhooks.refused')}>
      {t('webhooks.refusedText', { codes: lacking.join(', ') })}
    </Alert>
  )
}

interface TroubleProps extends WebhookProps {
  canManage: boolean
}

/** The reason why nothing is sent, with the next action. */
const StoppedReason = (props: TroubleProps) => {
  const reason = useReason(props.webhook)
  const state = stateOf(props.webhook)
  if (state === 'failing') return <Failing {...props} />
  if (reason === '') return null
  return <Stopped {...props} reason={reason} isUntested={state === 'untested'} />
}

const Failing = ({ webhook, canManage }: TroubleProps) => {
  const { t, gap } = useTranslation()
  const fault = useFaultText()(webhook.last_error ?? '')
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={t('webhooks.failingTitle')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          {fault}
          {gap}
          {t('webhooks.failingText')}
        </Text>
        <NextAttempt webhook={webhook} canManage={canManage} />
      </Stack>
    </Alert>
  )
}

interface StoppedProps extends TroubleProps {
  reason: string
  isUntested: boolean
}

const Stopped = ({ webhook, canManage, reason, isUntested }: StoppedProps) => {
  const { t } = useTranslation()
  const fault = useFaultText()(webhook.last_error ?? '')
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('webhooks.nothingSent')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" className="breakable">
          {reason} {isUntested && canManage && t('webhooks.untestedNext')}
        </Text>
        {isUntested && fault !== '' && (
          <Text size="sm" className="breakable">
            {t('webhooks.lastTest', { fault })}
          </Text>
        )}
        {canManage && isEditorMissing(webhook) && <TakeOver webhook={webhook} />}
      </Stack>
    </Alert>
  )
}

/** Saves the webhook unchanged, with the caller as its editor. */
const TakeOver = ({ webhook: { id } }: WebhookProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  const saving = useMutation({
    mutationFn: () => api.webhooks.update(id, { status: 1 }),
    onSuccess: async () => {
      notify(t('webhooks.takenOver'))
      await renew()
    },
  })
  return (
    <>
      <Text size="sm">{t('webhooks.takeOverText')}</Text>
      <Button size="xs" variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
        {t('webhooks.takeOver')}
      </Button>
      {saving.error && <ErrorPanel error={saving.error} isOfForm />}
    </>
  )
}

interface ActionProps {
  webhook: Webhook
}

/** Also asks before enabling, because waiting events are sent at once. */
const WebhookActions = ({ webhook }: ActionProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const name = nameOfWebhook(webhook)
  const isEnabled = webhook.status === 1
  return (
    <>
      <MoreMenu
        actions={[
          {
            label: t('webhooks.rotate'),
            icon: IconRefresh,
            renderWindow: (onClose) => <RotateSecretDialog webhook={webhook} onClose={onClose} />,
          },
          {
            label: t(isEnabled ? 'webhooks.disable' : 'webhooks.enable'),
            icon: isEnabled ? IconBan : IconCircleCheck,
            renderWindow: (onClose) => <AskStatus webhook={webhook} onClose={onClose} />,
          },
          deletion({
            title: t('webhooks.deleteOne', { name }),
            confirm: t('webhooks.delete'),
            // The host, because a description can be too long to type.
            word: URL.parse(webhook.url)?.host ?? '',
            send: () => api.webhooks.delete(webhook.id),
            leaveTo: '/webhooks',
            done: t('webhooks.deleted', { name }),
            children: t('webhooks.deleteText'),
          }),
        ]}
      />
      <DialogButton variant="default" label={t('webhooks.edit')}>
        {(onClose) => <EditWebhookDialog webhook={webhook} onClose={onClose} />}
      </DialogButton>
    </>
  )
}

const AskStatus = ({ webhook, onClose }: ActionProps & { onClose: () => void }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  // The page reloads the webhook meanwhile, but the question must not change.
  const [status] = useState(webhook.status)
  const isEnabled = status === 1
  const name = nameOfWebhook(webhook)
  return (
    <ConfirmChange
      title={t(isEnabled ? 'webhooks.disableOne' : 'webhooks.enableOne', { name })}
      confirm={t(isEnabled ? 'webhooks.disable' : 'webhooks.enable')}
      {...(isEnabled ? {} : { color: 'accent' })}
      send={() => api.webhooks.update(webhook.id, { status: isEnabled ? 0 : 1 })}
      onClose={onClose}
      done={t(isEnabled ? 'webhooks.disabled' : 'webhooks.enabled')}
    >
      {isEnabled ? t('webhooks.disableText') : t('webhooks.enableText', { count: webhook.backlog })}
    </ConfirmChange>
  )
}

interface FactsProps {
  webhook: Webhook
}

const WebhookFacts = ({ webhook }: FactsProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, url, backlog, created_at, last_delivered_at } = webhook
  return (
    <SectionCard title={t('webhooks.facts')}>
      <Facts>
        <Fact label={t('webhooks.url')} isWide>
          <CopyText text={url} label={t('webhooks.copyUrl')} />
        </Fact>
        <Fact label={t('webhooks.events')} isWide>
          <Events webhook={webhook} />
        </Fact>
        <Fact label={t('webhooks.backlog')} hint={t('webhooks.backlogHint')}>
          {format.count(backlog)}
        </Fact>
        <Fact label={t('webhooks.lastDelivered')}>
          <MomentAndAgo at={last_delivered_at} />
        </Fact>
        <Fact label={t('webhooks.createdAt')}>
          <MomentAndAgo at={created_at} />
        </Fact>
        <Fact label={t('fields.id')}>{id}</Fact>
      </Facts>
      <Box mt="md">
        <SamplePayload events={webhook.events} />
      </Box>
    </SectionCard>
  )
}

const Events = ({ webhook: { events } }: FactsProps) => {
  const textOf = useEventTexts()
  return events.map((event) => (
    <Group key={event} component="span" gap={6}>
      {textOf(event)}
      {event !== '*' && (
        <Text span size="xs" c="dimmed">
          {event}
        </Text>
      )}
    </Group>
  ))
}
