import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { CreatedTenant } from '@tenantry/client'
import { useState } from 'react'
import { CopyButton } from '../../components/copy-text.tsx'
import { useFieldChecks } from '../../components/field-checks.ts'
import { DialogForm, FormDialog } from '../../components/form-dialog.tsx'
import { useDraft } from '../../components/use-draft.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { InvitationLink } from '../invitations/invitations.views.tsx'
import { useTenantCache } from './tenant-actions.tsx'
import { TenantFields } from './tenant-dialogs.tsx'
import { useEnter } from './tenant-menu.tsx'

export const CreateTenantModal = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const creating = useCreateTenant()
  const { created } = creating
  return (
    <FormDialog
      isDirty={creating.form.isDirty() && !created}
      onClose={onClose}
      title={t(created ? 'tenants.isThere' : 'places.createTenant')}
      closeOnClickOutside={false}
      isPending={creating.isSending}
    >
      {created ? (
        <Created tenant={created} onClose={onClose} />
      ) : (
        <CreateForm creating={creating} onClose={onClose} />
      )}
    </FormDialog>
  )
}

const CreateForm = ({ creating, onClose }: { creating: CreatingTenant; onClose: () => void }) => {
  const { t } = useTranslation()
  const canEnter = useMe().can('tenant:enter')
  const { form } = creating
  return (
    <DialogForm sending={creating} submit={t('places.createTenant')} onCancel={onClose}>
      <TenantFields inputOf={form.getInputProps} />
      <Switch
        label={t('tenants.withAdmin')}
        description={canEnter && t('tenants.withAdminHint')}
        {...form.getInputProps('withAdmin', { type: 'checkbox' })}
      />
      {form.values.withAdmin && (
        <TextInput
          label={t('tenants.adminEmail')}
          description={t('tenants.adminEmailHint')}
          type="email"
          autoComplete="off"
          required
          {...form.getInputProps('email')}
        />
      )}
    </DialogForm>
  )
}

interface CreatedProps {
  /** The created tenant. The link of the invitation in it is "" if the service mailed the link. */
  tenant: CreatedTenant
  onClose: () => void
}

/** Confirms that the tenant exists, and explains the administrator's first sign-in. A link is shown once. */
const Created = ({ tenant, onClose }: CreatedProps) => {
  const { t, gap } = useTranslation()
  const { can } = useMe()
  const enter = useEnter()
  const { invitation } = tenant
  const link = invitation?.link ?? ''
  return (
    <Stack>
      <Text size="sm" role="status" className="breakable">
        {t('tenants.isCreated', { name: tenant.name })}
        {invitation && gap + t('tenants.isInvited', { email: invitation.email })}
      </Text>
      {link !== '' && <InvitationLink link={link} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        {can('tenant:enter') && (
          <Button variant={link === '' ? 'filled' : 'default'} renderRoot={enter(tenant.id)}>
            {t('tenants.enter')}
          </Button>
        )}
        {link !== '' && <CopyButton text={link} label={t('invitations.copyLink')} />}
      </Group>
    </Stack>
  )
}

/** A slug that the service accepts. Empty for a name without a Latin letter or digit. */
const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '')

const initialValues = { name: '', slug: '', withAdmin: true, email: '' }

const useTenantForm = () => {
  const check = useFieldChecks()
  const form = useForm({
    initialValues,
    validate: {
      name: check('tenantName'),
      slug: check('slug'),
      email: (text, { withAdmin }) => (withAdmin ? check('email')(text) : null),
    },
    onValuesChange: ({ name, slug }, previous): void => {
      // If the slug differs from the proposed one, the user has typed it, so it stays.
      if (name !== previous.name && slug === slugOf(previous.name)) form.setFieldValue('slug', slugOf(name))
    },
  })
  return form
}

const useCreateTenant = () => {
  const { put, renew } = useTenantCache()
  const [created, setCreated] = useState<CreatedTenant>()
  const form = useTenantForm()
  useDraft('tenant', form)
  const sending = useSubmit(form, async ({ name, slug, withAdmin, email }) => {
    const admin = withAdmin ? { admin_email: email.trim() } : {}
    const tenant = await client.tenants.create({ name, slug, ...admin }, { include: 'invitation' })
    const { invitation: _, ...bare } = tenant
    put(bare)
    setCreated(tenant)
    renew()
  })
  return { form, created, ...sending }
}

type CreatingTenant = ReturnType<typeof useCreateTenant>
