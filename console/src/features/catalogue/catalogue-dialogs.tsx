import { Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import type { Permission, Role, RoleTemplate } from '@tenantry/client'
import { useForm } from '@mantine/form'
import { ConfirmChange, useChange } from '../../components/confirm-change.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { NamedFields, NamedForm } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { useFormat } from '../../format.ts'
import { client } from '../../session/client.ts'
import { useScopeTenant } from '../../shell/tenants.ts'
import { useTranslation } from '../../translation.ts'
import type { Previewed } from '../authz/authz.queries.ts'
import { ConfirmChanges, Effect } from '../authz/authz.views.tsx'
import { useHolders, useRoles } from '../roles/roles.queries.ts'
import { useRenew } from '../../components/use-renew.ts'

interface CreateTemplateProps {
  onCreated: (template: RoleTemplate) => Promise<void>
  onClose: () => void
}

export const CreateTemplate = ({ onCreated, onClose }: CreateTemplateProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  return (
    <NamedForm
      title={t('catalogue.createTemplate')}
      submit={t('catalogue.createTemplate')}
      onClose={onClose}
      send={async (values) => {
        const template = await client.roleTemplates.create(values)
        await renew()
        onClose()
        await onCreated(template)
        notify(t('catalogue.templateCreated', { name: template.name }))
      }}
    />
  )
}

interface TemplateDialogProps {
  template: RoleTemplate
  onClose: () => void
}

export const EditTemplate = ({ template, onClose }: TemplateDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  return (
    <NamedForm
      title={t('catalogue.editTemplate')}
      submit={t('common.save')}
      initial={template}
      onClose={onClose}
      send={async (values) => {
        await client.roleTemplates.update(template.id, values)
        await renew()
        onClose()
        notify(t('catalogue.saved', { name: values.name }))
      }}
    />
  )
}

/** Decides whether new users get the template. Existing users do not change, so no effect is counted. */
export const GiveToNewUsers = ({ template, onClose }: TemplateDialogProps) => {
  const { t } = useTranslation()
  const { id, name, permissions, given_to_new_users: isGiven } = template
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: id }]}
      title={t(isGiven ? 'catalogue.stopGivingTitle' : 'catalogue.giveTitle', { name })}
      confirm={t(isGiven ? 'catalogue.stopGiving' : 'catalogue.give')}
      color={isGiven ? 'red.9' : 'accent'}
      {...useChange({
        send: () => client.roleTemplates.update(id, { given_to_new_users: !isGiven }),
        onClose,
        done: t('catalogue.saved', { name }),
      })}
    >
      {isGiven
        ? t('catalogue.stopGivingText')
        : t('catalogue.giveText', { permissions: t('roles.permissions', { count: permissions.length }) })}
    </ConfirmChanges>
  )
}

interface DeleteTemplateProps extends TemplateDialogProps {
  /** Leaves the page of the template, which would request it again. */
  onDeleted: () => Promise<void>
}

export const DeleteTemplate = ({ template: { id, name }, onClose, onDeleted }: DeleteTemplateProps) => {
  const { t } = useTranslation()
  return (
    <ConfirmChanges
      changes={[{ kind: 'delete_role', role_id: id }]}
      title={t('catalogue.deleteTemplate', { name })}
      confirm={t('catalogue.delete')}
      word={name}
      {...useChange({
        send: async () => {
          await client.roleTemplates.delete(id)
          await onDeleted()
        },
        onClose,
        done: t('catalogue.templateDeleted', { name }),
      })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('catalogue.deleteTemplateText')}</Text>
        <OtherTenants />
      </Stack>
    </ConfirmChanges>
  )
}

const useCreatePermission = (onClose: () => void) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
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
  return { form, sending }
}

export const CreatePermission = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const { form, sending } = useCreatePermission(onClose)
  const title = t('catalogue.createPermission')
  return (
    <FieldsDialog isReady title={title} submit={title} {...{ form, sending, onClose }}>
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
    </FieldsDialog>
  )
}

interface PermissionDialogProps {
  permission: Permission
  onClose: () => void
}

export const EditPermission = ({
  permission: { id, code, name, description },
  onClose,
}: PermissionDialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
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

export const DeletePermission = ({ permission, onClose }: PermissionDialogProps) => {
  const { t } = useTranslation()
  const { id, code, name } = permission
  return (
    <ConfirmChange
      title={t('catalogue.deletePermission', { name })}
      confirm={t('catalogue.delete')}
      word={code}
      send={() => client.permissions.delete(id)}
      onClose={onClose}
      done={t('catalogue.permissionDeleted', { name })}
    >
      <Stack gap="sm">
        <Text size="sm">{t('catalogue.deletePermissionText', { code })}</Text>
        <CarryingRoles permission={permission} />
        <OtherTenants />
      </Stack>
    </ConfirmChange>
  )
}

/** The most roles whose holders are counted. Each role needs a request. */
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

/** The effect of a change of the catalogue in the tenant in scope, as the service previews it. */
export const TenantEffect = ({ preview }: { preview: Previewed }) => (
  <Stack gap="sm">
    <Effect preview={preview} />
    <OtherTenants />
  </Stack>
)

/** A note that other tenants change too, because the numbers above are those of one tenant. */
const OtherTenants = () => {
  const { t } = useTranslation()
  const tenant = useScopeTenant().tenant?.name ?? ''
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {t('catalogue.otherTenants', { tenant })}
    </Text>
  )
}
