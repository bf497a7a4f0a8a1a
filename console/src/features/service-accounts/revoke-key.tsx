import { useMutation } from '@tanstack/react-query'
import type { Key } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useAgo } from '../../components/ago.tsx'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { useRenewAccounts } from './service-accounts.queries.ts'

interface RevokeKeyProps {
  accountId: number
  revoked: Key
  onClose: () => void
}

export const RevokeKey = ({
  accountId,
  revoked: { id, name, last_used_at: at },
  onClose,
}: RevokeKeyProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewAccounts()
  const revoking = useMutation({
    mutationFn: () => api.serviceAccounts.keys.delete({ accountId, keyId: id }),
    onSuccess: async () => {
      onClose()
      notify(t('serviceAccounts.revoked', { name }))
      await renew()
    },
  })
  const ago = useAgo(at)
  const used = at === '' ? t('serviceAccounts.neverUsed') : t('serviceAccounts.usedAgo', { ago })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('serviceAccounts.revokeOne', { name })}
      confirm={t('serviceAccounts.revoke')}
      {...mutationProps(revoking)}
    >
      {t('serviceAccounts.revokeText')} {used}
    </ConfirmModal>
  )
}
