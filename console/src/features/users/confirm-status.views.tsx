import type { User } from '@tenantry/client'
import { useChange } from '../../components/confirm-change.tsx'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useSessionsOfUser } from '../sessions/sessions.queries.ts'

interface ConfirmProps {
  user: User
  onClose: () => void
}

/** Asks first, and shows the permissions that the user gains or loses. */
export const ConfirmStatus = ({ status, ...props }: ConfirmProps & { status: 0 | 1 }) =>
  status === 1 ? <ConfirmEnable {...props} /> : <ConfirmDisable {...props} />

const ConfirmEnable = ({ user, onClose }: ConfirmProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const change = useChange({
    send: () => api.users.update(user.id, { status: 1 }),
    onClose,
    done: t('users.enabled', { count: 1, name: nameOf(user) }),
  })
  return (
    <ConfirmChanges
      changes={[{ kind: 'set_user_status', user_id: user.id, status: 1 }]}
      title={t('users.enableOne', { name: nameOf(user) })}
      confirm={t('users.enable')}
      color="accent"
      {...change}
    >
      {t('users.enableText')}
    </ConfirmChanges>
  )
}

/** Also shows the number of sessions that end. */
const ConfirmDisable = ({ user, onClose }: ConfirmProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const { data: sessions = [], isPending } = useSessionsOfUser(user.id)
  const count = sessions.length
  const change = useChange({
    send: () => api.users.update(user.id, { status: 0 }),
    onClose,
    done:
      count === 0
        ? t('users.disabled', { count: 1, name: nameOf(user) })
        : t('userStatus.out', { count, name: nameOf(user) }),
  })
  return (
    <ConfirmChanges
      isReading={isPending}
      changes={[{ kind: 'set_user_status', user_id: user.id, status: 0 }]}
      title={t('users.disableOne', { name: nameOf(user) })}
      confirm={t('users.disable')}
      {...change}
    >
      {count === 0 ? t('users.disableText') : t('users.disableOneText', { count })}
    </ConfirmChanges>
  )
}
