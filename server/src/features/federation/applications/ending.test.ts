/** A session of an application ends with anything that it depends on, at once and in all tenants. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveSession, newApplication, newResource, queuedLogouts } from '../../../../test/applications.ts'
import {
  clearCatalogue,
  newTenant,
  ok,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'

let permissionId = 0
let tenants: [Tenant, Tenant]

const root = () => platformAdmin()

beforeAll(async () => {
  const code = `${unique('m')}:read`
  permissionId = ok(await (await root()).post('/rbac/permissions', { code, name: 'Read' })).id
  tenants = [await newTenant(), await newTenant()]
})
afterAll(clearCatalogue)

interface OfSession {
  applicationId: number
  resourceId?: number
}

/** A user of a tenant whose session belongs to an application, and whom the service has cached. */
const signedIn = async (tenant: Tenant, of: OfSession): Promise<Caller> => {
  const member = await tenant.member()
  await giveSession(member, of)
  expect(await areLiving(member)).toEqual([true])
  return member
}

/** Whether each session continues: it then gets 403 from an endpoint that it may not use. */
const areLiving = async (...callers: Caller[]): Promise<boolean[]> =>
  Promise.all(callers.map(async (caller) => (await caller.get('/profile')).status !== 401))

const withLogout = (fields: object = {}) =>
  newApplication({ backchannel_logout_uri: `https://${unique('l')}.example.com/logout`, ...fields })

test.each([
  ['disabled', async (path: string) => (await root()).put(path, { status: 0 })],
  ['deleted', async (path: string) => (await root()).delete(path)],
])(
  'the sessions of an application that is %s end in all tenants, and queue their logout tokens',
  async (_how, act) => {
    const [application, other] = [await withLogout(), await withLogout()]
    const applicationId = application.id
    const ended = [
      await signedIn(tenants[0], { applicationId }),
      await signedIn(tenants[1], { applicationId }),
    ]
    const [first] = ended
    const kept = [
      await signedIn(tenants[0], { applicationId: other.id }),
      first ? await signIn(first) : await tenants[0].member(),
    ]
    ok(await act(`/applications/${applicationId}`))
    expect(await areLiving(...ended)).toEqual([false, false])
    expect(await areLiving(...kept)).toEqual([true, true])
    expect(await queuedLogouts(application.backchannel_logout_uri)).toEqual(
      ended
        .map(({ tenantId, userId }) => ({
          client_id: application.client_id,
          tenant_id: tenantId,
          user_id: userId,
        }))
        .toSorted((a, b) => a.user_id - b.user_id),
    )
    expect(await queuedLogouts(other.backchannel_logout_uri)).toEqual([])
  },
)

test('no logout token is queued for an application that asks for none', async () => {
  const { id: applicationId } = await newApplication()
  const user = await signedIn(tenants[0], { applicationId })
  ok(await (await root()).put(`/applications/${applicationId}`, { status: 0 }))
  expect(await areLiving(user)).toEqual([false])
  const rows = await parts.store.scoped({}).many(sql`select from logout_queue where user_id = ${user.userId}`)
  expect(rows).toEqual([])
})

test('a tenant that an application serves no longer loses its sessions, and no other tenant', async () => {
  const { id: applicationId } = await newApplication()
  const path = `/applications/${applicationId}`
  const [one, two] = [
    await signedIn(tenants[0], { applicationId }),
    await signedIn(tenants[1], { applicationId }),
  ]
  ok(await (await root()).put(path, { tenant_ids: [tenants[0].id, tenants[1].id] }))
  expect(await areLiving(one, two)).toEqual([true, true])
  ok(await (await root()).put(path, { tenant_ids: [tenants[1].id] }))
  expect(await areLiving(one, two)).toEqual([false, true])
  ok(await (await root()).put(path, { tenant_ids: [] }))
  expect(await areLiving(two)).toEqual([false])
})

test('a resource that an application may name no longer takes its sessions along', async () => {
  const [one, two] = [await newResource(permissionId), await newResource(permissionId)]
  const { id: applicationId } = await newApplication({ resource_ids: [one.id, two.id] })
  const users = [
    await signedIn(tenants[0], { applicationId, resourceId: one.id }),
    await signedIn(tenants[0], { applicationId, resourceId: two.id }),
    await signedIn(tenants[0], { applicationId }),
  ]
  ok(await (await root()).put(`/applications/${applicationId}`, { resource_ids: [two.id] }))
  expect(await areLiving(...users)).toEqual([false, true, true])
})

test.each([
  ['is deleted', async (path: string) => (await root()).delete(path)],
  [
    'gets another identifier',
    async (path: string) => (await root()).put(path, { identifier: `https://${unique('r')}.example.com` }),
  ],
])('the sessions for a resource that %s end in all tenants', async (_how, act) => {
  const { id: resourceId } = await newResource(permissionId)
  const application = await withLogout({ resource_ids: [resourceId] })
  const applicationId = application.id
  const [one, two, kept] = [
    await signedIn(tenants[0], { applicationId, resourceId }),
    await signedIn(tenants[1], { applicationId, resourceId }),
    await signedIn(tenants[0], { applicationId }),
  ]
  ok(await act(`/resources/${resourceId}`))
  expect(await areLiving(one, two, kept)).toEqual([false, false, true])
  expect(await queuedLogouts(application.backchannel_logout_uri)).toHaveLength(2)
})

test('a resource that clients may name no longer which registered themselves loses their sessions alone', async () => {
  const { id: resourceId } = await newResource(permissionId, { allow_unregistered: true })
  const foreign = { kind: 'native', is_third_party: true, resource_ids: [resourceId] }
  const [managed, registered] = [await newApplication(foreign), await newApplication(foreign)]
  await parts.store
    .scoped({})
    .run(sql`update applications set origin = 'registered' where id = ${registered.id}`)
  const users = [
    await signedIn(tenants[0], { applicationId: managed.id, resourceId }),
    await signedIn(tenants[0], { applicationId: registered.id, resourceId }),
  ]
  ok(await (await root()).put(`/resources/${resourceId}`, { allow_unregistered: false }))
  expect(await areLiving(...users)).toEqual([true, false])
})

test('other redirect addresses and another secret end no session', async () => {
  const { id: applicationId } = await newApplication()
  const user = await signedIn(tenants[0], { applicationId })
  ok(
    await (
      await root()
    ).put(`/applications/${applicationId}`, { redirect_uris: ['https://new.example.com/cb'] }),
  )
  ok(await (await root()).post(`/applications/${applicationId}/secrets`))
  expect(await areLiving(user)).toEqual([true])
})

test('a session names its application in the lists of its user and of administrators', async () => {
  const { id, name } = await newApplication()
  const user = await signedIn(tenants[0], { applicationId: id })
  const own = await signIn(user)
  const listedOwn = ok(await own.get('/auth/sessions'))
  const applicationOf = (isCurrent: boolean) =>
    listedOwn.find((one: { is_current: boolean }) => one.is_current === isCurrent).application
  expect([applicationOf(true), applicationOf(false)]).toEqual([null, { id, name }])
  const listed = ok(await tenants[0].admin.get(`/users/${user.userId}/sessions`))
  expect(listed.map((one: { application: unknown }) => one.application)).toEqual(
    expect.arrayContaining([null, { id, name }]),
  )
})
