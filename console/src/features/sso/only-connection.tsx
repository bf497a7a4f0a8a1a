import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { Connection, Exemption } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmButton } from '../../components/confirm-change.tsx'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useFormat } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import {
  connectionOnly,
  useCanConfigure,
  useIsConnectionOnly,
  usePutSetting,
  useSettings,
} from '../settings/settings.queries.ts'
import { type Condition, Conditions, useConditions } from './conditions.tsx'
import { useExemptions, useRequirementEffect } from './sso.queries.ts'

const ExemptDialog = lazyPart(async () => (await import('./exempt-dialog.tsx')).ExemptDialog)

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
  /** Undefined for callers who may not see the setting. */
  isRequired: boolean | undefined
  exemptions: Exemption[]
  conditions: Condition[]
  canChange: boolean
}

const RequirementForm = ({ isRequired, exemptions, conditions, canChange }: RequirementFormProps) => {
  const canWrite = useCanConfigure('tenant') && canChange
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
      {isAsked && <ConfirmRequirement isRequired={isRequired} onClose={() => setAsked(false)} />}
    </>
  )
}

const ConfirmRequirement = ({ onClose, ...asked }: { isRequired: boolean; onClose: () => void }) => {
  const { t } = useTranslation()
  // The setting changes before the dialog is closed, and the question stays.
  const [isRequired] = useState(asked.isRequired)
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
      {...(isRequired && { color: 'accent' })}
    >
      {isRequired ? (
        t('onlyConnection.makeOptionalText')
      ) : (
        <>
          <Ending />
          {t('onlyConnection.makeOnlyText')}
        </>
      )}
    </ConfirmModal>
  )
}

/** The sessions that the requirement ends, and their people. */
const Ending = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useRequirementEffect()
  if (!data) return <Skeleton height={22} />
  const { users, sessions } = data
  return (
    <Text fw={500} mb="xs">
      {t('onlyConnection.ending', {
        sessions: t('onlyConnection.sessions', { count: sessions, shown: format.count(sessions) }),
        people: t('onlyConnection.people', { count: users, shown: format.count(users) }),
      })}
    </Text>
  )
}

/** docs/contract.md: the limit of a tenant. */
const exemptionsMax = 3

interface BreakGlassProps {
  exemptions: Exemption[]
  canChange: boolean
}

/** The users who may sign in without a connection, even if the tenant requires one. */
const BreakGlass = ({ exemptions, canChange }: BreakGlassProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="sm">
      <div>
        <Title order={3} size="h5">
          {t('onlyConnection.breakGlass')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('onlyConnection.breakGlassHint')}
        </Text>
      </div>
      {exemptions.length === 0 && <Text size="sm">{t('onlyConnection.noBreakGlass')}</Text>}
      {exemptions.map((exemption) => (
        <OneUser key={exemption.user_id} exemption={exemption} canChange={canChange} />
      ))}
      {canChange && exemptions.length < exemptionsMax && (
        <Group>
          <DialogButton size="xs" variant="default" label={t('onlyConnection.addBreakGlass')}>
            {(onClose) => <ExemptDialog onClose={onClose} />}
          </DialogButton>
        </Group>
      )}
    </Stack>
  )
}

const OneUser = ({ exemption, canChange }: { exemption: Exemption; canChange: boolean }) => {
  const { t } = useTranslation()
  const { username, email, has_factor: hasFactor } = exemption
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text size="sm" fw={500} className="breakable">
          {username}
        </Text>
        <Text size="sm" c="dimmed" className="breakable">
          {email}
        </Text>
        {!hasFactor && (
          <Text size="sm" c="var(--text-bad)">
            {t('onlyConnection.breakGlassNoFactor')}
          </Text>
        )}
      </div>
      {canChange && <Remove exemption={exemption} />}
    </Group>
  )
}

const Remove = ({ exemption: { user_id: id, username: name } }: { exemption: Exemption }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmButton
      isDeletion
      size="xs"
      label={t('onlyConnection.removeBreakGlassOf', { name })}
      title={t('onlyConnection.removeBreakGlassTitle', { name })}
      confirm={t('onlyConnection.removeBreakGlass')}
      send={() => api.sso.putExemption(id, { exempt: false })}
      done={t('onlyConnection.breakGlassRemoved')}
    >
      {t('onlyConnection.removeBreakGlassText')}
    </ConfirmButton>
  )
}
