/** Each act that could remove the last sign-in method of a tenant with required connections is refused. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import { filesOf, readText } from '../../../../test/documents.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { insertMember } from '../../../../test/people.ts'
import { addTotp } from '../../../../test/second-factors.ts'
import { newReadyTenant, shut, ssoPath, type ReadyTenant } from '../../../../test/shut-tenants.ts'
import { systemCtx } from '../../../start/parts.ts'
import { resetFactorsByEmail } from '../../sign-in/auth/operator.service.ts'

let tenant: ReadyTenant
/** Another tenant of the break-glass user, with a session there. */
let home: Tenant
let there: Caller
/** Users with a second factor. */
let careful: [Careful, Careful]
beforeAll(async () => {
  tenant = await newReadyTenant()
  careful = [await newCareful(), await newCareful()]
  await shut(tenant)
  home = await newTenant()
  const userId = await insertMember(tenant.breakGlass, home)
  const body = { tenant_id: home.id }
  const pair = ok(await call('POST', '/auth/switch', { token: tenant.breakGlass.token, body }))
  const send = (method: 'POST' | 'DELETE') => (path: string, sent?: object) =>
    call(method, path, { token: pair.access_token, ...(sent && { body: sent }) })
  there = { ...tenant.breakGlass, userId, post: send('POST'), delete: send('DELETE') }
})

interface Careful {
  user: Caller
  factorId: string
}

const pathOf = ({ userId }: Pick<Caller, 'userId'>) => `/users/${userId}`

const exempting = (who: Pick<Caller, 'userId'>, exempt: boolean) =>
  tenant.boss.put(`${pathOf(who)}/sso-exemption`, { exempt })

const newCareful = async (): Promise<Careful> => {
  const user = await tenant.member()
  return { user, factorId: (await addTotp(user)).id }
}

/** The acts that remove a user, an exemption, a factor or a connection. */
const acts = {
  'PUT /users/:id': () => tenant.boss.put(pathOf(tenant.breakGlass), { status: 0 }),
  'POST /users/status': () =>
    tenant.boss.post('/users/status', { user_ids: [tenant.breakGlass.userId], status: 0 }),
  'DELETE /users/:id': () => tenant.boss.delete(pathOf(tenant.breakGlass)),
  'PUT /users/:id/sso-exemption': () => exempting(tenant.breakGlass, false),
  'DELETE /users/:id/factors': async () =>
    (await platformAdmin()).delete(`${pathOf(tenant.breakGlass)}/factors`, { tenant: tenant.id }),
  'DELETE /users/:id/factors/:factorId': async () =>
    (await platformAdmin()).delete(`${pathOf(tenant.breakGlass)}/factors/${tenant.app.id}`, {
      tenant: tenant.id,
    }),
  'DELETE /users/:id/factors in another tenant': async () =>
    (await platformAdmin()).delete(`${pathOf(there)}/factors`, { tenant: home.id }),
  'POST /auth/factors/:id/remove': () =>
    tenant.breakGlass.post(`/auth/factors/${tenant.app.id}/remove`, { password }),
  'POST /auth/factors/:id/remove in another tenant': () =>
    there.post(`/auth/factors/${tenant.app.id}/remove`, { password }),
  'POST /auth/account/delete': () => tenant.breakGlass.post('/auth/account/delete', { password }),
  'POST /auth/account/delete in another tenant': () => there.post('/auth/account/delete', { password }),
  'DELETE /auth/memberships/:tenantId': () => there.delete(`/auth/memberships/${tenant.id}`),
  'PUT /connections/:id': () => tenant.boss.put(`/connections/${tenant.connection}`, { status: 'disabled' }),
  'DELETE /connections/:id': () => tenant.boss.delete(`/connections/${tenant.connection}`),
}

/**
 * The statements that could remove a sign-in method, with the acts that run them, or the reason why they need no check.
 */
const statements: Record<string, (keyof typeof acts)[] | string> = {
  'users.store.ts: update users': ['PUT /users/:id'],
  'users.store.ts: delete from users': ['DELETE /users/:id', 'DELETE /auth/memberships/:tenantId'],
  'users.store.ts: delete from user_roles': ['DELETE /users/:id'],
  'pushed.store.ts: update users': 'a directory reaches no break-glass user',
  'exemptions.store.ts: delete from sso_exemptions': ['PUT /users/:id/sso-exemption'],
  'factors.store.ts: delete from factors': [
    'DELETE /users/:id/factors',
    'DELETE /users/:id/factors/:factorId',
    'POST /auth/factors/:id/remove',
  ],
  'factors.store.ts: update factors': 'a factor stays confirmed',
  'connections.store.ts: update connections': ['PUT /connections/:id'],
  'connections.store.ts: delete from connections': ['DELETE /connections/:id'],
  'roles.store.ts: delete from user_roles': 'a role of the tenant leads in by itself nowhere',
  'assignments.store.ts: delete from user_roles':
    'last-administrator.test.ts: the last platform administrator',
  'assignments.store.ts: update user_roles': 'last-administrator.test.ts: the last platform administrator',
  'roles.store.ts: update connections': 'the roles of new users',
  'mapped.store.ts: delete from user_roles': 'no group makes platform administrators',
  'service-accounts.store.ts: delete from user_roles': 'service accounts sign in nowhere',
  'tenants.store.ts: delete from users': 'the tenant is gone',
  'auth.store.ts: update users': 'the time of a sign-in',
  'linking.store.ts: update users': 'the nickname',
  'linking.store.ts: update connections': 'the time of a sign-in',
  'attempts.store.ts: update connections': 'the time of a test',
  'saml.store.ts: update connections': 'the time of a warning',
  'users.store.ts: update connections': 'why a push was refused',
}

describe('an act that takes the last way into a tenant', () => {
  test.each(Object.entries(acts))('is refused: %s', async (_name, act) => {
    expect(await act()).toMatchObject(refusal('lastWayIn'))
  })

  test('is refused to an operator who resets factors, and the factor stays', async () => {
    const ctx = systemCtx(parts, 'reset-factors')
    await expect(resetFactorsByEmail(ctx, tenant.breakGlass.email)).rejects.toThrow('Name another one')
    expect(ok(await tenant.boss.get('/sso-exemptions'))).toMatchObject([{ has_factor: true }])
  })

  test('is in the table, as is every statement that could', () => {
    const found = filesOf('server/src/**/*.store.ts').flatMap((path) =>
      [
        ...readText(path).matchAll(
          /(?:delete from|update) (?:factors|sso_exemptions|users|connections|user_roles)\b/g,
        ),
      ].map(([statement]) => `${path.replace(/.*\//, '')}: ${statement}`),
    )
    expect([...new Set(found)].toSorted()).toEqual(Object.keys(statements).toSorted())
  })
})

test('the last break-glass user keeps the exemption without a factor too, until another one is named', async () => {
  const [one, next] = careful
  // Deletes the factors, as the loss of a secret key does.
  await parts.store.scoped({}).run(sql`delete from factors where id = ${tenant.app.id}`)
  expect(await exempting(tenant.breakGlass, false)).toMatchObject(refusal('lastWayIn'))
  expect(await acts['PUT /users/:id']()).toMatchObject(refusal('lastWayIn'))
  ok(await exempting(one.user, true))
  ok(await exempting(tenant.breakGlass, false))
  const remove = () => tenant.boss.delete(`${pathOf(one.user)}/factors/${one.factorId}`)
  expect(await remove()).toMatchObject(refusal('lastWayIn'))
  ok(await exempting(next.user, true))
  ok(await remove())
  ok(await tenant.boss.put(ssoPath, { value: 'optional' }))
  ok(await tenant.boss.delete(`${pathOf(next.user)}/factors`))
})
