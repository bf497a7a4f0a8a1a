/** A support session is refused at every endpoint, except for those that this file lists a second time. */
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { errorCodes } from '../src/errors/app-error.ts'
import { endpoints } from './endpoints.ts'
import { ok } from './factories.ts'
import { call, parts, service } from './harness.ts'
import { openSupport, supported } from './support.ts'

/** Reads by permission, and the endpoints that need none. */
const view = `
GET /profile, GET /ping, GET //ping, GET /authz/permissions, POST /authz/check, GET /events/stream,
POST //ofrep/v1/evaluate/flags/:key, POST //ofrep/v1/evaluate/flags, POST /auth/logout,
GET /notifications/:id, GET /notifications/user/:userId, GET /notifications/unread-count,
GET /rbac/users/:userId/roles, GET /rbac/assignments, GET /rbac/users/:userId/eligible-roles, GET /elevations,
GET /org/tenants/:id, GET /org/tenants/:id/attributes, GET /org/usage,
GET /settings/effective, GET /settings/effective/:key, GET /settings/user/:key,
GET /users, GET /users/:id, GET /users/:id/attributes, GET /users/:id/sessions, GET /invitations,
GET /rbac/permissions, GET /rbac/role-templates, GET /rbac/roles, GET /rbac/roles/:id, GET /rbac/roles/:id/permissions,
GET /rbac/roles/:id/users, GET /service-accounts, GET /service-accounts/:id, GET /service-accounts/:id/keys,
GET /audit/logs, GET /audit/logs/:id, GET /settings, GET /settings/global/:key, GET /settings/tenant,
GET /settings/tenant/:key, GET /settings/tenant/:key/history, GET /settings/definitions, GET /settings/users/:id/:key,
GET /webhooks, GET /webhooks/:id, GET /webhooks/:id/deliveries, GET /webhooks/:id/deliveries/:deliveryId,
GET /grants, GET /setup-links, GET /sso-exemptions, GET /sso-exemptions/effect, GET /connections, GET /connections/:id,
GET /connections/:id/attempts,
GET /domains, GET /directory/groups, GET /dashboard/stats, GET /dashboard/activity`

const act = `
PUT /settings/user/:key, DELETE /settings/user/:key, PUT /settings/users/:id/:key, DELETE /settings/users/:id/:key,
PUT /settings/tenant/:key, DELETE /settings/tenant/:key, POST /settings/tenant/:key/revert`

const listed = (text: string): string[] => text.trim().split(/,\s+/)

const nameOf = (method: string, url: string): string =>
  `${method} ${url.startsWith('/api/v1') ? url.slice('/api/v1'.length) : `/${url}`}`

test('only the listed routes declare that they serve support sessions', async () => {
  const opened = service.routes.flatMap(({ method, url, config }) =>
    [method]
      .flat()
      .flatMap((one) =>
        config?.support && !['HEAD', 'OPTIONS'].includes(one) ? [[nameOf(one, url), config.support]] : [],
      ),
  )
  expect(Object.fromEntries(opened)).toEqual(
    Object.fromEntries([
      ...listed(view).map((name) => [name, 'view']),
      ...listed(act).map((name) => [name, 'act']),
    ]),
  )
})

const fillers: Record<string, string> = {
  key: 'wall.color',
  subject: 'user',
  sessionId: '6f3a1c9e-1111-4222-8333-444455556666',
}

const uuidPaths = /^\/(?:auth\/(?:sessions|factors|identities)|connections|setup-links|providers|support)\b/

const pathOf = (path: string, tenantId: string): string =>
  path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
    if (name === 'tenantId' || path.startsWith('/org/tenants/')) return tenantId
    if (name === 'factorId' || name === 'secretId' || uuidPaths.test(path)) return fillers['sessionId'] ?? ''
    return fillers[name] ?? '1'
  })

test('every endpoint refuses a support session, or its record names both people', async () => {
  const { tenant, user, staff } = await supported(
    'setting:update',
    'setting:delete',
    'setting:read',
    'user:read',
  )
  const declaration = { schema: {}, scopes: ['tenant', 'user'] }
  ok(await staff.put('/settings/definitions/wall.color', declaration))
  const { id, session } = await openSupport(staff, user)
  const open = new Set([...listed(view), ...listed(act)])
  const endless = ['GET /events/stream', 'POST /auth/logout']
  const recordsAfter = (after: number) =>
    parts.store.scoped({ tenantId: tenant.id }).many<any>(sql`
      select id, user_id, on_behalf_of, detail from audit_logs where tenant_id = ${tenant.id} and id > ${after} order by id`)
  const wrong: unknown[] = []
  const whoActed = ({ user_id, on_behalf_of, detail: { support, actor } }: any) => [
    user_id,
    on_behalf_of,
    support?.on_behalf_of.id,
    support?.id,
    actor.kind,
  ]
  const changing: string[] = []
  let last = (await recordsAfter(0)).at(-1).id as number
  for (const endpoint of endpoints.filter(
    ({ caller, name }) => caller !== 'nobody' && !endless.includes(name),
  )) {
    const { name, method, path } = endpoint
    const body = endpoint.body?.({ userId: user.userId, roleId: 1, tenantId: tenant.id })
    const own = path.replace('/settings/users/:id', `/settings/users/${user.userId}`)
    const { status, body: answer } = await call(method, pathOf(own, tenant.id), {
      token: session.token,
      tenant: tenant.id,
      body,
    })
    const records = await recordsAfter(last)
    last = records.at(-1)?.id ?? last
    const served = { isShut: answer.code === errorCodes.supportShut, records: records.map(whoActed) }
    const isServed = open.has(name)
    const both = [staff.userId, user.userId, user.userId, id, 'platform']
    const expected = { isShut: !isServed, records: isServed ? records.map(() => both) : [] }
    changing.push(...records.map(() => name))
    if (!isDeepStrictEqual(served, expected)) wrong.push([name, status, answer, records])
  }
  expect(wrong).toEqual([])
  expect(changing.toSorted()).toEqual(listed(act).toSorted())
  expect((await session.get('/ping')).status).toBe(200)
})
