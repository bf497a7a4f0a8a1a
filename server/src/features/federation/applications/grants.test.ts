import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consent,
  giveSession,
  newApplication,
  newResource,
  queuedLogouts,
} from '../../../../test/applications.ts'
import { refusal } from '../../../../test/answers.ts'
import {
  auditRecords,
  clearCatalogue,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import { inTenant } from '../../../context.ts'
import { systemCtx } from '../../../start/parts.ts'
import { findGrant } from './grants.service.ts'

let tenant: Tenant
let user: Caller
let resource: { id: number; identifier: string }

const root = () => platformAdmin()

beforeAll(async () => {
  const code = `${unique('m')}:read`
  const { id } = ok(await (await root()).post('/rbac/permissions', { code, name: 'Read' }))
  resource = await newResource(id)
  tenant = await newTenant()
  user = await tenant.userWith()
})
afterAll(clearCatalogue)

const foreign = (fields: object = {}) => newApplication({ is_third_party: true, ...fields })

describe('a consent', () => {
  test('is shown to its user, with application, host, scopes and resource', async () => {
    const person = await tenant.member()
    const [one, two] = [await foreign(), await foreign()]
    const first = await consent(person, one, { scopes: ['profile', 'openid'] })
    const second = await consent(person, two, { resourceId: resource.id, host: 'two.example.com' })
    expect(ok(await person.get('/auth/grants'))).toStrictEqual([
      {
        id: second,
        application: { id: two.id, name: two.name, host: 'two.example.com' },
        user_id: person.userId,
        scopes: ['openid'],
        resource: resource.identifier,
        last_used_at: '',
        created_at: expect.any(String),
      },
      {
        id: first,
        application: { id: one.id, name: one.name, host: 'shop.example.com' },
        user_id: person.userId,
        scopes: ['openid', 'profile'],
        resource: '',
        last_used_at: '',
        created_at: expect.any(String),
      },
    ])
    expect(ok(await user.get('/auth/grants'))).toEqual([])
  })

  test('is kept once for each user, application, resource and host, and widened with a record', async () => {
    const application = await foreign()
    const subject = {
      userId: user.userId,
      applicationId: application.id,
      resourceId: 0,
      host: 'shop.example.com',
    }
    const find = (differing: Partial<typeof subject> = {}) =>
      findGrant(inTenant(systemCtx(parts, 'test'), tenant.id), { ...subject, ...differing })
    expect(await find()).toBeUndefined()
    const id = await consent(user, application, { scopes: ['openid'] })
    expect(await consent(user, application, { scopes: ['openid'] })).toBe(id)
    expect(await consent(user, application, { scopes: ['email'] })).toBe(id)
    expect(await find()).toEqual({ id, scopes: ['email', 'openid'] })
    for (const differing of [
      { host: 'x.example.com' },
      { resourceId: resource.id },
      { userId: tenant.admin.userId },
    ]) {
      expect(await find(differing)).toBeUndefined()
    }
    const records = await auditRecords(tenant.id, 'grant', id)
    expect(records).toMatchObject([
      {
        action: 'grant.create',
        user_id: user.userId,
        detail: { scopes: { from: ['openid'], to: ['email', 'openid'] } },
      },
      {
        action: 'grant.create',
        user_id: user.userId,
        detail: { application: { to: application.name }, scopes: { from: null, to: ['openid'] } },
      },
    ])
  })

  test('consents of users are listed in their tenant, by application and user, in pages', async () => {
    const other = await newTenant()
    const [one, two] = [await tenant.member(), await tenant.member()]
    const application = await foreign()
    const [first, second] = [await consent(one, application), await consent(two, application)]
    await consent(other.admin, application)
    const reader = await tenant.userWith('grant:read')
    const list = async (query: string) => {
      const { items, total } = ok(await reader.get(`/grants?${query}`))
      return [items.map(({ id }: { id: number }) => id), total]
    }
    expect(await list(`application_id=${application.id}`)).toEqual([[second, first], 2])
    expect(await list(`application_id=${application.id}&page=2&page_size=1`)).toEqual([[first], 2])
    expect(await list(`user_id=${one.userId}`)).toEqual([[first], 1])
    expect(await list(`user_id=${other.admin.userId}`)).toEqual([[], 0])
    const { items, total } = ok(await reader.get('/grants?page_size=200'))
    expect(total).toBe(items.length)
  })

  test.each(['its user', 'an administrator'])(
    'a consent that %s revokes is deleted, with its sessions and a record',
    async (who) => {
      const application = await foreign({
        backchannel_logout_uri: `https://${unique('l')}.example.com/logout`,
      })
      const person = await tenant.member()
      const grantId = await consent(person, application)
      const ended = await signIn(person)
      await giveSession(person, { applicationId: application.id, grantId })
      const other = await signIn(person)
      expect(await ended.get('/profile')).toMatchObject(refusal('applicationShut'))
      if (who === 'its user') ok(await other.delete(`/auth/grants/${grantId}`))
      else ok(await (await tenant.userWith('grant:revoke')).delete(`/grants/${grantId}`))
      expect((await ended.get('/profile')).status).toBe(401)
      expect((await other.get('/profile')).status).toBe(200)
      expect(ok(await other.get('/auth/grants'))).toEqual([])
      const queued = await queuedLogouts(application.backchannel_logout_uri)
      const logout = { client_id: application.client_id, tenant_id: tenant.id, user_id: person.userId }
      expect(queued).toEqual([logout, logout])
      const [record] = await auditRecords(tenant.id, 'grant', grantId)
      expect(record).toMatchObject({
        action: 'grant.revoke',
        detail: { application: { from: application.name }, scopes: { from: ['openid'], to: null } },
      })
      expect(await other.delete(`/auth/grants/${grantId}`)).toMatchObject(refusal('grantUnknown'))
      expect(await tenant.admin.delete(`/grants/${grantId}`)).toMatchObject(refusal('grantUnknown'))
    },
  )

  test('a consent of another user or tenant cannot be revoked: 404', async () => {
    const other = await newTenant()
    const id = await consent(tenant.admin, await foreign())
    expect(await user.delete(`/auth/grants/${id}`)).toMatchObject(refusal('grantUnknown'))
    expect(await other.admin.delete(`/grants/${id}`)).toMatchObject(refusal('grantUnknown'))
    expect(await tenant.admin.delete(`/grants/${nobodysId}`)).toMatchObject(refusal('grantUnknown'))
    expect(ok(await tenant.admin.get('/auth/grants')).map((one: { id: number }) => one.id)).toContain(id)
  })

  test('ends with its application, its resource, and a resource that gets another identifier', async () => {
    const person = await tenant.member()
    const [application, kept] = [await foreign(), await foreign()]
    const [
      {
        permission_ids: [permissionId],
      },
    ] = ok(await (await root()).get('/resources?page_size=200')).items.slice(-1)
    const [gone, changed] = [await newResource(permissionId), await newResource(permissionId)]
    await consent(person, application)
    await consent(person, kept, { resourceId: gone.id })
    await consent(person, kept, { resourceId: changed.id })
    const last = await consent(person, kept)
    ok(await (await root()).delete(`/applications/${application.id}`))
    ok(await (await root()).delete(`/resources/${gone.id}`))
    ok(await (await root()).put(`/resources/${changed.id}`, { name: 'New' }))
    expect(ok(await person.get('/auth/grants'))).toHaveLength(2)
    const identifier = `https://${unique('r')}.example.com`
    ok(await (await root()).put(`/resources/${changed.id}`, { identifier }))
    expect(ok(await person.get('/auth/grants')).map(({ id }: { id: number }) => id)).toEqual([last])
  })
})
