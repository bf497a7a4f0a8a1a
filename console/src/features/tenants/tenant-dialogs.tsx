import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Tenant } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { ConfirmModal } from '../../components/confirm-modal.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useScope } from '../../session/scope.ts'
import { builtInTenantId } from './built-in.ts'
import { TenantFields } from './tenant-fields.tsx'
import { useRenew } from './use-renew.ts'

interface DialogProps {
  tenant: Tenant
  onClose: () => void
}

export const EditTenant = ({ tenant, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const form = useForm({ initialValues: { name: tenant.name, slug: tenant.slug } })
  const { onSubmit, isSending, error } = useSubmit(form, async (values) => {
    await client.tenants.update(tenant.id, values)
    await renew()
    onClose()
    notify(t('tenants.isSaved', { name: values.name }))
  })
  return (
    <Dialog opened onClose={onClose} title={t('tenants.editTitle')}>
      <form onSubmit={onSubmit}>
        <Stack>
          {error !== undefined && <ErrorPanel error={error} />}
          <TenantFields inputOf={form.getInputProps} isSlugFixed={tenant.id === builtInTenantId} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              {t('common.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

export const DisableTenant = ({ tenant, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.tenants.update(tenant.id, { status: 0 }),
    onSuccess: async () => {
      await renew()
      onClose()
      notify(t('tenants.isDisabled', { name: tenant.name }))
    },
  })
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={t('tenants.disableTitle', { name: tenant.name })}
      confirm={t('tenants.disable')}
      onConfirm={mutate}
      isPending={isPending}
      error={error}
    >
      {t('tenants.disableText')}
    </ConfirmModal>
  )
}

export const DeleteTenant = ({ tenant, onClose }: DialogProps) => {
  const { t } = useTranslation()
  const notify = useNotify()
  const renew = useRenew()
  const navigate = useNavigate()
  const { tenantId } = useScope()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.tenants.delete(tenant.id),
    onSuccess: async () => {
      // Whoever stood in it is led home first: of what is gone nothing can be asked.
      if (tenant.id === tenantId) {
        await navigate({ to: '/tenants', search: (others) => ({ ...others, tenant: undefined }) })
      }
      await renew()
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
