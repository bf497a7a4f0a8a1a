import { useMutation } from '@tanstack/react-query'
import type { User } from '@tenantry/client'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useRenewUsers } from '../users/users.queries.ts'
import { useRenewSso } from './sso.queries.ts'

/** Unlinks a user from the provider. The next sign-in links again, by the same rules. */
export const Unlink = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renewSso = useRenewSso()
  const renewUsers = useRenewUsers()
  const unlinking = useMutation({
    mutationFn: () => api.sso.unlinkUser(user.id),
    onSuccess: async () => {
      onClose()
      notify(t('onlyConnection.unlinked'))
      await Promise.all([renewSso(), renewUsers(user.id)])
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('onlyConnection.unlinkTitle', { name: nameOf(user) })}
      confirm={t('users.unlink')}
      {...mutationProps(unlinking)}
    >
      {t('onlyConnection.unlinkText')}
    </ConfirmModal>
  )
}
