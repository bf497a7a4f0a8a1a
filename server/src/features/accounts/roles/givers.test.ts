/** The account of a giver. It shows that two users are the same person. */
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { keyWith, newTenant, ok, password, unique, type Tenant } from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { accept, invite } from '../../../../test/people.ts'
import { careful } from '../../../../test/support.ts'

const server = useMailServer()

const scoped = ({ id: tenantId }: Tenant) => parts.store.scoped({ tenantId })

/** The accounts that gave the role to the user, or made the user eligible. */
const giversOf = async (tenant: Tenant, userId: number, roleId: number) =>
  (
    await scoped(tenant).many<{ account: number | null }>(sql`
      select assigned_by_account as account from user_roles
      where tenant_id = ${tenant.id} and user_id = ${userId} and role_id = ${roleId}
      union all
      select given_by_account from eligible_roles
      where tenant_id = ${tenant.id} and user_id = ${userId} and role_id = ${roleId}`)
  ).map(({ account }) => account)

const accountOf = async (tenant: Tenant, userId: number): Promise<number> =>
  (
    await scoped(tenant).only<{ id: number }>(sql`
      select account_id as id from users where tenant_id = ${tenant.id} and id = ${userId}`)
  ).id

const email = () => `${unique()}@example.com`

test('every way to give a role stores the account of the giver', async () => {
  const tenant = await newTenant()
  const admin = await careful(tenant.admin)
  const role = await tenant.role('user:read')
  const account = await accountOf(tenant, admin.userId)
  const assign = async (userId: number) => {
    ok(await admin.post(`/rbac/users/${userId}/roles`, { role_id: role.id }))
    return userId
  }
  const ways: Record<string, () => Promise<number>> = {
    'an assignment': async () => assign((await tenant.member()).userId),
    'an assignment of many': async () => {
      const { userId } = await tenant.member()
      ok(await admin.post(`/rbac/roles/${role.id}/users`, { user_ids: [userId], held: true }))
      return userId
    },
    'an eligibility': async () => {
      const { userId } = await tenant.member()
      const body = { role_id: role.id, max_minutes: 60 }
      ok(await admin.post(`/rbac/users/${userId}/eligible-roles`, body))
      return userId
    },
    'an import': async () => {
      const rows = [{ email: email(), role_ids: [role.id] }]
      return ok(await admin.post('/users/import', { rows })).results[0].user_id
    },
    'an invitation': async () => {
      const address = email()
      const { token } = await invite(server, admin, { email: address, role_ids: [role.id] })
      ok(await accept(token, { password }))
      return ok(await admin.get(`/users?search=${address}`)).items[0].id
    },
  }
  for (const [way, give] of Object.entries(ways)) {
    expect([way, await giversOf(tenant, await give(), role.id)]).toEqual([way, [account]])
  }
})

test('a longer end names the account of who gave it, and a key names none', async () => {
  const tenant = await newTenant()
  const role = await tenant.role('user:read')
  const { userId } = await tenant.member()
  const path = `/rbac/users/${userId}/roles`
  const key = await keyWith(tenant.id, ['user:read', 'role:assign'])
  const end = new Date(Date.now() + 3_600_000).toISOString()
  ok(await key.post(path, { role_id: role.id, expires_at: end }))
  expect(await giversOf(tenant, userId, role.id)).toEqual([null])
  ok(await tenant.admin.put(`${path}/${role.id}`, { expires_at: null }))
  expect(await giversOf(tenant, userId, role.id)).toEqual([await accountOf(tenant, tenant.admin.userId)])
})
