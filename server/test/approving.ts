/** Tenants whose changes need approvals, and the people who ask and decide. */
import { refusal } from './answers.ts'
import { assign, builtIn, newTenant, ok, systemRoleId, type Caller, type Tenant } from './factories.ts'
import { clock } from './harness.ts'
import { addTotp, proveBy } from './second-factors.ts'

/** A user with a second factor, whose sessions used it. */
export const proved = async (user: Caller): Promise<Caller> => {
  await addTotp(user)
  await proveBy(user, 'pwd', 'otp', 'mfa')
  // The service remembers callers for up to 1.5 seconds.
  clock.advance(2_000)
  return user
}

/** A platform administrator with a second factor. The one that all tests share has none. */
export const platformAdministrator = async (): Promise<Caller> => {
  const user = await builtIn.member()
  await assign(builtIn.id, user.userId, systemRoleId('platform-admin'))
  return proved(user)
}

interface Administrators {
  tenant: Tenant
  all: [Caller, Caller, Caller]
}

/** Three users of a new tenant who hold the role of administrators; the first `count` have a second factor. */
export const administrators = async (count = 3): Promise<Administrators> => {
  const tenant = await newTenant()
  const all: Caller[] = [await proved(tenant.admin)]
  while (all.length < 3) {
    const user = await tenant.member()
    ok(await tenant.admin.post(`/rbac/users/${user.userId}/roles`, { role_id: systemRoleId('admin') }))
    all.push(all.length < count ? await proved(user) : user)
  }
  return { tenant, all: all as [Caller, Caller, Caller] }
}

const needed = refusal('approvalNeeded')
export const isNeeded = (data: object) => ({ status: 403, body: { code: needed.body.code, data } })

export const carrying = (id: number) => ({ headers: { 'x-approval-id': String(id) } })

export const withPolicy = async (operation: string, policy: object = { approvals: 1 }) => {
  const found = await administrators()
  ok(await found.all[0].put(`/approval-policies/${operation}`, policy))
  const [asker, decider, other] = found.all
  return { ...found, asker, decider, other }
}

export const ask = (by: Caller, method: string, path: string, body?: unknown) =>
  by.post('/approvals', { method, path, ...(body !== undefined && { body }), reason: 'Ticket 4711' })

export const approve = async (by: Caller, { id, digest }: { id: number; digest: string }) =>
  by.post(`/approvals/${id}/decide`, { approve: true, digest })

/** The approval after a decision. */
export const approvedBy = async (by: Caller, asked: { id: number; digest: string }) =>
  ok(await approve(by, asked))
