import type { User } from '@tenantry/client'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChange } from '../../components/confirm-change.tsx'

/** Unlinks a user from the provider. The next sign-in links the user again, by the same rules. */
export const Unlink = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmChange
      title={t('onlyConnection.unlinkTitle', { name: nameOf(user) })}
      confirm={t('users.unlink')}
      send={() => api.sso.unlinkUser(user.id)}
      onClose={onClose}
      done={t('onlyConnection.unlinked')}
    >
      {t('onlyConnection.unlinkText')}
    </ConfirmChange>
  )
}
