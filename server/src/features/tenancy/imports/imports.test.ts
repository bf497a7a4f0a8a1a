/** Import of users by `POST /users/import`. */
import sql from 'sql-template-tag'
import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { postLogin, storedPassword } from '../../../../test/accounts.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import {
  auditRecords,
  builtIn,
  countAuditRecords,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  password,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import {
  firebase,
  firebaseText,
  foreignHashes,
  foreignPassword,
  refusedHashes,
} from '../../../../test/foreign-hashes.ts'
import { parts, startApp } from '../../../../test/harness.ts'
import { stopMinutes } from '../../../../test/waits.ts'
import { errorCodes } from '../../../errors/app-error.ts'

let root: Caller
let tenant: Tenant

beforeAll(async () => {
  root = await platformAdmin()
  tenant = await newTenant()
})

interface Result {
  status: 'created' | 'exists' | 'refused'
  user_id: number
  error: { code: number; message: string; field: string } | null
}

/** Imports rows into the tenant of these tests, or into another tenant. */
const importAs = async (caller: Caller, rows: unknown[], tenantId = tenant.id): Promise<Result[]> =>
  ok(await caller.post('/users/import', { rows }, { tenant: tenantId })).results

const address = (prefix = 'i') => `${unique(prefix)}@example.com`

const refusedFor = (name: keyof typeof errorCodes, field: string) => ({
  status: 'refused',
  user_id: 0,
  error: { code: errorCodes[name], message: expect.any(String), field },
})

const user = async (id: number, tenantId = tenant.id) =>
  ok(await root.get(`/users/${id}?include=security`, { tenant: tenantId }))

describe('rows', () => {
  test('a row with only an address becomes an enabled member whose name is made of the address', async () => {
    const email = address('only')
    const [result] = await importAs(tenant.admin, [{ email }])
    expect(result).toEqual({ status: 'created', user_id: expect.any(Number), error: null })
    const created = await user(result?.user_id ?? 0)
    expect(created).toMatchObject({ email, username: email.split('@')[0], nickname: '', status: 1 })
    const held = ok(await root.get(`/rbac/users/${created.id}/roles`, { tenant: tenant.id }))
    expect(held.map(({ name }: { name: string }) => name)).toEqual(['member'])
    expect(await postLogin(email)).toMatchObject({ status: 401 })
    expect(await storedPassword(email)).toEqual({ password_hash: '', password_scheme: 'none' })
  })

  test('results come in the order of the rows, and each row is refused for itself', async () => {
    const [one, two] = [address(), address()]
    const results = await importAs(tenant.admin, [
      { email: one, username: unique('given'), nickname: ' Ada ', status: 0 },
      { email: 'no address' },
      { username: 'ada' },
      'no row',
      null,
      { email: address(), username: 'a b' },
      { email: address(), status: 2 },
      { email: address(), role_ids: 'admin' },
      { email: two, unknown: 'ignored' },
    ])
    expect(results.map(({ status, error }) => [status, error?.field])).toEqual([
      ['created', undefined],
      ['refused', 'email'],
      ['refused', 'email'],
      ['refused', ''],
      ['refused', ''],
      ['refused', 'username'],
      ['refused', 'status'],
      ['refused', 'role_ids'],
      ['created', undefined],
    ])
    expect(await user(results[0]?.user_id ?? 0)).toMatchObject({ nickname: 'Ada', status: 0 })
  })

  test.each<[string, unknown]>([
    ['no rows', {}],
    ['an empty list', { rows: [] }],
    ['more than 1,000 rows', { rows: Array.from({ length: 1001 }, () => ({ email: 'a@example.com' })) }],
    ['another type', { rows: 'a@example.com' }],
    ['a list', []],
  ])('a request with %s is refused as a whole', async (_what, body) => {
    expect(await tenant.admin.post('/users/import', body)).toMatchObject({ status: 400 })
  })

  test('1,000 rows are created at once, and the second time all of them exist', async () => {
    const mark = unique('k')
    const rows = Array.from({ length: 1000 }, (_, n) => ({ email: `${mark}-${n}@example.com` }))
    const first = await importAs(root, rows)
    expect(first.every(({ status }) => status === 'created')).toBe(true)
    const records = await countAuditRecords(tenant.id)
    const second = await importAs(root, rows)
    expect(second).toEqual(first.map(({ user_id: id }) => ({ status: 'exists', user_id: id, error: null })))
    expect(await countAuditRecords(tenant.id)).toBe(records)
    expect(ok(await tenant.admin.get(`/users?search=${mark}`)).total).toBe(1000)
  })

  test('an address that stands twice is created once', async () => {
    const email = address()
    const [first, second] = await importAs(tenant.admin, [
      { email, nickname: 'Ada' },
      { email: email.toUpperCase(), nickname: 'Eve' },
    ])
    expect(first?.status).toBe('created')
    expect(second).toEqual({ status: 'exists', user_id: first?.user_id, error: null })
    expect(await user(first?.user_id ?? 0)).toMatchObject({ nickname: 'Ada' })
  })

  test('each created row leaves a record of its own, and refused ones leave none', async () => {
    const role = await tenant.role('user:read')
    const email = address()
    const before = await countAuditRecords(tenant.id)
    const [result] = await importAs(root, [
      { email, role_ids: [role.id], password_hash: foreignHashes[0]?.[1], email_verified: true },
      { email: 'no address' },
    ])
    const [record, ...others] = await auditRecords(tenant.id, 'user', result?.user_id ?? 0)
    expect(others).toEqual([])
    expect(record).toMatchObject({
      action: 'user.create',
      user_id: root.userId,
      detail: {
        email: { from: null, to: email },
        roles: { to: [role.name] },
        email_verified: { to: true },
        with_hash: { to: true },
      },
    })
    expect(JSON.stringify(record)).not.toContain('argon2')
    expect(await countAuditRecords(tenant.id)).toBe(before + 1)
  })
})

describe('usernames', () => {
  test('equal beginnings of addresses are told apart by numbers, and given names come first', async () => {
    const name = unique('same')
    const rows = [
      { email: `${name}@one.example.com` },
      { email: `${name}@two.example.com` },
      { email: address(), username: name },
      { email: address(), username: name.toUpperCase() },
      ...Array.from({ length: 20 }, (_, n) => ({ email: `${name}@${n}.example.com` })),
    ]
    const results = await importAs(tenant.admin, rows)
    expect(results[3]).toEqual(refusedFor('usernameTaken', 'username'))
    const created = results.filter(({ status }) => status === 'created')
    expect(created.length).toBe(rows.length - 1)
    const users = ok(await tenant.admin.get(`/users?search=${name}&page_size=200`)).items as {
      username: string
    }[]
    const names = users.map(({ username }) => username)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining([name, `${name}2`, `${name}3`]))
    for (const made of names) expect(made).toMatch(new RegExp(`^${name}\\d*$`, 'i'))
    expect(await importAs(tenant.admin, [{ email: address(), username: name }])).toEqual([
      refusedFor('usernameTaken', 'username'),
    ])
  })

  test('a short or odd beginning makes a valid name', async () => {
    const host = `${unique('h')}.example.com`
    const results = await importAs(tenant.admin, [
      { email: `a@${host}` },
      { email: `o'brien!#$@${host}` },
      { email: `${'l'.repeat(64)}@${host}` },
    ])
    for (const { user_id: id } of results) {
      expect((await user(id)).username).toMatch(/^[A-Za-z0-9._@+-]{3,64}$/)
    }
  })
})

describe('hashes', () => {
  test.each(foreignHashes)(
    'the hash of %s opens the account, and ours replaces it',
    async (_tool, text, right) => {
      const email = address()
      const [result] = await importAs(root, [{ email, password_hash: text }])
      expect(result).toMatchObject({ status: 'created' })
      const imported = await storedPassword(email)
      expect(imported).toMatchObject({ password_scheme: 'foreign' })
      expect(await postLogin(email, `${right}!`)).toMatchObject({ status: 401 })
      expect(await storedPassword(email)).toEqual(imported)
      expect(await postLogin(email, right)).toMatchObject({ status: 200 })
      expect(await storedPassword(email)).toEqual({
        password_scheme: 'bcrypt',
        password_hash: expect.stringMatching(/^\$2b\$04\$/),
      })
      expect(await postLogin(email, right)).toMatchObject({ status: 200 })
      expect(await postLogin(email, `${right}!`)).toMatchObject({ status: 401 })
    },
  )

  test.each(refusedHashes)('%s is refused, and the account is not made', async (_reason, text) => {
    const email = address()
    expect(await importAs(root, [{ email, password_hash: text }])).toEqual([
      refusedFor('invalidInput', 'password_hash'),
    ])
    expect(await storedPassword(email)).toBeUndefined()
  })

  test('the key of a Firebase project is encrypted at rest, once for all its hashes', async () => {
    const rows = [1, 2].map(() => ({ email: address(), password_hash: firebaseText }))
    expect(await importAs(root, rows)).toMatchObject([{ status: 'created' }, { status: 'created' }])
    const db = parts.store.scoped({})
    const keys = await db.many<{ text: string }>(
      sql`select id || encode(sealed_key, 'escape') || encode(sealed_key, 'base64') as text from hash_keys`,
    )
    expect(keys.length).toBe(1)
    const stored = await storedPassword(rows[0]?.email ?? '')
    for (const text of [keys[0]?.text, stored?.password_hash]) {
      expect(text).not.toContain(firebase.key)
      expect(text).not.toContain(Buffer.from(firebase.key).toString('base64'))
    }
  })
})

describe('fields that only the platform imports', () => {
  const privileged: [string, object][] = [
    ['password_hash', { password_hash: foreignHashes[0]?.[1] }],
    ['email_verified', { email_verified: true }],
    ['email_verified', { email_verified: false }],
    ['totp_secret', { totp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
  ]

  test.each(privileged)("a row with %s of a tenant's administrator is refused", async (field, fields) => {
    const [mine, plain] = [address(), address()]
    const results = await importAs(tenant.admin, [{ email: mine, ...fields }, { email: plain }])
    expect(results[0]).toEqual(refusedFor('permissionMissing', field))
    expect(results[1]).toMatchObject({ status: 'created' })
    expect(await storedPassword(mine)).toBeUndefined()
    const key = await keyWith(tenant.id, ['user:create'])
    expect(await importAs(key, [{ email: mine, ...fields }])).toEqual([
      refusedFor('permissionMissing', field),
    ])
  })

  test('a confirmed address with a hash makes an owner; either alone makes none', async () => {
    const rows = [
      { email: address('both'), password_hash: foreignHashes[0]?.[1], email_verified: true },
      { email: address('hash'), password_hash: foreignHashes[0]?.[1] },
      { email: address('mail'), email_verified: true },
    ]
    const ids = (await importAs(root, rows)).map(({ user_id: id }) => id)
    const owned = await parts.store.scoped({}).many<{ email: string; is_owned: boolean }>(sql`
      select email, coalesce(proved_email = email_folded, false) and has_own_password as is_owned
      from accounts where email = any (${rows.map(({ email }) => email)}) order by email`)
    expect(owned.map(({ is_owned: is }) => is)).toEqual([true, false, false])
    const confirmed = await Promise.all(ids.map(async (id) => (await user(id)).security.email_confirmed))
    expect(confirmed).toEqual([true, false, true])
  })

  test('an imported authenticator is asked for at the first login', async () => {
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    const email = address()
    await importAs(root, [
      {
        email,
        password_hash: foreignHashes[0]?.[1],
        email_verified: true,
        totp_secret: secret.toLowerCase(),
      },
    ])
    const asked = await postLogin(email, foreignPassword)
    expect(asked).toMatchObject({ status: 401, body: { code: errorCodes.factorRequired } })
    const code = new TOTP({ secret }).generate({ timestamp: parts.now().getTime() })
    const body = { challenge: asked.data.challenge, code }
    expect(await root.post('/auth/login/factor', body)).toMatchObject({ status: 200 })
  })
})

describe('attacks', () => {
  test('an account elsewhere is not taken over: the answer says to invite, and nothing changes', async () => {
    const victim = (await newTenant()).admin
    const before = await storedPassword(victim.email)
    const row = {
      email: victim.email.toUpperCase(),
      password_hash: foreignHashes[0]?.[1],
      email_verified: true,
    }
    const [result] = await importAs(root, [row])
    expect(result).toEqual(refusedFor('emailTaken', 'email'))
    expect(result?.error?.message).toMatch(/invite/)
    expect(await storedPassword(victim.email)).toEqual(before)
    expect(
      await postLogin(victim.email, foreignPassword === password ? 'another' : foreignPassword),
    ).toMatchObject({
      status: 401,
    })
    expect(ok(await tenant.admin.get(`/users?search=${victim.username}`)).total).toBe(0)
  })

  test('a user of this tenant is neither changed nor given roles, factors or a password', async () => {
    const member = await tenant.member()
    const before = await storedPassword(member.email)
    const row = {
      email: member.email,
      username: unique(),
      nickname: 'Eve',
      status: 0,
      role_ids: [systemRoleId('admin')],
      password_hash: foreignHashes[0]?.[1],
      totp_secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }
    const records = await countAuditRecords(tenant.id)
    expect(await importAs(root, [row])).toEqual([{ status: 'exists', user_id: member.userId, error: null }])
    expect(await countAuditRecords(tenant.id)).toBe(records)
    expect(await storedPassword(member.email)).toEqual(before)
    expect(await user(member.userId)).toMatchObject({
      username: member.username,
      status: 1,
      security: { factors: [] },
    })
  })

  test('no row carries a role beyond the caller, of another tenant, or of nobody', async () => {
    const other = await newTenant()
    const foreign = await other.role('user:read')
    const beyond = await tenant.role('audit:read')
    const own = await tenant.role('user:create')
    const caller = await tenant.userWith('user:create')
    const admin = systemRoleId('admin')
    const results = await importAs(
      caller,
      [beyond.id, foreign.id, admin, nobodysId, 1, own.id].map((id) => ({
        email: address(),
        role_ids: [id],
      })),
    )
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      ['refused', errorCodes.grantExceedsOwn],
      ['refused', errorCodes.roleUnknown],
      ['refused', errorCodes.grantExceedsOwn],
      ['refused', errorCodes.roleUnknown],
      ['refused', errorCodes.roleUnknown],
      ['created', undefined],
    ])
    expect(await importAs(root, [{ email: address(), role_ids: [1] }])).toEqual([
      refusedFor('roleUnknown', 'role_ids'),
    ])
  })

  test('nobody gives a role for longer than they hold it', async () => {
    const role = await tenant.role('user:create', 'user:read')
    const caller = await tenant.userWith('user:create')
    const body = { role_id: role.id, expires_at: new Date(Date.now() + 3_600_000).toISOString() }
    ok(await tenant.admin.post(`/rbac/users/${caller.userId}/roles`, body))
    const own = await tenant.role('user:create')
    const rows = [role.id, own.id].map((id) => ({ email: address(), role_ids: [id] }))
    expect(await importAs(caller, rows)).toMatchObject([
      refusedFor('grantOutlastsOwn', 'role_ids'),
      { status: 'created' },
    ])
  })

  test('the platform role is given in the built-in tenant by those who hold it only', async () => {
    const caller = await builtIn.userWith('user:create', 'tenant:enter')
    expect(await importAs(caller, [{ email: address(), role_ids: [1] }], builtIn.id)).toEqual([
      refusedFor('grantExceedsOwn', 'role_ids'),
    ])
  })

  test('nobody imports without the permission, also not into another tenant', async () => {
    const rows = [{ email: address() }]
    const reader = await tenant.userWith('user:read', 'user:update')
    expect(await reader.post('/users/import', { rows })).toMatchObject({ status: 403 })
    const elsewhere = await newTenant()
    expect(await tenant.admin.post('/users/import', { rows }, { tenant: elsewhere.id })).toMatchObject({
      status: 403,
    })
  })

  test('ten imports of the same rows at once create each user once', async () => {
    const rows = Array.from({ length: 50 }, () => ({ email: address('race') }))
    const all = await Promise.all(Array.from({ length: 10 }, () => importAs(root, rows)))
    const created = all.flat().filter(({ status }) => status === 'created')
    expect(created.length).toBe(rows.length)
    expect(all.flat().filter(({ status }) => status === 'exists').length).toBe(9 * rows.length)
  })

  test('imports and registrations of the same addresses at once leave one account each', async () => {
    const rows = Array.from({ length: 20 }, () => ({ email: address('race') }))
    const [imported, ...others] = await Promise.all([
      importAs(root, rows),
      ...rows.map(({ email }) =>
        root.post('/users', { email, username: unique(), password }, { tenant: builtIn.id }),
      ),
    ])
    for (const [index, { status }] of imported.entries()) {
      expect([status, others[index]?.status]).toEqual(
        status === 'created' ? ['created', 409] : ['refused', 200],
      )
    }
  })

  test("each row of a tenant's administrator counts as a request, and those of the platform do not", async () => {
    const at = await startApp({ rateLimit: true, requestsPerMinute: 5 })
    try {
      stopMinutes()
      const rows = () => Array.from({ length: 10 }, () => ({ email: address() }))
      const sent = { rows: rows() }
      const { results } = ok(await tenant.admin.post('/users/import', sent, { at }))
      const limited = refusedFor('tooManyRequests', '')
      expect(results.slice(0, 5).every(({ status }: Result) => status === 'created')).toBe(true)
      expect(results.slice(5)).toEqual(Array.from({ length: 5 }, () => limited))
      expect(await tenant.admin.get('/users', { at })).toMatchObject({ status: 429 })
      const byRoot = ok(await root.post('/users/import', { rows: rows() }, { at, tenant: tenant.id }))
      expect(byRoot.results.every(({ status }: Result) => status === 'created')).toBe(true)
    } finally {
      vi.useRealTimers()
      await at.app.close()
    }
  })

  test('the address of a removed tenant is free', async () => {
    const gone = await newTenant()
    ok(await root.delete(`/org/tenants/${gone.id}`))
    expect(await importAs(root, [{ email: gone.admin.email }])).toMatchObject([{ status: 'created' }])
  })
})

describe('attributes of a row', () => {
  test('are written as the caller may, with the record of the user', async () => {
    const [open, shut, count] = [
      await declareAttribute({ administrators: 'write', indexed: true }),
      await declareAttribute({ self: 'write' }),
      await declareAttribute({ administrators: 'write', schema: { type: 'integer' } }),
    ]
    const row = (attributes: object) => ({ email: address(), attributes })
    const [first, second, third] = await importAs(tenant.admin, [
      row({ [open]: 'Sales', [count]: 3 }),
      row({ [shut]: 'x' }),
      row({ [count]: 'three' }),
    ])
    expect(first).toMatchObject({ status: 'created' })
    expect(second).toEqual(refusedFor('invalidInput', 'attributes'))
    expect(third).toEqual(refusedFor('invalidInput', 'attributes'))
    const id = first?.user_id ?? 0
    expect((await tenant.admin.get(`/users/${id}/attributes`)).data).toEqual({ [open]: 'Sales', [count]: 3 })
    const found = ok(await tenant.admin.get(`/users?attribute.${open}=sales`)).items
    expect(found.map((one: { id: number }) => one.id)).toEqual([id])
    const [record] = await auditRecords(tenant.id, 'user', id)
    expect(record?.detail).toMatchObject({ [`attribute.${open}`]: { from: null, to: 'Sales' } })
    const [hidden] = await importAs(root, [row({ [shut]: 'quiet' })])
    const records = await auditRecords(tenant.id, 'user', hidden?.user_id ?? 0)
    expect(JSON.stringify(records)).not.toMatch(new RegExp(`quiet|${shut}`))
  })

  test('need user:update', async () => {
    const key = await keyWith(tenant.id, ['user:create', 'user:read', 'dashboard:read'])
    const open = await declareAttribute({ administrators: 'write' })
    const [refused] = await importAs(key, [{ email: address(), attributes: { [open]: 'x' } }])
    expect(refused).toEqual(refusedFor('permissionMissing', 'attributes'))
  })
})
