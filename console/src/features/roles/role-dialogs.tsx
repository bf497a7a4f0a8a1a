import { useMutation } from '@tanstack/react-query'
import type { Role } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { NamedForm } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useScope } from '../../session/scope.ts'
import { ConfirmChanges } from '../authz/authz.views.tsx'
import { useRenewRoles } from './roles.queries.ts'

interface CreateRoleProps {
  onCreated: (role: Role) => void
  onClose: () => void
}

export const CreateRole = ({ onCreated, onClose }: CreateRoleProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewRoles()
  return (
    <NamedForm
      title={t('roles.create')}
      submit={t('roles.create')}
      onClose={onClose}
      send={async (values) => {
        const role = await api.roles.create(values)
        await renew()
        onClose()
        onCreated(role)
        notify(t('roles.created', { name: role.name }))
      }}
    />
  )
}

interface RoleDialogProps {
  role: Role
  onClose: () => void
}

export const EditRole = ({ role, onClose }: RoleDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewRoles()
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

interface DeleteRoleProps extends RoleDialogProps {
  /** Leads away from the page of the deleted role. */
  onDeleted: () => Promise<void>
}

export const DeleteRole = ({ role, onClose, onDeleted }: DeleteRoleProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { api } = useScope()
  const renew = useRenewRoles()
  const deleting = useMutation({
    mutationFn: () => api.roles.delete(role.id),
    onSuccess: async () => {
      await onDeleted()
      await renew()
      notify(t('roles.deleted', { name: role.name }))
    },
  })
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: role.id }]}
      onClose={onClose}
      title={t('roles.deleteTitle', { name: role.name })}
      confirm={t('roles.delete')}
      onConfirm={() => deleting.mutate()}
      isPending={deleting.isPending}
      error={deleting.error}
    >
      {t('roles.deleteText')}
    </ConfirmChanges>
  )
}
