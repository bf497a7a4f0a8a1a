import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Delivery, Webhook } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { Outcome } from './test-webhook.tsx'
import { useDeliveries, useRenewWebhooks } from './webhooks.queries.ts'

interface NextAttemptProps {
  webhook: Webhook
  canManage: boolean
}

/** The time of the next attempt, with a button that tries at once. */
export const NextAttempt = ({ webhook: { id }, canManage }: NextAttemptProps) => {
  const { t } = useTranslation()
  const [waiting] = useDeliveries(id, { status: 'pending', size: 1 }).data?.items ?? []
  if (!waiting) return null
  return (
    <>
      <Text size="sm" className="numbers">
        {t('webhooks.nextAttempt')}: <MomentAndAgo at={waiting.next_attempt_at} />
      </Text>
      {canManage && <TryNow webhookId={id} delivery={waiting} />}
    </>
  )
}

const TryNow = ({ webhookId, delivery: { id } }: { webhookId: number; delivery: Delivery }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewWebhooks()
  const trying = useMutation({
    mutationFn: () => api.webhooks.resend(webhookId, id),
    onSuccess: ({ error }) => {
      if (error === '') notify(t('webhooks.tried'))
    },
    onSettled: renew,
  })
  const { data, error, isPending } = trying
  return (
    <>
      <Button size="xs" variant="default" loading={isPending} onClick={() => trying.mutate()}>
        {t('webhooks.tryNow')}
      </Button>
      {error && <ErrorPanel error={error} />}
      {data && !isPending && data.error !== '' && (
        <Outcome outcome={data} taken="" failed={t('webhooks.againFailed')} />
      )}
    </>
  )
}
