import { Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from '../../translation.ts'
import { laterSteps, type LaterStep } from './sso.search.ts'

interface StepsProps {
  current: 1 | LaterStep
  /** Absent before there is a draft. */
  onChoose?: (step: LaterStep) => void
}

const all = [1, ...laterSteps] as const

export const Steps = ({ current, onChoose }: StepsProps) => {
  const { t } = useTranslation()
  return (
    <ol className="set-up-steps" aria-label={t('connections.steps')}>
      {all.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} className="step">
          <Step step={step} {...(onChoose && step !== 1 && { onChoose: () => onChoose(step) })} />
        </li>
      ))}
    </ol>
  )
}

const Step = ({ step, onChoose }: { step: 1 | LaterStep; onChoose?: () => void }) => {
  const { t } = useTranslation()
  const label = (
    <>
      <Text span display="block" size="xs" c="dimmed">
        {t('connections.step', { step })}
      </Text>
      <Text span display="block" size="sm" fw={500}>
        {t(`connections.step${step}`)}
      </Text>
    </>
  )
  return onChoose ? <UnstyledButton onClick={onChoose}>{label}</UnstyledButton> : <span>{label}</span>
}
