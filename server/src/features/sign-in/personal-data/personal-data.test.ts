import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { actionsOf, recordsOf } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { consent, giveSession, newApplication } from '../../../../test/applications.ts'
import {
  assign,
  keyWith,
  newTenant,
  ok,
  password,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { newSignIn } from '../../../../test/front-door.ts'
import { call, parts, service, startApp, type Answer, type Call } from '../../../../test/harness.ts'
import { insertLink, useMailServer } from '../../../../test/mail-queue.ts'
import { narrow } from '../../../../test/narrowed-sessions.ts'
import { invite, joinTenant, newPerson, type Person } from '../../../../test/people.ts'
import { addPasskey, addTotp, proveBy, withTokens } from '../../../../test/second-factors.ts'
import { AccountExport, UserExport } from './personal-data.schemas.ts'

const server = useMailServer()
const ajv = new Ajv2020({ strict: false, formats: { ...fullFormats, name: true } })

/** The schema with every object closed, so that an undeclared field fails. Only the `detail` of a record stays open. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, closed(part)]))
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy
}

const validators = {
  account: ajv.compile(closed(AccountExport) as object),
  user: ajv.compile(closed(UserExport) as object),
}

/** The content of a file, which must fit its closed schema. */
const contentOf = (kind: keyof typeof validators, { status, headers, text }: Answer) => {
  expect([status, text.slice(0, 1)]).toEqual([200, '{'])
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.json"$/)
  const content: unknown = JSON.parse(text)
  expect([validators[kind](content), validators[kind].errors]).toEqual([true, null])
  return content as Record<string, any>
}

const exportAccount = (token: string, given = password, options: Call = {}) =>
  call('POST', '/auth/account/export', { token, body: { password: given }, ...options })

const callerOf = async ({ token, refreshToken }: Person, home: Tenant): Promise<Caller> =>
  withTokens(await home.member(), { access_token: token, refresh_token: refreshToken })

const inTenantOf = ({ tenantId }: Pick<Person, 'tenantId'>) => parts.store.scoped({ tenantId })

/** Inserts a record as another version or an import could have written it. */
const insertRecord = (
  tenantId: string,
  { by, about, kind }: { by: number; about: number | null; kind: string },
  resourceId: string,
) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into audit_logs (tenant_id, user_id, action, resource, resource_id, about_user_id, detail, ip, user_agent,
      trace_id, created_at)
    values (${tenantId}, ${by}, 'user.update', 'user', ${resourceId}, ${about},
      ${JSON.stringify({ actor: { name: 'somebody', kind } })}, '192.0.2.99', 'their browser', '', now())`)

interface Membership {
  tenant: { id: string }
  user: { id: number }
  [list: string]: any
}

const membershipIn = (content: Record<string, any>, { tenantId }: { tenantId: string }): Membership => {
  const memberships = content['memberships'] as Membership[]
  return memberships.find(({ tenant }) => tenant.id === tenantId) as Membership
}

describe('the export of the own account', () => {
  test('holds what is stored about the person in every tenant', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const here = await newPerson(server, home)
    const there = await joinTenant(server, here, away)
    const third = await newTenant()
    await invite(server, third.admin, { email: here.email, nickname: 'Countess' })
    const application = await newApplication()
    await consent({ ...here, username: 'ada' }, application, { scopes: ['openid', 'email'] })
    await newSignIn(here)
    const role = await away.role('user:read')
    await assign(away.id, there.userId, role.id)
    const { id } = ok(
      await away.admin.post('/notifications', { user_id: there.userId, title: 'Hello', content: 'there' }),
    )
    ok(await call('PUT', '/profile', { token: here.token, body: { nickname: 'Ada L.' } }))
    const { access_token: token } = ok(
      await call('POST', '/auth/refresh', {
        body: { refresh_token: here.refreshToken },
        headers: { 'accept-language': 'zh' },
      }),
    )
    const content = contentOf('account', await exportAccount(token))
    expect(content['account']).toMatchObject({
      email: here.email,
      email_confirmed: true,
      has_own_password: true,
      settings: { language: 'zh' },
    })
    expect(content['devices'].length).toBeGreaterThan(0)
    expect(content['sign_ins']).toHaveLength(1)
    expect(content['memberships']).toHaveLength(2)
    const statuses = content['invitations'].map(({ tenant, status }: any) => [tenant.id, status])
    expect(Object.fromEntries(statuses)).toEqual({
      [home.id]: 'accepted',
      [away.id]: 'accepted',
      [third.id]: 'pending',
    })
    expect(statuses).toHaveLength(3)
    const [mine, theirs] = [membershipIn(content, here), membershipIn(content, there)]
    expect(mine.user).toMatchObject({ id: here.userId, email: here.email, nickname: 'Ada L.' })
    expect(mine['consents']).toMatchObject([{ application: application.name, scopes: ['email', 'openid'] }])
    expect(mine['sessions'].length).toBeGreaterThan(0)
    expect(mine['records_by'].map(({ action }: any) => action)).toContain('user.update')
    expect(theirs.user.id).toBe(there.userId)
    expect(theirs['roles'].map(({ name }: any) => name)).toContain(role.name)
    expect(theirs['notifications']).toMatchObject([{ id, title: 'Hello', content: 'there', is_read: false }])
    expect(theirs['records_about'].map(({ action }: any) => action)).toContain('role.assign')
  })

  test('holds no other person, and of others’ acts neither address nor browser', async () => {
    const home = await newTenant()
    const other = await newPerson(server, home)
    const person = await newPerson(server, home)
    ok(
      await home.admin.put(
        `/users/${person.userId}`,
        { nickname: 'Renamed' },
        { headers: { 'user-agent': 'browser of the admin' } },
      ),
    )
    ok(await home.admin.put(`/users/${other.userId}`, { nickname: 'A colleague' }))
    // An import keeps ids, so a caller of another tenant can have the same id as a user here.
    await insertRecord(home.id, { by: person.userId, about: other.userId, kind: 'platform' }, 'namesake')
    await insertRecord(home.id, { by: person.userId, about: person.userId, kind: 'platform' }, 'named')
    await insertRecord(home.id, { by: person.userId, about: other.userId, kind: 'user' }, 'acted')
    const answer = await exportAccount(person.token)
    const { records_about: about, records_by: by } = membershipIn(contentOf('account', answer), person)
    for (const words of [
      other.email,
      'A colleague',
      home.admin.email,
      home.admin.username,
      'browser of the admin',
      'namesake',
      'somebody',
    ]) {
      expect([words, answer.text.includes(words)]).toEqual([words, false])
    }
    const ofOthers = about.filter(
      ({ user_id: id, resource_id: thing }: any) => id !== person.userId || thing === 'named',
    )
    expect(ofOthers.map(({ action }: any) => action)).toContain('user.update')
    expect(ofOthers.every(({ ip, user_agent: agent }: any) => ip === '' && agent === '')).toBe(true)
    const acted = by.find(({ resource_id: thing }: any) => thing === 'acted')
    expect(acted).toMatchObject({ ip: '192.0.2.99', user_agent: 'their browser' })
    expect(by.some((act: object) => 'detail' in act)).toBe(false)
  })

  test('holds no secret: no hash, key, code, token or sealed value', async () => {
    const home = await newTenant()
    const person = await newPerson(server, home)
    const caller = await callerOf(person, home)
    const app = await addTotp(caller, 'Telephone')
    await addPasskey(caller, 'Laptop')
    const reset = await insertLink(person, 'reset')
    const { cookie } = await newSignIn(person)
    const tokenOfInvitation = (await invite(server, (await newTenant()).admin, { email: person.email })).token
    const db = inTenantOf(person)
    const stored = await db.many<{ secret: string }>(sql`
      with person as (select account_id as id from users where tenant_id = ${person.tenantId} and id = ${person.userId})
      select password_hash as secret from accounts where id = (select id from person)
      union all select encode(coalesce(passkey_handle, 'none'), 'hex') from accounts where id = (select id from person)
      union all select encode(secret_sealed, 'hex') from factors where account_id = (select id from person) and type = 'totp'
      union all select credential_id from factors where account_id = (select id from person) and type = 'passkey'
      union all select encode(public_key, 'hex') from factors where account_id = (select id from person) and type = 'passkey'
      union all select encode(code_hash, 'hex') from recovery_codes where account_id = (select id from person)
      union all select encode(device, 'hex') from account_devices where account_id = (select id from person)
      union all select encode(cookie_hash, 'hex') from sign_ins where account_id = (select id from person)
      union all select encode(token_hash, 'hex') from account_links where account_id = (select id from person)`)
    const secrets = [
      ...stored.map(({ secret }) => secret),
      app.secret,
      ...app.recoveryCodes,
      person.token,
      person.refreshToken,
      password,
      reset,
      cookie,
      tokenOfInvitation,
    ]
    expect(stored.length).toBeGreaterThan(15)
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([])
    await proveBy(person, 'pwd', 'otp', 'mfa')
    const answer = await exportAccount(person.token)
    const content = contentOf('account', answer)
    expect(content['factors'].map(({ name }: any) => name)).toEqual(['Telephone', 'Laptop'])
    expect(content['account'].recovery_codes_left).toBe(app.recoveryCodes.length)
    const encodings = (secret: string) => [
      secret,
      ...(/^[0-9a-f]+$/.test(secret)
        ? (['base64', 'base64url'] as const).map((encoding) => Buffer.from(secret, 'hex').toString(encoding))
        : []),
    ]
    expect(secrets.filter((secret) => encodings(secret).some((text) => answer.text.includes(text)))).toEqual(
      [],
    )
  })

  test('shows invitations only to whoever has proved the mailbox', async () => {
    const home = await newTenant()
    const squatter = await home.member()
    const away = await newTenant()
    await invite(server, away.admin, { email: squatter.email, nickname: 'The real owner' })
    const answer = await exportAccount(squatter.token)
    expect(contentOf('account', answer)['invitations']).toEqual([])
    expect(answer.text).not.toContain('The real owner')
  })

  test('leaves a record in each tenant, and the address in one', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const here = await newPerson(server, home)
    const there = await joinTenant(server, here, away)
    contentOf('account', await exportAccount(here.token))
    const records = await Promise.all([here, there].map(async (user) => (await recordsOf(user)).at(-1)))
    expect(records.map((record) => record?.['action'])).toEqual(['account.export', 'account.export'])
    expect(records.map((record) => record?.['ip'] !== '')).toEqual([true, false])
  })

  test('is refused to a wrong password, a key and sessions of applications, without a record', async () => {
    const home = await newTenant()
    const [person, plain, narrowed] = [
      await newPerson(server, home),
      await home.member(),
      await home.member(),
    ]
    expect(await exportAccount(person.token, 'wrong')).toMatchObject(refusal('oldPasswordWrong'))
    expect(await call('POST', '/auth/account/export', { token: person.token, body: {} })).toMatchObject({
      status: 400,
    })
    const key = await keyWith(home.id, ['user:read', 'audit:read'])
    expect(await exportAccount(key.token)).toMatchObject(refusal('permissionMissing'))
    const { id: applicationId } = await newApplication({ tenantry_api: true })
    await giveSession(plain, { applicationId })
    expect(await exportAccount(plain.token)).toMatchObject(refusal('sessionOfApplication'))
    await giveSession(narrowed, { applicationId })
    await narrow(narrowed, ['user:read'])
    expect(await exportAccount(narrowed.token)).toMatchObject(refusal('sessionOfApplication'))
    for (const user of [person, plain, narrowed]) {
      expect(await actionsOf(user)).not.toContain('account.export')
    }
  })

  test('asks for the second factor that the account has', async () => {
    const home = await newTenant()
    const person = await newPerson(server, home)
    await addTotp(await callerOf(person, home))
    await proveBy(person, 'pwd')
    expect(await exportAccount(person.token)).toMatchObject(refusal('mfaRequired'))
    await proveBy(person, 'pwd', 'otp', 'mfa')
    contentOf('account', await exportAccount(person.token))
  })

  test('asks for a second factor where any tenant of the person does', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const here = await newPerson(server, home)
    await joinTenant(server, here, away)
    await addTotp(away.admin)
    ok(await away.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
    expect(await exportAccount(here.token)).toMatchObject(refusal('sessionRestricted'))
  })

  test('is given three times a day, and a refused one does not count', async () => {
    const at = await startApp({ rateLimit: true })
    const person = await newPerson(server, await newTenant())
    expect(await exportAccount(person.token, 'wrong', { at })).toMatchObject(refusal('oldPasswordWrong'))
    for (let round = 0; round < 3; round += 1) {
      contentOf('account', await exportAccount(person.token, password, { at }))
    }
    const refused = await exportAccount(person.token, password, { at })
    expect(refused).toMatchObject(refusal('tooManyRequests'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    const other = await newPerson(server, await newTenant())
    contentOf('account', await exportAccount(other.token, password, { at }))
    await at.app.close()
  })

  test('parallel requests get the export three times', async () => {
    const at = await startApp({ rateLimit: true })
    const person = await newPerson(server, await newTenant())
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => exportAccount(person.token, password, { at })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    await at.app.close()
  })
})

describe('the export of a user', () => {
  test('holds what the tenant stores about the user, and nothing of the account or of other tenants', async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const here = await newPerson(server, home)
    const there = await joinTenant(server, here, away)
    await addTotp(await callerOf(here, home), 'Their telephone')
    ok(await away.admin.post('/notifications', { user_id: there.userId, title: 'Only for the other tenant' }))
    ok(await home.admin.post('/notifications', { user_id: here.userId, title: 'Welcome here' }))
    const answer = await home.admin.get(`/users/${here.userId}/export`)
    const content = contentOf('user', answer)
    expect(content['user']).toMatchObject({ id: here.userId, email: here.email })
    expect(content['notifications']).toMatchObject([{ title: 'Welcome here' }])
    expect(content['invitations']).toMatchObject([{ tenant: { id: home.id }, status: 'accepted' }])
    for (const words of [away.id, away.slug, 'Only for the other tenant', 'Their telephone']) {
      expect([words, answer.text.includes(words)]).toEqual([words, false])
    }
    const record = (await recordsOf(home.admin)).at(-1)
    expect(record).toMatchObject({ action: 'user.export', resource_id: String(here.userId) })
    expect(await actionsOf(there)).not.toContain('user.export')
  })

  test('needs both permissions, which count again while it is read', async () => {
    const tenant = await newTenant()
    const { userId } = await tenant.member()
    const [reader, auditor, both] = [
      await tenant.userWith('user:read'),
      await tenant.userWith('audit:read'),
      await tenant.userWith('user:read', 'audit:read'),
    ]
    for (const caller of [reader, auditor]) {
      expect(await caller.get(`/users/${userId}/export`)).toMatchObject(refusal('permissionMissing'))
    }
    contentOf('user', await both.get(`/users/${userId}/export`))
    contentOf(
      'user',
      await (await keyWith(tenant.id, ['user:read', 'audit:read'])).get(`/users/${userId}/export`),
    )
    expect(
      await tenant.admin.get(`/users/${(await (await newTenant()).member()).userId}/export`),
    ).toMatchObject(refusal('userUnknown'))
    expect(await tenant.admin.get('/users/x/export')).toMatchObject({ status: 400 })
  })

  test('is read in batches: of many rows each comes once', async () => {
    const tenant = await newTenant()
    const { userId } = await tenant.member()
    await fillRecords(tenant.id, userId, 2100)
    await fillNotifications(tenant.id, userId, 1500)
    const content = contentOf('user', await tenant.admin.get(`/users/${userId}/export`))
    const numbers = (rows: any[], field: string) => rows.map((row) => Number(row[field]))
    expect(numbers(content['notifications'], 'title')).toEqual(
      Array.from({ length: 1500 }, (_, index) => index + 1),
    )
    expect(
      numbers(
        content['records_about'].filter(({ resource }: any) => resource === 'bulk'),
        'resource_id',
      ),
    ).toEqual(Array.from({ length: 2100 }, (_, index) => index + 1))
  })

  test('is streamed: it breaks off when its reader loses a permission, for it was not read ahead', async () => {
    const tenant = await newTenant()
    const { userId } = await tenant.member()
    await fillRecords(tenant.id, userId, 60_000)
    for (const code of ['user:read', 'audit:read'] as const) {
      const reader = await tenant.userWith()
      const [kept, lost] = [
        await tenant.role(code === 'user:read' ? 'audit:read' : 'user:read'),
        await tenant.role(code),
      ]
      for (const { id } of [kept, lost]) await assign(tenant.id, reader.userId, id)
      const readOn = await startReading(`/users/${userId}/export`, reader)
      ok(await tenant.admin.delete(`/rbac/users/${reader.userId}/roles/${lost.id}`))
      await expect(readOn()).rejects.toThrow('terminated')
    }
  })
})

test('the export of an account breaks off when the session ends', async () => {
  const home = await newTenant()
  const person = await newPerson(server, home)
  await fillRecords(home.id, person.userId, 60_000)
  const readOn = await startReading('/auth/account/export', person, { password })
  ok(await call('POST', '/auth/logout', { token: person.token }))
  await expect(readOn()).rejects.toThrow('terminated')
})

/** Reads the first piece of a file. The returned function reads the rest. */
const startReading = async (path: string, { token }: Pick<Caller, 'token'>, body?: object) => {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  await reader?.read()
  return async () => {
    while (!(await reader?.read())?.done);
  }
}

/** A statement has four seconds. On a busy machine many rows take longer. */
const rowsAtOnce = 5000

const fillRecords = async (tenantId: string, userId: number, records: number): Promise<void> => {
  for (let first = 1; first <= records; first += rowsAtOnce) {
    await insertRecords(tenantId, userId, [first, Math.min(records, first + rowsAtOnce - 1)])
  }
}

const insertRecords = (tenantId: string, userId: number, [first, last]: [number, number]) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into audit_logs (tenant_id, action, resource, resource_id, about_user_id, detail, ip, user_agent, trace_id,
      created_at)
    select ${tenantId}::uuid, 'bulk.create', 'bulk', n::text, ${userId}::bigint, '{}', '', 'a browser', '', now()
    from generate_series(${first}::int, ${last}::int) n
    returning id`)

const fillNotifications = (tenantId: string, userId: number, count: number) =>
  parts.store.scoped({ tenantId }).run(sql`
    insert into notifications (tenant_id, user_id, title, created_at)
    select ${tenantId}::uuid, ${userId}::bigint, n::text, now() from generate_series(1, ${count}::int) n
    returning id`)
