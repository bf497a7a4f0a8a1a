import { useNavigate } from '@tanstack/react-router'
import type { Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { useErrorText } from '../../components/error-text.ts'
import { NamedForm } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useChange } from '../../components/confirm-change.tsx'
import { useRenew } from '../../components/use-renew.ts'

/** The service's limit (docs/contract.md, "Roles and permissions"). */
const nameMax = 64

interface RoleDialogProps {
  role: Role
  onClose: () => void
}

/** Closes the window, opens the page of the new role, and confirms the creation. */
const useLead = (onClose: () => void) => {
  const notify = useNotify()
  const navigate = useNavigate()
  const renew = useRenew()
  return async ({ id }: Role, text: string): Promise<void> => {
    // The window closes first, because it holds its typed text.
    onClose()
    await renew()
    await navigate({ to: '/roles/$roleId', params: { roleId: String(id) } })
    notify(text)
  }
}

export const CreateRole = ({ onClose }: Pick<RoleDialogProps, 'onClose'>) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const leadTo = useLead(onClose)
  return (
    <NamedForm
      title={t('places.createRole')}
      submit={t('places.createRole')}
      onClose={onClose}
      send={async (values) => {
        const role = await api.roles.create(values)
        await leadTo(role, t('roles.created', { name: role.name }))
      }}
    />
  )
}

/** If the new role cannot get the permissions, it exists without them: its page opens and shows the reason. */
export const DuplicateRole = ({ role, onClose }: RoleDialogProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  const textOf = useErrorText()
  const leadTo = useLead(onClose)
  const { name, description, permissions } = role
  return (
    <NamedForm
      title={t('roles.duplicateTitle', { name })}
      submit={t('roles.duplicate')}
      initial={{ name: [...t('roles.copyOf', { name })].slice(0, nameMax).join(''), description }}
      isNew
      onClose={onClose}
      send={async (values) => {
        const copy = await api.roles.create(values)
        const ids = permissions.map(({ id }) => id)
        const text = await api.roles.replacePermissions(copy.id, ids).then(
          () => t('roles.duplicated', { name: copy.name, count: ids.length }),
          (err: unknown) => t('roles.duplicatedWithout', { name: copy.name, reason: textOf(err) }),
        )
        await leadTo(copy, text)
      }}
    />
  )
}

export const EditRole = ({ role, onClose }: RoleDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenew()
  return (
    <NamedForm
      title={t('roles.editTitle')}
      submit={t('common.save')}
      initial={role}
      onClose={onClose}
      send={async (values) => {
        await api.roles.update(role.id, values)
        await renew()
        onClose()
        notify(t('roles.saved'))
      }}
    />
  )
}

export const DeleteRole = ({ role: { id, name }, onClose }: RoleDialogProps) => {
  const { t } = useTranslation()
  const { api } = useScope()
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: id }]}
      title={t('roles.deleteTitle', { name })}
      confirm={t('roles.delete')}
      {...useChange({
        send: () => api.roles.delete(id),
        onClose,
        leaveTo: '/roles',
        done: t('roles.deleted', { name }),
      })}
    >
      {t('roles.deleteText')}
    </ConfirmChanges>
  )
}
