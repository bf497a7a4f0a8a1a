import { useForm } from '@mantine/form'
import type { CreatedTenant } from '@tenantry/client'
import { useState } from 'react'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useDraft } from '../../components/use-draft.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useTenantCache } from './tenant-cache.ts'

/** A slug that the service accepts; empty for names without a Latin letter or digit. */
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
      // A slug that differs from the proposed one was typed by the user, so it stays.
      if (name !== previous.name && slug === slugOf(previous.name)) form.setFieldValue('slug', slugOf(name))
    },
  })
  return form
}

export const useCreateTenant = () => {
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

export type CreatingTenant = ReturnType<typeof useCreateTenant>
