import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core'
import type { Connection, Exemption } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import {
  connectionOnly,
  useCanWrite,
  useIsConnectionOnly,
  usePutSetting,
  useSettings,
} from '../settings/settings.queries.ts'
import { BreakGlass } from './break-glass.tsx'
import { Conditions, useConditions, type Condition } from './conditions.tsx'
import { useExemptions } from './exemptions.queries.ts'

interface OnlyConnectionProps {
  connections: Connection[]
  canChange: boolean
}

/** The setting that requires a connection for every sign-in, and the exempt users. */
export const OnlyConnection = (props: OnlyConnectionProps) => {
  const { t } = useTranslation()
  const canRead = useMe().can('setting:read')
  const settings = useSettings('tenant', canRead)
  const exemptions = useExemptions()
  const conditions = useConditions(props.connections, exemptions.data)
  const failed = [settings, exemptions].find(({ error, data }) => error && !data)
  const isLoaded = settings.data !== undefined || !canRead
  const isRequired = useIsConnectionOnly()
  return (
    <SectionCard title={t('onlyConnection.only')} hint={t('onlyConnection.onlyHint')}>
      {failed && <ErrorPanel error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed &&
        (isLoaded && exemptions.data && conditions ? (
          <RequirementForm
            {...props}
            isRequired={isRequired}
            exemptions={exemptions.data}
            conditions={conditions}
          />
        ) : (
          <Skeleton height={320} />
        ))}
    </SectionCard>
  )
}

interface RequirementFormProps {
  /** Undefined for callers who may not see it. */
  isRequired: boolean | undefined
  exemptions: Exemption[]
  conditions: Condition[]
  canChange: boolean
}

const RequirementForm = ({ isRequired, exemptions, conditions, canChange }: RequirementFormProps) => {
  const canWrite = useCanWrite('tenant') && canChange
  return (
    <Stack>
      {isRequired !== undefined && <State isRequired={isRequired} />}
      <BreakGlass exemptions={exemptions} canChange={canChange} />
      {isRequired !== undefined && canWrite && (
        <ChangeRequirement isRequired={isRequired} conditions={conditions} />
      )}
    </Stack>
  )
}

const State = ({ isRequired }: { isRequired: boolean }) => {
  const { t } = useTranslation()
  return isRequired ? (
    <Alert color="teal" title={t('onlyConnection.isOnly')}>
      {t('onlyConnection.isOnlyText')}
    </Alert>
  ) : (
    <Alert color="gray" title={t('onlyConnection.isNotOnly')}>
      {t('onlyConnection.isNotOnlyText')}
    </Alert>
  )
}

interface ChangeRequirementProps {
  isRequired: boolean
  conditions: Condition[]
}

const ChangeRequirement = ({ isRequired, conditions }: ChangeRequirementProps) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const isPossible = isRequired || conditions.every(({ isMet }) => isMet)
  return (
    <>
      {!isRequired && <Conditions conditions={conditions} />}
      <Group>
        <Button variant="default" disabled={!isPossible} onClick={() => setAsked(true)}>
          {t(isRequired ? 'onlyConnection.makeOptional' : 'onlyConnection.makeOnly')}
        </Button>
      </Group>
      {isAsked && <ConfirmChange isRequired={isRequired} onClose={() => setAsked(false)} />}
    </>
  )
}

const ConfirmChange = ({ isRequired, onClose }: { isRequired: boolean; onClose: () => void }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { key, on, off } = connectionOnly
  const put = usePutSetting('tenant', () => {
    onClose()
    notify(t(isRequired ? 'onlyConnection.madeOptional' : 'onlyConnection.madeOnly'))
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t(isRequired ? 'onlyConnection.makeOptionalTitle' : 'onlyConnection.makeOnlyTitle')}
      confirm={t(isRequired ? 'onlyConnection.makeOptional' : 'onlyConnection.makeOnly')}
      {...mutationProps(put, { key, value: isRequired ? off : on })}
      {...(isRequired && { color: 'indigo' })}
    >
      {t(isRequired ? 'onlyConnection.makeOptionalText' : 'onlyConnection.makeOnlyText')}
    </ConfirmModal>
  )
}
