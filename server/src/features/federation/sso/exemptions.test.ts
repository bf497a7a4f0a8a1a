/**
 * The rules of `auth.sso`: nobody can lock out a tenant by mistake, and only a caller with rank over the tenant can
 * lift the requirement.
 */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import { postLogin } from '../../../../test/accounts.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { bySso, insertActiveConnection, insertConnectionRows } from '../../../../test/connection-rows.ts'
import {
  assign,
  auditRecords,
  newTenant,
  ok,
  platformAdmin,
  systemRoleId,
  type Caller,
} from '../../../../test/factories.ts'
import { asTwin, forge } from '../../../../test/forged-exports.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { addTotp } from '../../../../test/second-factors.ts'
import { newReadyTenant, newShutTenant, ssoPath, type ReadyTenant } from '../../../../test/shut-tenants.ts'
import { inTenant } from '../../../context.ts'
import { systemCtx } from '../../../start/parts.ts'
import { createSecretKeys } from '../../configuration/settings/declared.service.ts'
import { putTenantSetting } from '../../configuration/settings/writes.service.ts'
import { importTenant } from '../../tenancy/transfer/import.service.ts'

const hour = 3_600_000
const required = { value: 'required' }
const optional = { value: 'optional' }

/** A user with a second factor. */
const newCareful = async (tenant: Pick<ReadyTenant, 'member'>): Promise<Caller> => {
  const user = await tenant.member()
  await addTotp(user)
  return user
}

const exempting = (by: Caller, { userId }: Pick<Caller, 'userId'>, exempt = true) =>
  by.put(`/users/${userId}/sso-exemption`, { exempt })

/** Another administrator. A connection opened the administrator's session. */
const newAdmin = async (tenant: ReadyTenant): Promise<Caller> => {
  const user = await tenant.member()
  await assign(tenant.id, user.userId, systemRoleId('admin'))
  return bySso(user, tenant.connection)
}

const titlesOf = async (who: Caller): Promise<string[]> =>
  ok(await who.get(`/notifications/user/${who.userId}`)).items.map(({ title }: { title: string }) => title)

describe('requiring the connection', () => {
  test('takes a session of it within the last hour, and a break-glass user with a second factor', async () => {
    const tenant = await newReadyTenant()
    const { boss, breakGlass } = tenant
    ok(await exempting(boss, breakGlass, false))
    expect(await boss.put(ssoPath, required)).toMatchObject(refusal('connectionUnproved'))
    ok(await exempting(boss, breakGlass))
    const byPassword = await tenant.member()
    await assign(tenant.id, byPassword.userId, systemRoleId('admin'))
    const root = await platformAdmin()
    for (const by of [byPassword, root]) {
      expect(await by.put(ssoPath, required, { tenant: tenant.id })).toMatchObject(
        refusal('connectionUnproved'),
      )
    }
    clock.advance(hour)
    expect(await boss.put(ssoPath, required)).toMatchObject(refusal('connectionUnproved'))
    clock.advance(-hour + 60_000)
    const status = (to: string) =>
      parts.store
        .scoped({ tenantId: tenant.id })
        .run(sql`update connections set status = ${to} where tenant_id = ${tenant.id}`)
    await status('draft')
    expect(await boss.put(ssoPath, required)).toMatchObject(refusal('connectionUnproved'))
    await status('active')
    ok(await boss.put(ssoPath, required))
    // The refused requests changed nothing.
    expect((await postLogin(byPassword.email)).status).toBe(401)
  })

  test('is told to other managers, and takes no other value', async () => {
    const tenant = await newReadyTenant()
    const second = await newAdmin(tenant)
    for (const value of [true, 'yes', null, ['required']]) {
      expect(await tenant.boss.put(ssoPath, { value })).toMatchObject(refusalOf('value'))
    }
    ok(await tenant.boss.put(ssoPath, required))
    ok(await second.put(ssoPath, optional))
    expect(await titlesOf(second)).toContain('Single sign-on is now required')
    expect(await titlesOf(tenant.boss)).toContain('Single sign-on is no longer required')
    const records = await auditRecords(tenant.id, 'setting', 'auth.sso')
    expect(records.map(({ action }) => action)).toEqual(['setting.update', 'setting.create'])
  })
})

describe('a caller without rank over the tenant', () => {
  test.each(['required', 'optional'])(
    'does not change the setting of a tenant where it is %s: by a write, a deletion or a reversion',
    async (value) => {
      const tenant = await newReadyTenant()
      const clerk = await bySso(
        await tenant.userWith('setting:read', 'setting:update', 'setting:delete', 'sso:manage'),
        tenant.connection,
      )
      ok(await tenant.boss.put(ssoPath, optional))
      ok(await tenant.boss.put(ssoPath, required))
      if (value === 'optional') ok(await tenant.boss.put(ssoPath, optional))
      const [other, version] = value === 'required' ? [optional, 1] : [required, 2]
      const attempts = [
        () => clerk.put(ssoPath, other),
        () => clerk.put(ssoPath, { value }),
        () => clerk.delete(ssoPath),
        () => clerk.post(`${ssoPath}/revert`, { version }),
      ]
      for (const attempt of attempts) {
        expect(await attempt()).toMatchObject(refusal('targetOutranksCaller'))
      }
      expect(ok(await tenant.boss.get(ssoPath)).value).toBe(value)
    },
  )

  test('names and removes no break-glass user', async () => {
    const tenant = await newReadyTenant()
    const clerk = await tenant.userWith('sso:read', 'sso:manage')
    await addTotp(clerk)
    expect(await exempting(clerk, clerk)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await exempting(clerk, tenant.breakGlass, false)).toMatchObject(refusal('targetOutranksCaller'))
    expect(ok(await clerk.get('/sso-exemptions'))).toHaveLength(1)
  })
})

describe('opening the tenant again', () => {
  let tenant: ReadyTenant
  let user: Caller
  beforeAll(async () => {
    tenant = await newReadyTenant()
    user = await tenant.member()
  })

  test('is for the administrator, by a deletion or a reversion too, and for the platform administrator', async () => {
    ok(await tenant.boss.put(ssoPath, optional))
    const root = await platformAdmin()
    const ways = [
      () => tenant.boss.delete(ssoPath),
      () => tenant.boss.post(`${ssoPath}/revert`, { version: 1 }),
      () => root.put(ssoPath, optional, { tenant: tenant.id }),
      () => root.delete(ssoPath, { tenant: tenant.id }),
    ]
    for (const openAgain of ways) {
      ok(await tenant.boss.put(ssoPath, required))
      expect(await postLogin(user.email)).toMatchObject(refusal('connectionNeeded'))
      ok(await openAgain())
      ok(await postLogin(user.email))
    }
  })

  test('a reversion to required has to fulfil what turning it on does', async () => {
    const other = await newReadyTenant()
    ok(await other.boss.put(ssoPath, required))
    ok(await other.boss.put(ssoPath, optional))
    ok(await exempting(other.boss, other.breakGlass, false))
    expect(await other.boss.post(`${ssoPath}/revert`, { version: 1 })).toMatchObject(
      refusal('connectionUnproved'),
    )
    ok(await exempting(other.boss, other.breakGlass))
    ok(await other.boss.post(`${ssoPath}/revert`, { version: 1 }))
  })
})

describe('break-glass users', () => {
  test('are up to three, with a second factor each, and of no directory', async () => {
    const tenant = await newReadyTenant()
    const { boss } = tenant
    expect(await exempting(boss, await tenant.member())).toMatchObject(refusalOf('exempt'))
    const pushed = await newTenant()
    await addTotp(pushed.admin)
    await insertConnectionRows(pushed)
    await parts.store
      .scoped({ tenantId: pushed.id })
      .run(sql`delete from sso_exemptions where tenant_id = ${pushed.id}`)
    expect(await exempting(pushed.admin, pushed.admin)).toMatchObject(refusalOf('exempt'))
    const [second, third, fourth] = [
      await newCareful(tenant),
      await newCareful(tenant),
      await newCareful(tenant),
    ]
    for (const user of [second, second, third]) ok(await exempting(boss, user))
    expect(await exempting(boss, fourth)).toMatchObject(refusal('exemptionsFull'))
    expect(await exempting(boss, (await newTenant()).admin)).toMatchObject(refusal('userUnknown'))
    const listed = ok(await boss.get('/sso-exemptions'))
    expect(listed[1]).toEqual({
      user_id: second.userId,
      username: second.username,
      email: second.email,
      has_factor: true,
    })
    expect(listed).toHaveLength(3)
    const changes = (await auditRecords(tenant.id, 'user', second.userId)).filter(
      (one) => 'sso_exempt' in one.detail,
    )
    expect(changes.map(({ detail }) => detail['sso_exempt'])).toEqual([{ from: false, to: true }])
  })

  test('end with their exemption, which somebody else keeps', async () => {
    const tenant = await newReadyTenant()
    const { boss, breakGlass } = tenant
    const second = await newCareful(tenant)
    ok(await exempting(boss, second))
    ok(await boss.put(ssoPath, required))
    expect((await breakGlass.get('/ping')).status).toBe(200)
    ok(await exempting(boss, breakGlass, false))
    expect((await breakGlass.get('/ping')).status).toBe(401)
    expect(await postLogin(breakGlass.email)).toMatchObject(refusal('connectionNeeded'))
    expect((await second.get('/ping')).status).toBe(200)
  })
})

test('the last active connection is not disabled or deleted while nothing else leads in', async () => {
  const tenant = await newShutTenant()
  const { boss, connection } = tenant
  const path = `/connections/${connection}`
  expect(await boss.put(path, { status: 'disabled' })).toMatchObject(refusal('lastWayIn'))
  expect(await boss.delete(path)).toMatchObject(refusal('lastWayIn'))
  ok(await boss.put(path, { name: 'Renamed' }))
  const second = await insertActiveConnection(tenant)
  ok(await boss.put(`/connections/${second}`, { status: 'disabled' }))
  ok(await boss.delete(`/connections/${second}`))
  const third = await insertActiveConnection(tenant)
  const next = await bySso(boss, third)
  ok(await next.delete(path))
  expect(await next.delete(`/connections/${third}`)).toMatchObject(refusal('lastWayIn'))
})

test('the setting leaves the tenant with no export, and comes with none', async () => {
  const tenant = await newShutTenant()
  ok(await tenant.boss.put('/settings/tenant/color', { value: 'red' }))
  let keys: string[] = []
  const file = await forge(tenant, (rows, about) => {
    asTwin(rows, about)
    keys = (rows['07-settings'] ?? []).map(({ key }: { key: string }) => key)
    const [row] = rows['07-settings'] ?? []
    Object.assign(row, { key: 'auth.sso', value: 'required' })
  })
  expect(keys).toEqual(['color'])
  await expect(importTenant(systemCtx(parts, 'test'), file)).rejects.toThrow('07-settings')
})

test('the operator opens a tenant again', async () => {
  const tenant = await newReadyTenant()
  const user = await tenant.member()
  ok(await tenant.boss.put(ssoPath, required))
  const ctx = inTenant(systemCtx(parts, 'sso optional'), tenant.id)
  await putTenantSetting(ctx, createSecretKeys(), 'auth.sso', { value: 'optional', ifMatch: undefined })
  ok(await postLogin(user.email))
  const [record] = await auditRecords(tenant.id, 'setting', 'auth.sso')
  expect(record).toMatchObject({ user_id: 0, action: 'setting.update' })
})
