import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { Role } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { useScope } from '../../session/scope.ts'
import { useHolders, useRenewRoles } from './role-queries.ts'

interface RoleFormProps {
  title: string
  submit: string
  initial?: Pick<Role, 'name' | 'description'>
  send: (values: { name: string; description: string }) => Promise<void>
  onClose: () => void
}

const RoleForm = ({ title, submit, initial, send, onClose }: RoleFormProps) => {
  const { t } = useTranslation()
  const { name = '', description = '' } = initial ?? {}
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { name, description },
    validate: { name: check('roleName'), description: check('description') },
  })
  const { onSubmit, isSending, error } = useSubmit(form, send)
  return (
    <FormDialog isDirty={form.isDirty()} onClose={onClose} title={title} isPending={isSending}>
      <form onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <TextInput
            label={t('fields.name')}
            required
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <Textarea
            label={t('roles.description')}
            autosize
            minRows={2}
            {...form.getInputProps('description')}
          />
          <Group justify="flex-end">
            <Button variant="default" disabled={isSending} onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}

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
    <RoleForm
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
    <RoleForm
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
  /** Leads away from what is about to be gone. */
  onDeleted: () => Promise<void>
}

export const DeleteRole = ({ role, onClose, onDeleted }: DeleteRoleProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const format = useFormat()
  const { api } = useScope()
  const renew = useRenewRoles()
  const { data } = useHolders(role.id, { size: 1 })
  const deleting = useMutation({
    mutationFn: () => api.roles.delete(role.id),
    onSuccess: async () => {
      await onDeleted()
      await renew()
      notify(t('roles.deleted', { name: role.name }))
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('roles.deleteTitle', { name: role.name })}
      confirm={t('roles.delete')}
      onConfirm={() => deleting.mutate()}
      isPending={deleting.isPending}
      error={deleting.error}
    >
      {data
        ? t('roles.deleteHeld', { count: data.total, said: format.count(data.total) })
        : t('roles.deleteText')}
    </ConfirmModal>
  )
}
