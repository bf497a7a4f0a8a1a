import { Alert, Button, Code, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { WebhookTest } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewWebhooks } from './webhooks.queries.ts'
import { useFaultText } from './webhooks.texts.ts'

/** Sends a test, and shows its outcome with the beginning of the answer. */
export const TestWebhook = ({ id }: { id: number }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const renew = useRenewWebhooks()
  const testing = useMutation({ mutationFn: () => api.webhooks.test(id), onSuccess: renew })
  const { data, error, isPending } = testing
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" loading={isPending} onClick={() => testing.mutate()}>
        {t('webhooks.test')}
      </Button>
      {error && <ErrorPanel error={error} />}
      {data && !isPending && (
        <Outcome outcome={data} taken={t('webhooks.testTaken')} failed={t('webhooks.testFailed')} />
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
