import { Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { laterSteps, type LaterStep } from './sso.search.ts'

interface StepsProps {
  current: 1 | LaterStep
  /** Absent before there is a draft. */
  onChoose?: (step: LaterStep) => void
}

const all = [1, ...laterSteps] as const

/** The four steps to a connection, and which of them is shown. */
export const Steps = ({ current, onChoose }: StepsProps) => {
  const { t } = useTranslation()
  return (
    <Group component="ol" className="steps" gap="xs" m={0} mb="lg" p={0} aria-label={t('connections.steps')}>
      {all.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} className="step">
          <Step step={step} {...(onChoose && step !== 1 && { onChoose: () => onChoose(step) })} />
        </li>
      ))}
    </Group>
  )
}

const Step = ({ step, onChoose }: { step: 1 | LaterStep; onChoose?: () => void }) => {
  const { t } = useTranslation()
  const label = (
    <Stack gap={0} component="span">
      <Text span size="xs" c="dimmed">
        {t('connections.step', { step })}
      </Text>
      <Text span size="sm" fw={500}>
        {t(`connections.step${step}`)}
      </Text>
    </Stack>
  )
  return onChoose ? <UnstyledButton onClick={onChoose}>{label}</UnstyledButton> : label
}
