import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { Attempt } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { AttemptFacts, useAttemptText } from './attempt-facts.tsx'

export const TestOutcome = ({ attempt }: { attempt: Attempt }) => {
  const { t } = useTranslation()
  const textOf = useAttemptText()
  const isGood = attempt.outcome === 'test_passed'
  return (
    <Alert
      color={isGood ? 'teal' : 'red'}
      icon={isGood ? <IconCheck /> : <IconAlertTriangle />}
      title={t(isGood ? 'connections.testPassed' : 'connections.testFailed')}
    >
      <Stack gap="sm">
        <Text size="sm">{textOf(attempt)}</Text>
        <AttemptFacts attempt={attempt} />
      </Stack>
    </Alert>
  )
}
