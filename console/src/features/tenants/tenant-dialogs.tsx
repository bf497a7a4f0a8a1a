import { TextInput } from '@mantine/core'
import { useForm, type GetInputPropsReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Tenant } from '@tenantry/client'
import { ConfirmChange } from '../../components/confirm-change.tsx'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { FieldsDialog } from '../../components/form-dialog.tsx'
import { NameInput } from '../../components/named-form.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { builtInTenantId } from '../../session/built-in.ts'
import { client } from '../../session/client.ts'
import { useScope } from '../../session/scope.ts'
import { useTranslation } from '../../translation.ts'
import { useTenantCache } from './tenant-actions.tsx'

interface DialogProps {
  tenant: Tenant
  onClose: () => void
}

export const EditTenant = ({ tenant, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { put, renew } = useTenantCache()
  const check = useFieldChecks()
  const form = useForm({
    initialValues: { name: tenant.name, slug: tenant.slug },
    validate: { name: check('tenantName'), slug: check('slug') },
  })
  const sending = useSubmit(form, async (values) => {
    put(await client.tenants.update(tenant.id, values))
    renew()
    onClose()
    notify(t('tenants.isSaved', { name: values.name }))
  })
  return (
    <FieldsDialog title={t('tenants.editTitle')} submit={t('common.save')} {...{ form, sending, onClose }}>
      <TenantFields inputOf={form.getInputProps} isSlugFixed={tenant.id === builtInTenantId} />
    </FieldsDialog>
  )
}

export const DisableTenant = ({ tenant: { id, name }, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const { put } = useTenantCache()
  return (
    <ConfirmChange
      title={t('tenants.disableTitle', { name })}
      confirm={t('tenants.disable')}
      send={async () => put(await client.tenants.update(id, { status: 0 }))}
      done={t('tenants.isDisabled', { name })}
      onClose={onClose}
    >
      {t('tenants.disableText')}
    </ConfirmChange>
  )
}

export const DeleteTenant = ({ tenant, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const { drop, renew } = useTenantCache()
  const navigate = useNavigate()
  const { tenantId } = useScope()
  const { tenantId: opened } = useParams({ strict: false })
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.tenants.delete(tenant.id),
    onSuccess: async () => {
      // First leaves the tenant and its page, because requests in a deleted tenant fail.
      if (tenant.id === tenantId) {
        await navigate({ to: '/tenants', search: { tenant: undefined } })
      } else if (tenant.id === opened) await navigate({ to: '/tenants' })
      drop(tenant)
      renew()
      onClose()
      notify(t('tenants.isDeleted', { name: tenant.name }))
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('tenants.deleteTitle', { name: tenant.name })}
      confirm={t('tenants.delete')}
      onConfirm={mutate}
      word={tenant.slug}
      isPending={isPending}
      error={error}
    >
      {t('tenants.deleteText')}
    </ConfirmModal>
  )
}

interface TenantFieldsProps {
  inputOf: (field: 'name' | 'slug') => GetInputPropsReturnType
  isSlugFixed?: boolean
}

export const TenantFields = ({ inputOf, isSlugFixed = false }: TenantFieldsProps) => {
  const { t } = useTranslation()
  return (
    <>
      <NameInput {...inputOf('name')} />
      <TextInput
        label={t('tenants.slug')}
        description={t(isSlugFixed ? 'tenants.slugFixed' : 'tenants.slugHint')}
        required
        autoComplete="off"
        disabled={isSlugFixed}
        {...inputOf('slug')}
      />
    </>
  )
}
