/** A session that a connection opened gives access only to the connection's tenant, and not to the person's account. */
import { decodeJwt } from 'jose'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { bySso as openedBy, insertConnectionRows } from '../../../../test/connection-rows.ts'
import { endpoints } from '../../../../test/endpoints.ts'
import { newTenant, ok, password, type Caller, type Tenant } from '../../../../test/factories.ts'
import { newSignIn } from '../../../../test/front-door.ts'
import { call, parts } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'

let tenant: Tenant
let connection: string
beforeAll(async () => {
  tenant = await newTenant()
  connection = await insertConnectionRows(tenant)
})

const bySso = (user: Caller): Promise<Caller> => openedBy(user, connection)

/** The sign-in of a browser that the connection has opened. */
const browserOf = async (user: Caller, connectionId: string): Promise<string> => {
  const { id } = await newSignIn(user)
  await parts.store.scoped({}).run(sql`
    update sign_ins set connection_id = ${connectionId}, connection_tenant_id = ${user.tenantId},
      latest_expires_at = expires_at, tenant_ids = ${[user.tenantId]}::uuid[] where id = ${id}`)
  return id
}

const refused = { status: 403, body: { code: 40360 } }

/** The endpoints about the caller's own account that accept such sessions. */
const served = new Set([
  'GET /profile',
  'PUT /profile',
  'GET /profile/attributes',
  'PATCH /profile/attributes',
  'GET /auth/sessions',
  'DELETE /auth/sessions/:id',
  'DELETE /auth/sessions',
  'POST /auth/logout',
  'GET /auth/memberships',
  'GET /auth/grants',
  'DELETE /auth/grants/:id',
  'DELETE /support/sessions/:id',
])

describe('a session that a connection opened', () => {
  const ofAccount = endpoints.filter(({ caller }) => caller === 'account' || caller === 'suspendedAccount')

  test.each(ofAccount.filter(({ name }) => !served.has(name)).map((one) => [one.name, one] as const))(
    'is refused at every other endpoint about the own account: %s',
    async (_name, { method, path }) => {
      const { token } = await bySso(await tenant.member())
      const id = '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'
      const place = path.replaceAll(/:\w+/g, id)
      expect(await call(method, place, { token, body: method === 'GET' ? undefined : {} })).toMatchObject(
        refused,
      )
    },
  )

  test('is no proof of the account where an invitation is accepted or an organization confirmed', async () => {
    const { token } = await bySso(await tenant.member())
    const body = { token: 'any', username: 'any' }
    expect(await call('POST', '/auth/invitations/accept', { token, body })).toMatchObject(refused)
    expect(await call('POST', '/auth/sign-up/confirm', { token, body })).toMatchObject(refused)
  })

  test('works in its tenant, and its tokens name the connection, after a refresh too', async () => {
    const user = await bySso(await tenant.userWith('user:read'))
    expect((await user.get('/users')).status).toBe(200)
    const body = { refresh_token: user.refreshToken }
    const pair = ok(await call('POST', '/auth/refresh', { body }))
    expect(decodeJwt(pair.access_token)).toMatchObject({ con: connection, amr: ['sso'] })
  })

  test('shows and ends only sessions and memberships of its tenant', async () => {
    const user = await tenant.member()
    const other = await newTenant()
    await insertMember(user, other)
    const login = async (tenantId: string): Promise<string> =>
      ok(await call('POST', '/auth/login', { body: { email: user.email, password, tenant_id: tenantId } }))
        .access_token
    const [elsewhere, beside] = [await login(other.id), await login(tenant.id)]
    const mine = await bySso(user)
    const memberships = ok(await mine.get('/auth/memberships'))
    expect(memberships.map((one: { tenant: { id: string } }) => one.tenant.id)).toEqual([tenant.id])
    const tenants = ok(await mine.get('/auth/sessions')).map((one: { tenant_id: string }) => one.tenant_id)
    expect(tenants).toEqual([tenant.id, tenant.id])
    const id = decodeJwt(elsewhere)['sid'] as string
    expect((await mine.delete(`/auth/sessions/${id}`)).status).toBe(404)
    // A browser's sign-in that other tenants also use does not belong to the connection.
    const [own, own2, foreign] = [
      await browserOf(user, connection),
      await browserOf(user, connection),
      await newSignIn(user),
    ]
    const listed: { id: string; tenant_id: string }[] = ok(await mine.get('/auth/sessions'))
    const browsers = listed.filter((one) => one.tenant_id === '').map((one) => one.id)
    expect(browsers.toSorted()).toEqual([own, own2].toSorted())
    expect((await mine.delete(`/auth/sessions/${foreign.id}`)).status).toBe(404)
    ok(await mine.delete(`/auth/sessions/${own}`))
    expect(ok(await mine.get('/auth/sessions'))).toHaveLength(3)
    ok(await mine.delete('/auth/sessions'))
    expect(ok(await mine.get('/auth/sessions'))).toHaveLength(1)
    const statusOf = async (token: string) => (await call('GET', '/profile', { token })).status
    expect([await statusOf(elsewhere), await statusOf(beside), await statusOf(mine.token)]).toEqual([
      200, 401, 200,
    ])
    ok(await mine.post('/auth/logout'))
    expect([await statusOf(elsewhere), await statusOf(mine.token)]).toEqual([200, 401])
  })
})
