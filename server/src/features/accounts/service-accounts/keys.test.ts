import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../../../test/answers.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  ok,
  signIn,
  type Caller,
  type KeyCaller,
} from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { systemCtx } from '../../../start/parts.ts'
import { warnOfKeyEnds } from '../../delivery/notifications/key-ends.service.ts'

const inAnHour = () => new Date(clock.now().getTime() + 3_600_000).toISOString()
const tomorrow = () => new Date(clock.now().getTime() + 86_400_000).toISOString()

const account = async () => {
  const tenant = await newTenant()
  const { id } = ok(await tenant.admin.post('/service-accounts', { name: 'any' }))
  return { ...tenant, accountId: id as number, path: `/service-accounts/${id}/keys` }
}

describe('a key', () => {
  test('has exactly the fields of the contract, and shows its secret once', async () => {
    const { admin, path } = await account()
    const body = { name: 'Production', expires_at: inAnHour(), allowed_cidrs: ['10.0.0.0/8', '2001:db8::1'] }
    const { secret, ...key } = ok(await admin.post(path, body))
    expect(secret).toMatch(/^tnt_[0-9A-Za-z]{80}$/)
    expect(key).toStrictEqual({
      id: expect.any(Number),
      ...body,
      prefix: secret.slice(0, 12),
      created_by: admin.userId,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_used_at: '',
    })
    const listed = await admin.get(path)
    expect(ok(listed)).toStrictEqual([key])
    expect(listed.text).not.toContain(secret.slice(12))
  })

  test('a key without bounds has no end, and is valid from every address', async () => {
    const { admin, path } = await account()
    expect(ok(await admin.post(path, { name: 'any' }))).toMatchObject({ expires_at: '', allowed_cidrs: [] })
  })

  test.each([
    { expires_at: '2020-01-01T00:00:00Z' },
    { expires_at: 'tomorrow' },
    { expires_at: '2090-12-31T23:59:60Z' },
    // In UTC this time is in the year 10,000, which four digits cannot write.
    { expires_at: '9999-12-31T23:59:59-01:00' },
    { allowed_cidrs: ['10.0.0.0/33'] },
    { allowed_cidrs: ['10.1'] },
    { allowed_cidrs: ['10.0.0.1/8/8'] },
    { allowed_cidrs: ['fe80::1%eth0'] },
    { allowed_cidrs: ['example.com'] },
    { allowed_cidrs: [''] },
    { allowed_cidrs: Array.from({ length: 21 }, () => '10.0.0.1') },
    { name: '' },
    { name: 'x'.repeat(65) },
  ])('is not created with %j', async (fields) => {
    const { admin, path } = await account()
    expect(await admin.post(path, { name: 'any', ...fields })).toMatchObject({
      status: 400,
      body: { code: 40001 },
    })
    expect(ok(await admin.get(path))).toEqual([])
  })

  test('is in the database as a hash, and in no audit record', async () => {
    const { admin, path, id, accountId } = await account()
    const { secret, id: keyId } = ok(await admin.post(path, { name: 'any' }))
    ok(await admin.delete(`${path}/${keyId}`))
    const records = await auditRecords(id, 'service_account_key', keyId)
    expect(records.map(({ action }) => action)).toEqual([
      'service_account_key.delete',
      'service_account_key.create',
    ])
    expect(records[1]?.detail).toMatchObject({
      account_id: { to: accountId },
      prefix: { to: secret.slice(0, 12) },
    })
    expect(JSON.stringify(records)).not.toContain(secret.slice(12, 30))
    ok(await admin.put('/settings/tenant/backend', { value: { of: `Bearer ${secret}` } }))
    const [written] = await auditRecords(id, 'setting', 'backend')
    expect(JSON.stringify(written)).toContain('Bearer [secret]')
    ok(await admin.post(path, { name: 'other' }))
    const rows = await parts.store
      .scoped({ tenantId: id })
      .many<{ row: string }>(sql`select to_json(k)::text as row from service_account_keys k`)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).toMatch(/"secret_hash":"\\\\x[0-9a-f]{64}"/)
  })

  test('an account has at most 10 living ones; an expired one makes room', async () => {
    const { admin, path } = await account()
    ok(await admin.post(path, { name: 'short', expires_at: inAnHour() }))
    for (let index = 1; index < 10; index += 1) ok(await admin.post(path, { name: 'any' }))
    expect(await admin.post(path, { name: 'one more' })).toMatchObject(refusal('keysFull'))
    clock.advance(3_600_001)
    ok(await admin.post(path, { name: 'one more' }))
    expect(ok(await admin.get(path))).toHaveLength(11)
  })

  test('a key of another account is 404', async () => {
    const { admin, path, id } = await account()
    const other = await keyWith(id, [])
    expect(await admin.delete(`${path}/${other.keyId}`)).toMatchObject(refusal('keyUnknown'))
    expect((await other.get('/ping')).status).toBe(200)
  })
})

describe('a key that creates keys', () => {
  const update = ['service_account:update', 'service_account:read'] as const
  const other = async (key: KeyCaller) => `/service-accounts/${(await keyWith(key.tenantId, [])).userId}/keys`

  test('creates none for its own account', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, [...update])
    const answer = await key.post(`/service-accounts/${key.userId}/keys`, { name: 'mine' })
    expect(answer).toMatchObject(refusal('keyExceedsOwn'))
    const keys = ok(await key.get(`/service-accounts/${key.userId}/keys`))
    expect(keys).toHaveLength(1)
  })

  test('creates none that lives longer', async () => {
    const { id } = await newTenant()
    const end = inAnHour()
    const key = await keyWith(id, [...update], { expires_at: end })
    const path = await other(key)
    for (const bounds of [{}, { expires_at: tomorrow() }]) {
      expect(await key.post(path, { name: 'x', ...bounds })).toMatchObject(refusal('keyExceedsOwn'))
    }
    expect(ok(await key.post(path, { name: 'x', expires_at: end })).expires_at).toBe(end)
  })

  test('creates none that reaches further', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, [...update], { allowed_cidrs: ['127.0.0.0/8', '10.0.0.0/16'] })
    const path = await other(key)
    for (const allowed_cidrs of [[], ['0.0.0.0/0'], ['10.0.0.0/15'], ['10.0.0.1', '10.1.0.1'], ['::1']]) {
      expect(await key.post(path, { name: 'x', allowed_cidrs })).toMatchObject(refusal('keyExceedsOwn'))
    }
    ok(await key.post(path, { name: 'x', allowed_cidrs: ['10.0.0.0/24', '127.0.0.1'] }))
  })

  test('neither disables nor deletes its own account', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, ['service_account:update', 'service_account:delete'])
    const path = `/service-accounts/${key.userId}`
    expect(await key.put(path, { status: 0 })).toMatchObject(refusal('ownAccount'))
    expect(await key.delete(path)).toMatchObject(refusal('ownAccount'))
  })
})

test('the accounts whose keys end within some days are listed', async () => {
  const { admin } = await newTenant()
  const make = async (name: string, body: object) => {
    const { id } = ok(await admin.post('/service-accounts', { name }))
    ok(await admin.post(`/service-accounts/${id}/keys`, { name: 'key', ...body }))
    return Number(id)
  }
  const soon = await make('soon', { expires_at: inAnHour() })
  await make('later', { expires_at: new Date(clock.now().getTime() + 10 * 86_400_000).toISOString() })
  await make('never', {})
  const found = ok(await admin.get('/service-accounts?keys_end_within_days=7'))
  expect([found.total, found.items.map(({ id }: { id: number }) => id)]).toEqual([1, [soon]])
  clock.advance(2 * 3_600_000)
  const later = await signIn(admin)
  expect(ok(await later.get('/service-accounts?keys_end_within_days=7')).total).toBe(0)
})

describe('the end of a key', () => {
  const dayMs = 86_400_000
  const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString()
  const warn = () => warnOfKeyEnds(systemCtx(parts, 'maintenance'))
  const noticesOf = async (admin: Caller) => {
    const caller = await signIn(admin)
    const { items } = ok(await caller.get(`/notifications/user/${admin.userId}`))
    return items.filter(({ title }: { title: string }) => title === 'A key expires soon')
  }

  test('is told once, 14 days before, to those who can replace the key', async () => {
    const { admin, path } = await account()
    const end = inDays(30)
    ok(await admin.post(path, { name: 'Directory', expires_at: end }))
    clock.advance(15.9 * dayMs)
    await warn()
    expect(await noticesOf(admin)).toEqual([])
    clock.advance(0.2 * dayMs)
    await warn()
    await warn()
    const notices = await noticesOf(admin)
    expect(notices).toHaveLength(1)
    expect(notices[0].content).toContain('The key Directory of the service account any expires on ')
    expect(notices[0].content).toContain(end.slice(0, 10))
  })

  test('is told to nobody for a short life, nor after a longer one was made', async () => {
    const { admin, path } = await account()
    ok(await admin.post(path, { name: 'short', expires_at: inDays(27) }))
    ok(await admin.post(path, { name: 'old', expires_at: inDays(30) }))
    ok(await admin.post(path, { name: 'new', expires_at: inDays(60) }))
    clock.advance(20 * dayMs)
    await warn()
    expect(await noticesOf(admin)).toEqual([])
  })
})
