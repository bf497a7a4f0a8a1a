import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Factor, User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewUsers } from '../users/users.queries.ts'
import { FactorList } from './factor-list.tsx'
import { useRenewFactors } from './factors.queries.ts'

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

/** The texts of the question, for one factor or all. */
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
  const notify = useNotify()
  const { api } = useScope()
  const renewFactors = useRenewFactors()
  const renewUsers = useRenewUsers()
  const { done, ...texts } = useTexts(user, removed)
  const removing = useMutation({
    mutationFn: () =>
      removed === 'all' ? api.users.resetFactors(user.id) : api.users.resetFactor(user.id, removed.id),
    onSuccess: async () => {
      onClose()
      notify(done)
      await Promise.all([renewFactors(), renewUsers()])
    },
  })
  return <ConfirmModal opened onClose={onClose} {...mutationProps(removing)} {...texts} />
}
