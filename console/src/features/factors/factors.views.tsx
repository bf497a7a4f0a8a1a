import { Button, Group, Stack, Text } from '@mantine/core'
import type { Factor, User } from '@tenantry/client'
import { useState } from 'react'
import { useAgo } from '../../components/ago.tsx'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { nameOf, useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'

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
  return (
    <ConfirmChange
      send={() =>
        removed === 'all' ? api.users.resetFactors(user.id) : api.users.resetFactor(user.id, removed.id)
      }
      onClose={onClose}
      {...useTexts(user, removed)}
    />
  )
}
