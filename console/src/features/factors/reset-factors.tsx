import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SectionCard } from '../../components/section-card.tsx'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewFactors } from './factors.queries.ts'

/** Helps a user who has lost their factors; the service does not tell others which ones they have. */
export const ResetFactors = ({ user }: { user: User }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewFactors()
  const [isAsked, setAsked] = useState(false)
  const name = nameOf(user)
  const resetting = useMutation({
    mutationFn: () => api.users.resetFactors(user.id),
    onSuccess: async () => {
      setAsked(false)
      notify(t('factors.resetDone', { name }))
      await renew()
    },
  })
  return (
    <SectionCard title={t('factors.title')} hint={t('factors.resetHint')}>
      <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAsked(true)}>
        {t('factors.reset')}
      </Button>
      <ConfirmModal
        opened={isAsked}
        onClose={() => setAsked(false)}
        title={t('factors.resetTitle', { name })}
        confirm={t('factors.reset')}
        onConfirm={() => resetting.mutate()}
        isPending={resetting.isPending}
        error={resetting.error}
      >
        {t('factors.resetText')}
      </ConfirmModal>
    </SectionCard>
  )
}
