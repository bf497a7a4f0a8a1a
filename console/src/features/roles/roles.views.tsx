import { Stack, Text, type ComboboxLikeRenderOptionInput, type ComboboxItem } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiError, type Role, type User } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { mutationProps } from '../../components/confirm-modal.tsx'
import { useErrorText } from '../../components/error-text.ts'
import { useNotify } from '../../components/use-notify.ts'
import { nameOf } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useLacking, useRenewRoles } from './roles.queries.ts'

export { DraftBar } from './draft-bar.tsx'
export { isOfProduct, modulesOf } from './modules.ts'
export { PermissionGroups } from './permission-groups.tsx'

/** Options for `Select`. Disables roles with permissions that the caller lacks, which the service would refuse. */
export const useRoleOptions = (roles: Role[]) => {
  const { t } = useTranslation()
  const lacking = useLacking()
  const reasonOf = (role: Role): string | undefined => {
    const codes = lacking([role])
    return codes.length > 0 ? t('users.roleLacking', { codes: codes.join(', ') }) : undefined
  }
  const options = roles.map((role) => {
    const reason = reasonOf(role)
    return { value: String(role.id), label: role.name, disabled: reason !== undefined, reason, role }
  })
  const byValue = new Map(options.map((option) => [option.value, option]))
  const renderOption = ({ option }: ComboboxLikeRenderOptionInput<ComboboxItem>) => (
    <Stack gap={0} miw={0}>
      <Text size="sm" className="breakable">
        {option.label}
      </Text>
      <Text size="xs" c="dimmed">
        {byValue.get(option.value)?.reason ?? byValue.get(option.value)?.role.description}
      </Text>
    </Stack>
  )
  return { data: options.map(({ value, label, disabled }) => ({ value, label, disabled })), renderOption }
}

const isHeld = (error: unknown): boolean => error instanceof ApiError && error.reason === 'roleAlreadyHeld'

/** Assigns roles one after the other, and continues after a failure. Resolves to the last refusal. */
export const useGiveRoles = () => {
  const { api } = useScope()
  const textOf = useErrorText()
  return async (userId: number, roleIds: string[]): Promise<string | undefined> => {
    let refusal: string | undefined
    for (const id of roleIds) {
      await api.roles.assign({ userId, roleId: Number(id) }).catch((error: unknown) => {
        if (!isHeld(error)) refusal = textOf(error)
      })
    }
    return refusal
  }
}

/** A user, or a service account with its name as `username`. */
export type RoleHolder = Pick<User, 'id' | 'nickname' | 'status' | 'username'>

interface TakeRoleProps {
  user: RoleHolder
  role: Role
  onClose: () => void
}

/** Asks first, and names the permissions that the user loses. */
export const TakeRole = ({ user, role, onClose }: TakeRoleProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewRoles()
  const taking = useMutation({
    mutationFn: () => api.roles.unassign({ userId: user.id, roleId: role.id }),
    onSuccess: async () => {
      onClose()
      notify(t('users.roleTaken'))
      await renew()
    },
  })
  return (
    <ConfirmChanges
      changes={[{ kind: 'unassign_role', user_id: user.id, role_id: role.id }]}
      onClose={onClose}
      title={t('users.takeRoleFrom', { role: role.name, name: nameOf(user) })}
      confirm={t('users.take')}
      {...mutationProps(taking)}
    >
      {t('users.takeRoleText')}
    </ConfirmChanges>
  )
}
