import { Anchor, Button, Card, Group, List, Text, Title } from '@mantine/core'
import { useEffect, useLayoutEffect } from 'react'
import { useTranslation } from '../../translation.ts'
import { StepItem } from '../../components/step-item.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useOnboardingSteps, type OnboardingStep } from './use-steps.ts'

interface FirstStepsProps {
  /** Called before the page is painted, once it is known which steps are done. */
  onKnown: () => void
  /** Called when all steps are done or the user hides them. */
  onDone: () => void
}

export const FirstSteps = ({ onKnown, onDone }: FirstStepsProps) => {
  const { t } = useTranslation()
  const steps = useOnboardingSteps()
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  const done = steps.filter(({ isDone }) => isDone).length
  const isOver = isKnown && done === steps.length
  useLayoutEffect(() => {
    if (isKnown) onKnown()
  }, [isKnown, onKnown])
  useEffect(() => {
    if (isOver) onDone()
  }, [isOver, onDone])
  if (!isKnown || isOver) return null
  return (
    <Card withBorder padding="lg" component="section">
      <Group justify="space-between" align="flex-start" mb="sm" gap="sm">
        <div>
          <Title order={2} size="h4">
            {t('dashboard.firstSteps')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('common.progress', { done, total: steps.length })} ·{' '}
            <Anchor href="/docs" target="_blank" size="sm" underline="always">
              {t('places.reference')}
            </Anchor>
          </Text>
        </div>
        <Button size="compact-sm" variant="default" onClick={onDone}>
          {t('dashboard.hideSteps')}
        </Button>
      </Group>
      <List listStyleType="none" className="steps" aria-label={t('dashboard.firstSteps')}>
        {steps.map((step) => (
          <FirstStep key={step.title} {...step} />
        ))}
      </List>
    </Card>
  )
}

const FirstStep = (step: OnboardingStep) => {
  const { hint, isDone = false } = step
  const { t } = useTranslation()
  return (
    <StepItem isDone={isDone} sign={isDone && t('dashboard.stepDone')} title={<StepTitle {...step} />}>
      {!isDone && hint}
    </StepItem>
  )
}

const StepTitle = ({ title, to, search = {}, isDone }: OnboardingStep) => {
  if (to && !isDone) {
    return (
      <TextLink to={to} search={search} size="sm" fw={500}>
        {title}
      </TextLink>
    )
  }
  return (
    <Text size="sm" fw={500} c={isDone ? 'dimmed' : 'inherit'}>
      {title}
    </Text>
  )
}
