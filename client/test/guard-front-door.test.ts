/** Tokens of the token endpoint at the guard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  clearCatalogue,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  unique,
  type Caller,
} from '../../server/test/factories.ts'
import {
  changeApplication,
  newApplication,
  newResource,
  openSession,
  postToken,
  refresh,
} from '../../server/test/front-door.ts'
import { signedIn } from '../src/guard/guard.ts'
import { guardWith, visit } from './guarded.ts'

/** Two permissions of the product. */
let [reading, writing] = ['', '']
let ids: number[] = []

beforeAll(async () => {
  const [root, area] = [await platformAdmin(), unique('area')]
  const codes = [`${area}:read`, `${area}:write`]
  const made = codes.map(async (code) => ok(await root.post('/rbac/permissions', { code, name: 'Any' })))
  ids = (await Promise.all(made)).map(({ id }: { id: number }) => id)
  ;[reading = '', writing = ''] = codes
})
afterAll(clearCatalogue)

/** A tenant with a user who holds both permissions. */
const newHolder = async () => {
  const tenant = await newTenant()
  const [user, backend] = [await tenant.member(), await tenant.userWith('authz:check')]
  await giveBoth(tenant.admin, user.userId)
  return { tenant, user, backend }
}

const giveBoth = async ({ tenantId }: Caller, userId: number): Promise<void> => {
  const [root, tenant] = [await platformAdmin(), { tenant: tenantId }]
  const { id } = ok(await root.post('/rbac/roles', { name: unique('role') }, tenant))
  ok(await root.put(`/rbac/roles/${id}/permissions`, { permission_ids: ids }, tenant))
  await assign(tenantId, userId, id)
}

const [missing, invalid, over] = [
  { status: 403, error: 'permissionMissing' },
  { status: 401, error: 'tokenInvalid' },
  { status: 401, error: 'sessionOver' },
]

describe('the token of an own application', () => {
  test('may use all that its user holds, or the permissions that the application asked for', async () => {
    const { user, backend } = await newHolder()
    const { guard } = guardWith({ key: backend.token })
    const application = await newApplication()
    const whole = await openSession(user, application)
    for (const code of [reading, writing]) {
      expect(await visit(guard, code)(whole.access_token)).toMatchObject({ status: 200 })
    }
    const narrow = await openSession(user, application, {
      scopes: ['openid', reading],
      narrowedTo: [reading],
    })
    expect(await visit(guard, reading)(narrow.access_token)).toMatchObject({
      caller: { userId: user.userId, permissions: [reading] },
    })
    expect(await visit(guard, writing)(narrow.access_token)).toEqual(missing)
    const { body } = await refresh(application, narrow.refresh_token)
    expect(await visit(guard, reading)(body.access_token)).toMatchObject({ status: 200 })
    expect(await visit(guard, writing)(body.access_token)).toEqual(missing)
  })

  test('names the person, and its ID and refresh tokens are refused', async () => {
    const { tenant, user, backend } = await newHolder()
    const into = visit(guardWith({ key: backend.token }).guard, signedIn())
    const tokens = await openSession(user, await newApplication(), { scopes: ['openid', 'profile', 'email'] })
    const { caller } = await into(tokens.access_token)
    const root = await platformAdmin()
    const { person } = ok(await root.get(`/users/${user.userId}?include=person`, { tenant: tenant.id }))
    expect(await caller?.person()).toBe(person)
    for (const token of [tokens.id_token, tokens.refresh_token]) expect(await into(token)).toEqual(invalid)
  })

  test('is 401 once its application is disabled', async () => {
    const { user, backend } = await newHolder()
    const { guard } = guardWith({ key: backend.token })
    const application = await newApplication()
    const { access_token: token } = await openSession(user, application)
    expect(await visit(guard, reading)(token)).toMatchObject({ status: 200 })
    await changeApplication(application, { status: 0 })
    guard.forget()
    expect(await visit(guard, reading)(token)).toEqual(over)
  })
})

describe('the token for a resource', () => {
  test('comes in only at the resource, with the permissions that were given', async () => {
    const { user, backend } = await newHolder()
    const resource = await newResource(ids)
    const application = await newApplication({ is_third_party: true, resource_ids: [resource.id] })
    const { access_token: token } = await openSession(user, application, {
      resource,
      scopes: ['openid', reading],
      narrowedTo: [reading],
    })
    const key = backend.token
    const { guard } = guardWith({ key, resource: resource.identifier })
    expect(await visit(guard, reading)(token)).toMatchObject({ status: 200 })
    expect(await visit(guard, writing)(token)).toEqual(missing)
    const others = [{}, { resource: (await newResource(ids)).identifier }]
    for (const options of others) {
      expect(await visit(guardWith({ key, ...options }).guard, signedIn())(token)).toEqual(invalid)
    }
  })

  test('a token of a third party without a resource is refused on every route', async () => {
    const { user, backend } = await newHolder()
    const application = await newApplication({ is_third_party: true })
    const { access_token: token } = await openSession(user, application, { narrowedTo: [] })
    expect(await visit(guardWith({ key: backend.token }).guard, signedIn())(token)).toEqual(invalid)
  })
})

test('the token of a service account may use what the account holds, narrowed where it was asked to be', async () => {
  const { tenant, backend } = await newHolder()
  const account = await keyWith(tenant.id, [])
  await giveBoth(tenant.admin, account.userId)
  const resource = await newResource([ids[0] ?? 0])
  const tokenFor = async (more: Record<string, string>) => {
    const credentials = { client_id: `sa_${account.userId}`, client_secret: account.token }
    const { status, body } = await postToken({ grant_type: 'client_credentials', ...credentials, ...more })
    expect(status).toBe(200)
    return body.access_token as string
  }
  const statuses = async (token: string, options: object = {}) => {
    const { guard } = guardWith({ key: backend.token, ...options })
    const answers = [reading, writing].map(async (code) => (await visit(guard, code)(token)).status)
    return Promise.all(answers)
  }
  expect(await statuses(await tokenFor({}))).toEqual([200, 200])
  expect(await statuses(await tokenFor({ scope: writing }))).toEqual([403, 200])
  const forResource = await tokenFor({ resource: resource.identifier })
  expect(await statuses(forResource, { resource: resource.identifier })).toEqual([200, 403])
  expect(await statuses(forResource)).toEqual([401, 401])
  const whole = await tokenFor({})
  ok(await tenant.admin.delete(`/service-accounts/${account.userId}/keys/${account.keyId}`))
  expect(await statuses(whole)).toEqual([401, 401])
})
