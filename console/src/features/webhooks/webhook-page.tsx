import { Alert, Badge, Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Webhook } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { History } from '../audit/history.views.tsx'
import { NextAttempt } from './next-attempt.tsx'
import { stateOf } from './webhook-states.ts'
import { TestWebhook } from './test-webhook.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookStatus } from './webhook-status.tsx'
import { useLackingFor, useRenewWebhooks, useWebhook } from './webhooks.queries.ts'
import { isEditorMissing, useFaultText, useReason } from './webhooks.texts.ts'
import { addressOf, nameOfWebhook } from './webhook-names.ts'

// Lazy: the list is much code, and comes below the facts and the test.
const Deliveries = lazyPart(
  async () => (await import('./deliveries.tsx')).Deliveries,
  <Skeleton height={320} />,
)

const route = getRouteApi('/shell/webhooks/$webhookId')

export const WebhookPage = () => {
  const { t } = useTranslation()
  const { data: webhook, error, refetch } = useWebhook(Number(route.useParams().webhookId))
  return (
    <>
      <BackLink to="/webhooks">{t('places.webhooks')}</BackLink>
      {webhook ? (
        <WebhookDetails webhook={webhook} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
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
              <TestWebhook id={webhook.id} />
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

/** Names the permissions that a caller lacks for this webhook, although they may manage webhooks. */
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

/** Why nothing is sent, with the next action. */
const StoppedReason = ({ webhook, canManage }: WebhookProps & { canManage: boolean }) => {
  const { t, gap } = useTranslation()
  const reason = useReason(webhook)
  const fault = useFaultText()(webhook.last_error ?? '')
  if (stateOf(webhook) === 'failing') {
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
  if (reason === '') return null
  const isUntested = stateOf(webhook) === 'untested'
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('webhooks.nothingSent')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" className="breakable">
          {reason} {isUntested && canManage && t('webhooks.untestedNext')}
        </Text>
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
  const renew = useRenewWebhooks()
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
      {saving.error && <ErrorPanel error={saving.error} />}
    </>
  )
}
