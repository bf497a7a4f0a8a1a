import { useForm } from '@mantine/form'
import { ApiError, type Tenant, type User } from '@tenantry/client'
import { useState } from 'react'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTenantCache } from './tenant-cache.ts'

/** What has been made so far: a later step can fail, and is then tried again alone. */
interface Made {
  tenant?: Tenant
  admin?: User
  isDone?: boolean
}

const nothing: Made = {}

/** As the service takes it; empty for names without a Latin letter or digit. */
const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '')

const initialValues = { name: '', slug: '', withAdmin: true, email: '', username: '', password: '' }

const useTenantForm = () => {
  const { isPlatformAdmin } = useMe()
  const check = useFieldChecks()
  /** Of the administrator, where there shall be one. */
  const checkOf =
    (kind: 'email' | 'username' | 'password') =>
    (text: string, { withAdmin }: typeof initialValues): string | null =>
      withAdmin ? check(kind)(text) : null
  const form = useForm({
    // Only they enter another tenant, to make a user there.
    initialValues: { ...initialValues, withAdmin: isPlatformAdmin },
    validate: {
      name: check('tenantName'),
      slug: check('slug'),
      email: checkOf('email'),
      username: checkOf('username'),
      password: checkOf('password'),
    },
    onValuesChange: ({ name, slug }, previous): void => {
      // A slug that is not the one proposed is somebody's own.
      if (name !== previous.name && slug === slugOf(previous.name)) form.setFieldValue('slug', slugOf(name))
    },
  })
  return form
}

/** Whoever holds it already has got it by a try whose answer was lost. */
const giveAdminRole = async (tenantId: string, userId: number): Promise<void> => {
  const { roles } = client.inTenant(tenantId)
  const admin = (await roles.list()).find(({ name, is_system }) => is_system && name === 'admin')
  try {
    await roles.assign({ userId, roleId: admin?.id ?? 0 })
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'roleAlreadyHeld')) throw error
  }
}

/** Creates a tenant, a user in it and gives them its role `admin`: three steps, each made once however often it is tried. */
export const useCreateTenant = () => {
  const { put, renew } = useTenantCache()
  const [made, setMade] = useState(nothing)
  const form = useTenantForm()
  const finish = (all: Made): void => {
    setMade({ ...all, isDone: true })
    renew()
  }
  const sending = useSubmit(form, async ({ name, slug, withAdmin, email, username, password }) => {
    const tenant = made.tenant ?? (await client.tenants.create({ name, slug }))
    setMade({ ...made, tenant })
    put(tenant)
    if (!withAdmin) return finish({ tenant })
    const body = { email: email.trim(), username: username.trim(), password }
    const admin = made.admin ?? (await client.inTenant(tenant.id).users.create(body))
    setMade({ tenant, admin })
    await giveAdminRole(tenant.id, admin.id)
    finish({ tenant, admin })
  })
  return { form, made, ...sending }
}

export type CreatingTenant = ReturnType<typeof useCreateTenant>
