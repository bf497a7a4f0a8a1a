import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import type { Permission, Role } from '@tenantry/client'
import { useTranslation } from '../../translation.ts'
import { ConfirmModal, mutationProps } from '../../components/confirm-modal.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FormDialog } from '../../components/form-dialog.tsx'
import { FormButtons, NamedFields, NamedForm } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useHolders, useRoles } from '../roles/roles.queries.ts'
import { useRenewCatalogue } from './catalogue.queries.ts'
import { OtherTenants } from './tenant-effect.tsx'

const useCreate = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { code: '', name: '', description: '' },
    validate: {
      code: check('permissionCode'),
      name: check('roleName'),
      description: check('description'),
    },
  })
  const sending = useSubmit(form, async (values) => {
    const { name } = await client.permissions.create(values)
    await renew()
    onClose()
    notify(t('catalogue.permissionCreated', { name }))
  })
  return { form, ...sending }
}

export const CreatePermission = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, onSubmit, isSending, error } = useCreate(onClose)
  const title = t('catalogue.createPermission')
  return (
    <FormDialog isDirty={form.isDirty()} onClose={onClose} title={title} isPending={isSending}>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <TextInput
            label={t('catalogue.code')}
            description={t('catalogue.codeHint')}
            placeholder="invoice:read"
            required
            data-autofocus
            autoComplete="off"
            {...form.getInputProps('code')}
          />
          <NamedFields inputOf={form.getInputProps} />
          <Text size="sm" c="dimmed">
            {t('catalogue.heldByRule')}
          </Text>
          <FormButtons submit={title} isSending={isSending} isDirty={form.isDirty()} onCancel={onClose} />
        </Stack>
      </form>
    </FormDialog>
  )
}

interface DialogProps {
  permission: Permission
  onClose: () => void
}

export const EditPermission = ({ permission: { id, code, name, description }, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  return (
    <NamedForm
      title={t('catalogue.editPermission', { code })}
      submit={t('common.save')}
      initial={{ name, description }}
      send={async (values) => {
        await client.permissions.update(id, values)
        await renew()
        onClose()
        notify(t('catalogue.saved', { name: values.name }))
      }}
      onClose={onClose}
    />
  )
}

export const DeletePermission = ({ permission, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenewCatalogue()
  const { id, code, name } = permission
  const deleting = useMutation({
    mutationFn: () => client.permissions.delete(id),
    onSuccess: async () => {
      onClose()
      notify(t('catalogue.permissionDeleted', { name }))
      await renew()
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('catalogue.deletePermission', { name })}
      confirm={t('catalogue.delete')}
      word={code}
      {...mutationProps(deleting)}
    >
      <Stack gap="sm">
        <Text size="sm">{t('catalogue.deletePermissionText', { code })}</Text>
        <CarryingRoles permission={permission} />
        <OtherTenants />
      </Stack>
    </ConfirmModal>
  )
}

/** The holders of each role are counted by a request of its own. */
const shownRoles = 8

const CarryingRoles = ({ permission: { id } }: { permission: Permission }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { tenant } = useScopeTenant()
  const { data, error } = useRoles()
  if (!data) return error ? <ErrorPanel error={error} /> : <Skeleton height={96} />
  const carrying = data.filter(({ permissions }) => permissions.some((one) => one.id === id))
  const said = format.count(carrying.length)
  const more = carrying.length - shownRoles
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {t('catalogue.carrying', { count: carrying.length, said, tenant: tenant?.name ?? '' })}
      </Text>
      {carrying.slice(0, shownRoles).map((role) => (
        <CarryingRole key={role.id} role={role} />
      ))}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('catalogue.moreRoles', { count: more, said: format.count(more) })}
        </Text>
      )}
    </Stack>
  )
}

const CarryingRole = ({ role: { id, name } }: { role: Role }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useHolders(id, { size: 1 })
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <Text size="sm" className="cut" title={name}>
        {name}
      </Text>
      {data && (
        <Text size="sm" c="dimmed" className="unbroken">
          {t('catalogue.holders', { count: data.total, said: format.total(data) })}
        </Text>
      )}
    </Group>
  )
}
