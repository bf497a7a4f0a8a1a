import { Button, Group, Stack, Text } from '@mantine/core'
import type { Factor, User } from '@tenantry/client'
import { useState } from 'react'
import { useAgo } from '../../components/ago.tsx'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SectionCard } from '../../components/section-card.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { useAuthOptions } from '../../session/me.ts'
import { canUsePasskeys } from '../../session/passkey.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewUsers } from '../users/users.queries.ts'
import { useFactors, useRenewFactors } from './factors.queries.ts'

const AddTotp = lazyPart(async () => (await import('./add-totp.tsx')).AddTotp)
const AddPasskey = lazyPart(async () => (await import('./factor-dialogs.tsx')).AddPasskey)
const RemoveFactor = lazyPart(async () => (await import('./factor-dialogs.tsx')).RemoveFactor)
const NewCodes = lazyPart(async () => (await import('./factor-dialogs.tsx')).NewCodes)

export const FactorsCard = () => {
  const { t } = useTranslation()
  return (
    <SectionCard title={t('factors.title')} hint={t('factors.text')}>
      <OwnFactors />
    </SectionCard>
  )
}

/** The caller's own second factors, with buttons that add and remove them. */
const OwnFactors = () => {
  const factors = useFactors()
  return (
    <Loaded query={factors} height={80}>
      {(data) => <FactorsAndCodes factors={data.factors} left={data.recovery_codes_left} />}
    </Loaded>
  )
}

const FactorsAndCodes = ({ factors, left }: { factors: Factor[]; left: number }) => {
  const { t } = useTranslation()
  const [removed, setRemoved] = useState<Factor>()
  return (
    <Stack>
      {factors.length === 0 ? (
        <Text size="sm">{t('factors.none')}</Text>
      ) : (
        <FactorList factors={factors} onRemove={setRemoved} />
      )}
      {factors.length > 0 && <Codes left={left} />}
      <Adding />
      {removed && <RemoveFactor factor={removed} onClose={() => setRemoved(undefined)} />}
    </Stack>
  )
}

const Codes = ({ left }: { left: number }) => {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm">{t('factors.codesLeft', { count: left })}</Text>
      <DialogButton size="xs" variant="default" label={t('factors.newCodes')}>
        {(onClose) => <NewCodes onClose={onClose} />}
      </DialogButton>
    </Group>
  )
}

const Adding = () => {
  const { t } = useTranslation()
  const hasPasskeys = useAuthOptions().data?.passkeys === true && canUsePasskeys()
  return (
    <Group gap="sm">
      <DialogButton variant="default" label={t('factors.addTotp')}>
        {(onClose) => <AddTotp onClose={onClose} />}
      </DialogButton>
      {hasPasskeys && (
        <DialogButton variant="default" label={t('factors.addPasskey')}>
          {(onClose) => <AddPasskey onClose={onClose} />}
        </DialogButton>
      )}
    </Group>
  )
}

interface FactorListProps {
  factors: Factor[]
  /** Absent if the caller cannot remove the factors. */
  onRemove?: ((factor: Factor) => void) | undefined
}

const FactorList = ({ factors, onRemove }: FactorListProps) => {
  const { t } = useTranslation()
  return (
    <Stack gap="md" component="ul" aria-label={t('factors.title')} m={0} p={0} style={{ listStyle: 'none' }}>
      {factors.map((factor) => (
        <Group
          key={factor.id}
          component="li"
          justify="space-between"
          align="flex-start"
          gap="sm"
          wrap="nowrap"
        >
          <FactorFacts factor={factor} />
          {onRemove && (
            <Button
              size="xs"
              variant="default"
              flex="none"
              aria-label={t('factors.removeOne', { name: factor.name })}
              onClick={() => onRemove(factor)}
            >
              {t('factors.remove')}
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  )
}

const FactorFacts = ({ factor }: { factor: Factor }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, type, created_at: added, last_used_at: used } = factor
  const ago = useAgo(used)
  return (
    <Stack gap={2} miw={0}>
      <Text size="sm" fw={500} className="breakable">
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {[
          t(type === 'totp' ? 'factors.kind.totp' : 'factors.kind.passkey'),
          used === '' ? t('factors.neverUsed') : t('factors.used', { ago }),
        ].join(' · ')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('factors.added', { moment: format.moment(added) })}
      </Text>
    </Stack>
  )
}

interface FactorsOfUserProps {
  user: User
  factors: Factor[]
  canChange: boolean
}

/** The second factors of a user. An administrator removes them for a user who has lost them. */
export const FactorsOfUser = ({ user, factors, canChange }: FactorsOfUserProps) => {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<Factor | 'all'>()
  return (
    <Stack>
      {factors.length === 0 ? (
        <Text size="sm">{t('factors.noneOfUser')}</Text>
      ) : (
        <FactorList factors={factors} onRemove={canChange ? setAsked : undefined} />
      )}
      {canChange && factors.length > 1 && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setAsked('all')}
        >
          {t('factors.reset')}
        </Button>
      )}
      {asked && <RemoveFactors user={user} removed={asked} onClose={() => setAsked(undefined)} />}
    </Stack>
  )
}

interface RemoveFactorsProps {
  user: User
  removed: Factor | 'all'
  onClose: () => void
}

/** The texts of the question about removing one factor or all. */
const useTexts = (user: User, removed: RemoveFactorsProps['removed']) => {
  const { t } = useTranslation()
  const name = nameOf(user)
  if (removed === 'all') {
    return {
      title: t('factors.resetTitle', { name }),
      confirm: t('factors.reset'),
      children: t('factors.resetText'),
      done: t('factors.resetDone', { name }),
    }
  }
  const factor = removed.name
  return {
    title: t('factors.removeOfTitle', { factor, name }),
    confirm: t('factors.remove'),
    children: t('factors.removeOfText'),
    done: t('factors.isRemoved', { name: factor }),
  }
}

const RemoveFactors = ({ user, removed, onClose }: RemoveFactorsProps) => {
  const { api } = useScope()
  const renewFactors = useRenewFactors()
  const renewUsers = useRenewUsers()
  return (
    <ConfirmChange
      send={() =>
        removed === 'all' ? api.users.resetFactors(user.id) : api.users.resetFactor(user.id, removed.id)
      }
      onClose={onClose}
      renew={() => Promise.all([renewFactors(), renewUsers()])}
      {...useTexts(user, removed)}
    />
  )
}
