import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  password,
  signIn,
  unique,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { onPostgres } from '../../../../test/test-database.ts'
import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { errorCodes } from '../../../errors/app-error.ts'
import { insertUser } from './users.store.ts'

const input = (changes: object = {}) => {
  const username = unique('u')
  return { email: `${username}@example.com`, username, password, ...changes }
}

const login = (email: string, withPassword = password) =>
  call('POST', '/auth/login', { body: { email, password: withPassword } })

const smile = '😀'

describe('creating a user', () => {
  test.each([
    ['username', 'abc'],
    ['username', 'a'.repeat(64)],
    ['username', 'Az09._-@+'],
    ['nickname', ''],
    ['nickname', 'n'.repeat(64)],
    ['nickname', smile.repeat(64)],
    ['password', 'p'.repeat(8)],
    ['password', 'p'.repeat(128)],
    ['password', smile.repeat(8)],
    ['password', smile.repeat(128)],
    ['password', '        '],
    ['status', 0],
    ['status', 1],
  ])('accepts %s %j', async (field, value) => {
    const { admin } = await newTenant()
    const answer = await admin.post('/users', input({ [field]: value }))
    expect(answer.status).toBe(200)
    const { password: _secret, ...shown } = { [field]: value }
    expect(answer.data).toMatchObject(shown)
  })

  test.each([
    ['username', 'ab'],
    ['username', 'a'.repeat(65)],
    ['username', '   '],
    ['username', ' ab '],
    ['username', 'with space'],
    ['username', 'é-accent'],
    ['username', 'a/b/c'],
    ['username', 12345],
    ['username', null],
    ['nickname', 'n'.repeat(65)],
    ['nickname', smile.repeat(65)],
    ['nickname', null],
    ['nickname', ['x']],
    ['password', 'p'.repeat(7)],
    ['password', smile.repeat(7)],
    ['password', 'p'.repeat(129)],
    ['password', smile.repeat(129)],
    ['password', 12_345_678],
    ['email', 'nobody'],
    ['email', 'nobody@'],
    ['email', '@example.com'],
    ['email', 'a b@example.com'],
    ['email', ''],
    ['email', null],
    ['status', 2],
    ['status', -1],
    ['status', 0.5],
    ['status', '1'],
    ['status', true],
    ['status', null],
  ])('refuses %s %j', async (field, value) => {
    const { admin } = await newTenant()
    const answer = await admin.post('/users', input({ [field]: value }))
    expect(answer).toMatchObject(refusalOf(field))
    expect((await admin.get('/users')).data.total).toBe(1)
  })

  test.each(['email', 'username', 'nickname', 'password'])('refuses a %s that is no text', async (field) => {
    const { admin } = await newTenant()
    for (const text of ['correct\0horse', 'correct\ud800horse', 'correct\udc00horse']) {
      expect((await admin.post('/users', input({ [field]: text }))).status).toBe(400)
    }
  })

  test('accepts an e-mail of 254 characters and none of 255', async () => {
    const { admin } = await newTenant()
    const of = (length: number) => `${unique('m')}@${'d'.repeat(length)}`.slice(0, length - 4) + '.com'
    expect((await admin.post('/users', input({ email: of(254) }))).status).toBe(200)
    expect(await admin.post('/users', input({ email: of(255) }))).toMatchObject(refusalOf('email'))
  })

  test.each(['email', 'username', 'password'])('needs the field %s', async (field) => {
    const { admin } = await newTenant()
    expect(await admin.post('/users', input({ [field]: undefined }))).toMatchObject(refusalOf(field))
  })

  test.each([[[]], ['text'], [null], [7]])('refuses the body %j', async (body) => {
    const { admin } = await newTenant()
    expect((await admin.post('/users', body)).status).toBe(400)
  })

  test('trims username, e-mail and nickname, and keeps their case', async () => {
    const { admin } = await newTenant()
    const name = unique('MiXed')
    const given = input({
      email: `  ${name}@Example.COM `,
      username: ` ${name}\t`,
      nickname: '\u00a0 Nick Name ',
    })
    const answer = await admin.post('/users', given)
    expect(answer.data).toMatchObject({ email: `${name}@Example.COM`, username: name, nickname: 'Nick Name' })
  })

  test('sets only the fields that the specification lists', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const more = { id: 1, tenant_id: other.id, avatar: 'x', last_login: 'x', roles: [1], is_system: true }
    const { data } = await tenant.admin.post('/users', input(more))
    expect(data).toMatchObject({ tenant_id: tenant.id, avatar: '', last_login: '' })
    expect(data.id).toBeGreaterThan(1)
    const roles = await tenant.admin.get(`/rbac/users/${data.id}/roles`)
    expect(roles.data.map((role: { name: string }) => role.name)).toEqual(['member'])
  })

  test('lets the user sign in with the whole password, at any length', async () => {
    const { admin } = await newTenant()
    const given = input({ password: smile.repeat(128) })
    const { data } = await admin.post('/users', given)
    const user = { userId: data.id, tenantId: data.tenant_id, email: given.email, username: given.username }
    expect((await (await signIn(user, given.password)).get('/profile')).data.id).toBe(data.id)
    expect(await login(given.email, `${smile.repeat(127)}😁`)).toMatchObject(refusal('credentialsWrong'))
  })

  test('a user with status 0 cannot sign in, and gets the reason only after the right password', async () => {
    const { admin } = await newTenant()
    const given = input({ status: 0 })
    expect((await admin.post('/users', given)).data.status).toBe(0)
    expect(await login(given.email)).toMatchObject(refusal('accountDisabled'))
    expect(await login(given.email, 'wrong password')).toMatchObject(refusal('credentialsWrong'))
  })
})

describe('the names of users', () => {
  const same = async (tenant: Tenant, changes: object) => tenant.admin.post('/users', input(changes))

  test('an e-mail exists once in the installation, in any case', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    for (const { admin } of [tenant, other]) {
      const email = tenant.admin.email.toUpperCase()
      expect(await admin.post('/users', input({ email }))).toMatchObject(refusal('emailTaken'))
    }
  })

  test('a username exists once in a tenant, in any case, and may exist in another one', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const username = tenant.admin.username.toUpperCase()
    expect(await same(tenant, { username })).toMatchObject(refusal('usernameTaken'))
    expect((await same(other, { username })).status).toBe(200)
  })

  test('a taken e-mail with a taken username is one answer that names both', async () => {
    const { admin } = await newTenant()
    const { email, username } = admin
    const answer = await admin.post('/users', input({ email, username }))
    expect(answer).toMatchObject({ status: 409, body: { code: errorCodes.emailTaken } })
    expect(answer.data.errors.map(({ field }: { field: string }) => field)).toEqual(['email', 'username'])
    expect((await admin.post('/users', input({ email }))).data).toBeNull()
  })

  test('a refused user leaves nothing behind: neither e-mail nor record', async () => {
    const tenant = await newTenant()
    const given = input()
    const before = await countAuditRecords(tenant.id)
    expect(await same(tenant, { ...given, username: tenant.admin.username })).toMatchObject(
      refusal('usernameTaken'),
    )
    expect(await same(tenant, { ...given, password: 'short' })).toMatchObject(refusalOf('password'))
    expect(await countAuditRecords(tenant.id)).toBe(before)
    expect((await same(tenant, given)).status).toBe(200)
  })

  test('exactly one of many requests for one e-mail at once succeeds', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, newTenant))
    const email = `${unique('race')}@example.com`
    const requests = tenants.flatMap(({ admin }) =>
      Array.from({ length: 5 }, () => admin.post('/users', input({ email }))),
    )
    const answers = await Promise.all(requests)
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    for (const answer of answers.filter((one) => one.status !== 200)) {
      expect(answer).toMatchObject(refusal('emailTaken'))
    }
  })

  test('exactly one of many requests for one username at once succeeds', async () => {
    const { admin } = await newTenant()
    const username = unique('race')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => admin.post('/users', input({ username }))),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
  })
})

describe('the record of a created user', () => {
  test('is one, names the fields that were set, and holds no password', async () => {
    const tenant = await newTenant()
    const given = input({ nickname: 'Nick' })
    const { data } = await tenant.admin.post('/users', given)
    const records = await auditRecords(tenant.id, 'user', data.id)
    expect(records).toMatchObject([
      {
        user_id: tenant.admin.userId,
        action: 'user.create',
        detail: {
          email: { from: null, to: given.email },
          username: { from: null, to: given.username },
          nickname: { from: null, to: 'Nick' },
          status: { from: null, to: 1 },
        },
      },
    ])
    expect(JSON.stringify(records)).not.toContain(password)
  })
})

describe.runIf(onPostgres)('creating a user during another transaction of the tenant', () => {
  /** Runs `work` in a transaction that stays open until `meanwhile` has ended. */
  const during = async (
    tenantId: string,
    work: (db: TransactionDb) => Promise<unknown>,
    meanwhile: () => Promise<void>,
  ) => {
    const [done, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const open = parts.store.transaction({ tenantId }, async (db) => {
      await work(db)
      done.resolve()
      await gate.promise
    })
    await done.promise
    await meanwhile().finally(gate.resolve)
    await open
  }
  const creating = (tenantId: string, username: string) => (db: TransactionDb) => {
    const row = {
      tenantId,
      email: `${username}@example.com`,
      username,
      nickname: '',
      status: 1,
      role: 'member',
    }
    return insertUser(db, row, { password_hash: 'none', password_scheme: 'bcrypt' }, new Date())
  }

  test('a user is created while a transaction creates another user', async () => {
    const { admin, id } = await newTenant()
    await during(id, creating(id, unique('u')), async () => {
      expect((await admin.post('/users', input())).status).toBe(200)
    })
  })

  test('a user is created while a transaction changes authority, and a change of authority waits', async () => {
    const tenant = await newTenant()
    const { admin, id } = tenant
    const [given, { userId }] = [await tenant.role(), await tenant.member()]
    let assignment: Promise<{ status: number }> | undefined
    await during(
      id,
      (db) => lockTenantAuthority(db, id),
      async () => {
        let isAnswered = false
        assignment = admin
          .post(`/rbac/users/${userId}/roles`, { role_id: given.id })
          .finally(() => (isAnswered = true))
        expect((await admin.post('/users', input())).status).toBe(200)
        await setTimeout(200)
        expect(isAnswered).toBe(false)
      },
    )
    expect((await assignment)?.status).toBe(200)
  })

  test('a user of the same name waits for the transaction that creates the first, and is refused', async () => {
    const { admin, id } = await newTenant()
    const username = unique('u')
    let second: Promise<unknown> | undefined
    await during(id, creating(id, username), async () => {
      let isAnswered = false
      second = admin.post('/users', { ...input(), username }).finally(() => (isAnswered = true))
      await setTimeout(200)
      expect(isAnswered).toBe(false)
    })
    expect(await second).toMatchObject(refusal('usernameTaken'))
  })
})
