import { useForm } from '@mantine/form'
import { ApiError, type Tenant, type User } from '@tenantry/client'
import { useState } from 'react'
import { useFieldChecks } from '../../components/field-checks.ts'
import { useSubmit } from '../../components/use-submit.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useTenantCache } from './tenant-cache.ts'

/** The finished steps; after a failure, only the others are tried again. */
interface Made {
  tenant?: Tenant
  admin?: User
  isDone?: boolean
}

const nothing: Made = {}

/** A slug that the service accepts; empty for names without a Latin letter or digit. */
const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-|-$/g, '')

const initialValues = { name: '', slug: '', withAdmin: false, email: '', username: '', password: '' }

/** The permissions of the requests that create the first administrator. */
export const useCanCreateAdmin = (): boolean => {
  const { can } = useMe()
  return can('tenant:enter') && can('user:create') && can('role:read') && can('role:assign')
}

const useTenantForm = () => {
  const canCreateAdmin = useCanCreateAdmin()
  const check = useFieldChecks()
  /** The checks of the administrator's fields, if there is to be one. */
  const checkOf =
    (kind: 'email' | 'username' | 'password') =>
    (text: string, { withAdmin }: typeof initialValues): string | null =>
      withAdmin ? check(kind)(text) : null
  const form = useForm({
    initialValues: { ...initialValues, withAdmin: canCreateAdmin },
    validate: {
      name: check('tenantName'),
      slug: check('slug'),
      email: checkOf('email'),
      username: checkOf('username'),
      password: checkOf('password'),
    },
    onValuesChange: ({ name, slug }, previous): void => {
      // A slug that differs from the proposed one was typed by the user.
      if (name !== previous.name && slug === slugOf(previous.name)) form.setFieldValue('slug', slugOf(name))
    },
  })
  return form
}

/** A user who already holds the role received it by a try whose answer was lost. */
const giveAdminRole = async (tenantId: string, userId: number): Promise<void> => {
  const { roles } = client.inTenant(tenantId)
  const admin = (await roles.list()).find(({ name, is_system }) => is_system && name === 'admin')
  try {
    await roles.assign({ userId, roleId: admin?.id ?? 0 })
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'roleAlreadyHeld')) throw error
  }
}

/** Creates a tenant, a user and its role `admin`. Each step takes effect once, however often it is tried. */
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
