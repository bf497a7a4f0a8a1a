import type { Connection } from '@tenantry/client'
import { Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { CopyLine } from '../../components/copy-text.tsx'
import { useTranslation } from '../../translation.ts'
import { type LaterStep, laterSteps } from './sso.search.ts'

interface StepsProps {
  current: 1 | LaterStep
  /** Absent until the draft exists. */
  onChoose?: (step: LaterStep) => void
}

const all = [1, ...laterSteps] as const

export const Steps = ({ current, onChoose }: StepsProps) => {
  const { t } = useTranslation()
  return (
    <ol className="set-up-steps" aria-label={t('connections.steps')}>
      {all.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined} className="step">
          <Step
            step={step}
            isDone={step < current}
            {...(onChoose && step !== 1 && { onChoose: () => onChoose(step) })}
          />
        </li>
      ))}
    </ol>
  )
}

interface StepProps {
  step: 1 | LaterStep
  isDone: boolean
  onChoose?: () => void
}

const Step = ({ step, isDone, onChoose }: StepProps) => {
  const { t } = useTranslation()
  const label = (
    <>
      <Text span display="block" size="xs" c="dimmed">
        {t('connections.step', { step })}
        {isDone && (
          <>
            {' '}
            <IconCheck size={14} aria-hidden />
            <VisuallyHidden>{t('connections.isDone')}</VisuallyHidden>
          </>
        )}
      </Text>
      <Text span display="block" size="sm" fw={500}>
        {t(`connections.step${step}`)}
      </Text>
    </>
  )
  return onChoose ? <UnstyledButton onClick={onChoose}>{label}</UnstyledButton> : <span>{label}</span>
}

interface StepAreaProps {
  step: LaterStep
  children: ReactNode
}

/** Takes the focus at each further step: the button that led there is gone. */
export const StepArea = ({ step, children }: StepAreaProps) => {
  const { t } = useTranslation()
  const area = useRef<HTMLDivElement>(null)
  const seen = useRef(step)
  useEffect(() => {
    if (seen.current !== step) area.current?.focus()
    seen.current = step
  }, [step])
  return (
    <div ref={area} tabIndex={-1} role="group" aria-label={t('connections.step', { step })}>
      {children}
    </div>
  )
}

/**
 * The address of the service's metadata, which is also its entity id. It differs from the callback only in the last
 * segment.
 */
const metadataOf = (url: string): string => url.replace(/\/acs$/, '/metadata')

/** The part of a connection that its provider needs. It is known before the connection exists. */
export type Addressed = Pick<Connection, 'type' | 'callback_url'>

export const Addresses = ({ connection: { type, callback_url: url } }: { connection: Addressed }) => {
  const { t } = useTranslation()
  if (type === 'oidc') {
    return <CopyLine label={t('connections.redirect')} text={url} copy={t('connections.copyRedirect')} />
  }
  const ours = metadataOf(url)
  return (
    <Stack gap="sm">
      <CopyLine label={t('connections.entityId')} text={ours} copy={t('connections.copyEntityId')} />
      <CopyLine label={t('connections.acs')} text={url} copy={t('connections.copyAcs')} />
      <CopyLine label={t('connections.ourMetadata')} text={ours} copy={t('connections.copyMetadata')} />
    </Stack>
  )
}
