import type { User } from '@tenantry/client'
import { useChange } from '../../components/confirm-change.tsx'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useSessionsOfUser } from '../sessions/sessions.queries.ts'

interface ConfirmStatusProps {
  user: User
  status: 0 | 1
  onClose: () => void
}

/** Asks first, with the number of sessions that end and the permissions that the user gains or loses. */
export const ConfirmStatus = ({ user, status, onClose }: ConfirmStatusProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const isEnabling = status === 1
  const { data: sessions = [] } = useSessionsOfUser(user.id)
  const disableText =
    sessions.length === 0 ? t('users.disableText') : t('users.disableOneText', { count: sessions.length })
  return (
    <ConfirmChanges
      changes={[{ kind: 'set_user_status', user_id: user.id, status }]}
      title={t(isEnabling ? 'users.enableOne' : 'users.disableOne', { name: nameOf(user) })}
      confirm={t(isEnabling ? 'users.enable' : 'users.disable')}
      {...(isEnabling && { color: 'accent' })}
      {...useChange({
        send: () => api.users.update(user.id, { status }),
        onClose,
        done: t(isEnabling ? 'users.enabled' : 'users.disabled', { count: 1 }),
      })}
    >
      {isEnabling ? t('users.enableText') : disableText}
    </ConfirmChanges>
  )
}
