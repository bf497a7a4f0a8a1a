import type { Role } from '@tenantry/client'
import { useChange } from '../../components/confirm-change.tsx'
import { nameOf } from '../../format.ts'
import { systemRoleIds } from '../../session/built-in.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useHolders } from './roles.queries.ts'
import type { RoleHolder } from './roles.views.tsx'

interface TakeRoleProps {
  user: RoleHolder
  role: Role
  onClose: () => void
}

/** Asks first, and names the permissions that the user loses. */
export const TakeRole = ({ user, role, onClose }: TakeRoleProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const isAdmin = role.id === systemRoleIds.admin
  const { data, isLoading } = useHolders(role.id, { page: 1 }, isAdmin)
  const isLast = data?.total === 1
  return (
    <ConfirmChanges
      isReading={isLoading}
      changes={[{ kind: 'unassign_role', user_id: user.id, role_id: role.id }]}
      title={t('users.takeRoleFrom', { role: role.name, name: nameOf(user) })}
      confirm={t('users.take')}
      {...(isLast && { word: role.name })}
      {...useChange({
        send: () => api.roles.unassign({ userId: user.id, roleId: role.id }),
        onClose,
        done: t('users.roleTaken'),
      })}
    >
      {t(isLast ? 'users.takeLastAdmin' : 'users.takeRoleText')}
    </ConfirmChanges>
  )
}
