import { Alert, Button, Group, List, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { connectionOnly, useCanWrite, usePutSetting, useSettings } from '../settings/settings.queries.ts'
import { BreakGlass } from './break-glass.tsx'

/** The setting that lets people in by a connection alone, and the users whom it excepts. */
export const OnlyConnection = ({ canChange }: { canChange: boolean }) => {
  const { t } = useTranslation()
  const canRead = useMe().can('setting:read')
  const { data, error, refetch } = useSettings('tenant', canRead)
  const isRequired = data?.some(({ key, value }) => key === connectionOnly.key && value === connectionOnly.on)
  return (
    <SectionCard title={t('onlyConnection.only')} hint={t('onlyConnection.onlyHint')}>
      <Stack>
        {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {canRead && !data && !error && <Skeleton height={60} />}
        {isRequired !== undefined && <State isRequired={isRequired} canChange={canChange} />}
        <BreakGlass canChange={canChange} />
      </Stack>
    </SectionCard>
  )
}

interface StateProps {
  isRequired: boolean
  canChange: boolean
}

const State = ({ isRequired, canChange }: StateProps) => {
  const { t } = useTranslation()
  const canWrite = useCanWrite('tenant') && canChange
  return (
    <Stack gap="sm">
      {isRequired ? (
        <Alert color="teal" title={t('onlyConnection.isOnly')}>
          {t('onlyConnection.isOnlyText')}
        </Alert>
      ) : (
        <Alert color="gray" title={t('onlyConnection.isNotOnly')}>
          {t('onlyConnection.isNotOnlyText')}
        </Alert>
      )}
      {canWrite && <Change isRequired={isRequired} />}
    </Stack>
  )
}

const Change = ({ isRequired }: Pick<StateProps, 'isRequired'>) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      {!isRequired && <Conditions />}
      <Group>
        <Button variant="default" onClick={() => setAsked(true)}>
          {t(isRequired ? 'onlyConnection.makeOptional' : 'onlyConnection.makeOnly')}
        </Button>
      </Group>
      {isAsked && <Ask isRequired={isRequired} onClose={() => setAsked(false)} />}
    </>
  )
}

const Conditions = () => {
  const { t } = useTranslation()
  return (
    <div>
      <Text size="sm">{t('onlyConnection.onlyNeeds')}</Text>
      <List type="ordered" size="sm" spacing={4} mt={4}>
        <List.Item>{t('onlyConnection.needsActive')}</List.Item>
        <List.Item>{t('onlyConnection.needsBreakGlass')}</List.Item>
        <List.Item>{t('onlyConnection.needsOwnSession')}</List.Item>
      </List>
    </div>
  )
}

const Ask = ({ isRequired, onClose }: { isRequired: boolean; onClose: () => void }) => {
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
      onConfirm={() => put.mutate({ key, value: isRequired ? off : on })}
      isPending={put.isPending}
      error={put.error}
      {...(isRequired && { color: 'indigo' })}
    >
      {t(isRequired ? 'onlyConnection.makeOptionalText' : 'onlyConnection.makeOnlyText')}
    </ConfirmModal>
  )
}
