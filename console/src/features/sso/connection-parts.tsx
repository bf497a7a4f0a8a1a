import type { Connection } from '@tenantry/client'
import { Stack, Text, UnstyledButton } from '@mantine/core'
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

/**
 * The address of the service's metadata, which is also its entity id. It differs from the callback only in the last
 * segment.
 */
const metadataOf = ({ callback_url: url }: Connection): string => url.replace(/\/acs$/, '/metadata')

export const Addresses = ({ connection }: { connection: Connection }) => {
  const { t } = useTranslation()
  const { type, callback_url: url } = connection
  if (type === 'oidc') {
    return <CopyLine label={t('connections.redirect')} text={url} copy={t('connections.copyRedirect')} />
  }
  const ours = metadataOf(connection)
  return (
    <Stack gap="sm">
      <CopyLine label={t('connections.entityId')} text={ours} copy={t('connections.copyEntityId')} />
      <CopyLine label={t('connections.acs')} text={url} copy={t('connections.copyAcs')} />
      <CopyLine label={t('connections.ourMetadata')} text={ours} copy={t('connections.copyMetadata')} />
    </Stack>
  )
}
