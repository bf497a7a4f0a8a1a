import { useMutation } from '@tanstack/react-query'
import type { Grant } from '@tenantry/client'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewGrants } from './grants.queries.ts'

interface RevokeGrantProps {
  grant: Grant
  revoke: (id: number) => Promise<unknown>
  onClose: () => void
}

export const RevokeGrant = ({ grant, revoke, onClose }: RevokeGrantProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewGrants()
  const { name } = grant.application
  const revoking = useMutation({
    mutationFn: () => revoke(grant.id),
    onSuccess: () => {
      onClose()
      notify(t('grants.revoked', { name }))
    },
    // After a failure as well: a consent that was revoked meanwhile must leave the list.
    onSettled: renew,
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('grants.revokeTitle', { name })}
      confirm={t('grants.revoke')}
      {...mutationProps(revoking)}
    >
      {t('grants.revokeText')}
    </ConfirmModal>
  )
}
