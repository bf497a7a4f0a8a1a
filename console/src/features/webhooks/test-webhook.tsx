import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Delivery, Webhook, WebhookTest } from '@tenantry/client'
import { MomentAndAgo } from '../../components/ago.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useDeliveries } from './webhooks.queries.ts'
import { useFaultText } from './webhooks.texts.ts'
import { useRenew } from '../../components/use-renew.ts'

interface TestProps {
  id: number
  isFailing?: boolean
  /** True before the first passed test, which everything waits for. */
  isNext?: boolean
}

/** Sends a test, and shows its outcome with the beginning of the answer. */
export const TestWebhook = ({ id, isFailing = false, isNext = false }: TestProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenew()
  const testing = useMutation({ mutationFn: () => api.webhooks.test(id), onSuccess: renew })
  const { data, error, isPending } = testing
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant={isNext ? 'filled' : 'default'} loading={isPending} onClick={() => testing.mutate()}>
        {t('webhooks.test')}
      </Button>
      {error && <ErrorPanel error={error} />}
      {data && !isPending && (
        <Outcome
          outcome={data}
          taken={t(isFailing ? 'webhooks.testFollows' : 'webhooks.testTaken')}
          failed={t('webhooks.testFailed')}
        />
      )}
    </Stack>
  )
}

interface OutcomeProps {
  outcome: WebhookTest
  taken: string
  failed: string
}

/** The outcome of one attempt, with the beginning of the answer. */
export const Outcome = ({ outcome, taken, failed }: OutcomeProps) => {
  const { t, gap } = useTranslation()
  const format = useFormat()
  const faultOf = useFaultText()
  const { status, error, duration_ms: ms, answer } = outcome
  const isTaken = error === ''
  return (
    <Alert
      w="100%"
      color={isTaken ? 'teal' : 'red'}
      icon={isTaken ? <IconCheck /> : <IconAlertTriangle />}
      title={isTaken ? taken : failed}
    >
      <Stack gap="xs">
        <Text size="sm" className="numbers">
          {isTaken ? t('webhooks.answerWas', { status }) : faultOf(error)}
          {gap}
          {t('webhooks.took', { duration: format.count(ms) })}
        </Text>
        {answer !== '' && (
          <>
            <Text size="sm" c="dimmed">
              {t('webhooks.answer')}
            </Text>
            <Code block className="whole" mah={240} style={{ overflow: 'auto' }} tabIndex={0}>
              {answer}
            </Code>
          </>
        )}
      </Stack>
    </Alert>
  )
}

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
  const renew = useRenew()
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
      <Button size="xs" loading={isPending} onClick={() => trying.mutate()}>
        {t('webhooks.tryNow')}
      </Button>
      {error && <ErrorPanel error={error} />}
      {data && !isPending && data.error !== '' && (
        <Outcome outcome={data} taken="" failed={t('webhooks.againFailed')} />
      )}
    </>
  )
}
