import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { Exemption } from '@tenantry/client'
import { useState } from 'react'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useTranslation } from '../../translation.ts'
import { usePutExemption } from './exemptions.queries.ts'

const ExemptDialog = lazyPart(async () => (await import('./exempt-dialog.tsx')).ExemptDialog)

/** docs/contract.md: the limit of a tenant. */
const exemptionsMax = 3

interface BreakGlassProps {
  exemptions: Exemption[]
  canChange: boolean
}

/** The users who may sign in without a connection although the tenant requires one. */
export const BreakGlass = ({ exemptions, canChange }: BreakGlassProps) => {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
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
          <Button size="xs" variant="default" onClick={() => setAdding(true)}>
            {t('onlyConnection.addBreakGlass')}
          </Button>
        </Group>
      )}
      {isAdding && <ExemptDialog onClose={() => setAdding(false)} />}
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

const Remove = ({ exemption: { user_id: id, username } }: { exemption: Exemption }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isAsked, setAsked] = useState(false)
  const removing = usePutExemption(() => {
    setAsked(false)
    notify(t('onlyConnection.breakGlassRemoved'))
  })
  return (
    <>
      <Button
        size="xs"
        color="red"
        variant="light"
        aria-label={t('onlyConnection.removeBreakGlassOf', { name: username })}
        onClick={() => setAsked(true)}
      >
        {t('onlyConnection.removeBreakGlass')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('onlyConnection.removeBreakGlassTitle', { name: username })}
        confirm={t('onlyConnection.removeBreakGlass')}
        {...mutationProps(removing, { id, exempt: false })}
      >
        {t('onlyConnection.removeBreakGlassText')}
      </ConfirmModal>
    </>
  )
}
