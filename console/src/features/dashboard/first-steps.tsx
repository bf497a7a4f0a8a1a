import { Anchor, Button, Card, Group, List, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from '../../translation.ts'
import { TextLink } from '../../components/text-link.tsx'
import { useSteps, type Step } from './use-steps.ts'

/** The steps of the first week. Calls `onDone` once all are done, or when the user hides them. */
export const FirstSteps = ({ onDone }: { onDone: () => void }) => {
  const { t } = useTranslation()
  const steps = useSteps()
  const isKnown = steps.every(({ isDone }) => isDone !== undefined)
  const done = steps.filter(({ isDone }) => isDone).length
  const isOver = isKnown && done === steps.length
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
          <StepItem key={step.title} {...step} />
        ))}
      </List>
    </Card>
  )
}

const StepItem = (step: Step) => {
  const { hint, isDone } = step
  const { t } = useTranslation()
  const Mark = isDone ? IconCircleCheckFilled : IconCircle
  return (
    <List.Item icon={<Mark size={20} className={isDone ? 'done' : 'open'} aria-hidden />}>
      {isDone && <VisuallyHidden>{t('dashboard.stepDone')} </VisuallyHidden>}
      <StepTitle {...step} />
      {!isDone && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
    </List.Item>
  )
}

const StepTitle = ({ title, to, search = {}, isDone }: Step) => {
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
