/** The access of a request whose credential is a key. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mistyped } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  type KeyCaller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, clock, startApp, type Running } from '../../../../test/harness.ts'
import { createKeyText, readKeyText } from '../../../crypto/access-keys.ts'

const refused = refusal('tokenInvalid')

let tenant: Tenant
let behind: Running
beforeAll(async () => {
  tenant = await newTenant()
  behind = await startApp({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] })
})
afterAll(() => behind.app.close())

const pathOf = ({ userId }: KeyCaller) => `/service-accounts/${userId}`
const keyPathOf = (key: KeyCaller) => `${pathOf(key)}/keys/${key.keyId}`

describe('a key', () => {
  test('may do what its roles allow, and nothing else', async () => {
    const key = await keyWith(tenant.id, ['user:read', 'user:update'])
    expect((await key.get('/users')).status).toBe(200)
    expect(await key.get('/audit/logs')).toMatchObject(refusal('permissionMissing'))
    expect((await key.get(`/rbac/users/${key.userId}/roles`)).status).toBe(200)
    expect((await key.get('/ping')).status).toBe(200)
    const member = await tenant.userWith()
    ok(await key.put(`/users/${member.userId}`, { nickname: 'by a key' }))
    const [record] = await auditRecords(tenant.id, 'user', member.userId)
    expect(record).toMatchObject({ action: 'user.update', user_id: key.userId })
  })

  test('does not act on users above its account, nor enter another tenant', async () => {
    const key = await keyWith(tenant.id, ['user:read', 'user:update'])
    const answer = await key.put(`/users/${tenant.admin.userId}`, { nickname: 'x' })
    expect(answer).toMatchObject(refusal('targetOutranksCaller'))
    const other = await newTenant()
    expect(await key.get('/users', { tenant: other.id })).toMatchObject(refusal('tenantForeign'))
  })

  test('a key with tenant:enter works in every tenant, disabled ones too, with its own permissions', async () => {
    const [root, other] = [await platformAdmin(), await newTenant()]
    const key = await keyWith(builtIn.id, ['tenant:enter', 'user:read'])
    expect(ok(await key.get('/users', { tenant: other.id })).total).toBe(1)
    expect(await key.get('/audit/logs', { tenant: other.id })).toMatchObject(refusal('permissionMissing'))
    ok(await root.put(`/org/tenants/${other.id}`, { status: 0 }))
    expect((await key.get('/users', { tenant: other.id })).status).toBe(200)
  })

  test('gets 403 from the endpoints of one’s own account', async () => {
    const key = await keyWith(tenant.id, [])
    const answers = [
      await key.get('/profile'),
      await key.post('/password', { old_password: 'x', new_password: 'correct horse' }),
      await key.get('/notifications/unread-count'),
      await key.put('/notifications/read-all'),
      await key.put('/notifications/1/read'),
    ]
    for (const answer of answers) expect(answer).toMatchObject(refusal('permissionMissing'))
  })

  test('makes nobody online or active', async () => {
    const own = await newTenant()
    const before = ok(await own.admin.get('/dashboard/stats'))
    const key = await keyWith(own.id, [])
    expect((await key.get('/ping')).status).toBe(200)
    expect(ok(await own.admin.get('/dashboard/stats'))).toMatchObject({
      onlineCount: before.onlineCount,
      todayActiveUsers: before.todayActiveUsers,
      userCount: before.userCount,
    })
  })
})

describe('a refused key', () => {
  test('a key that is mistyped, unknown, or of another tenant is 401', async () => {
    const key = await keyWith(tenant.id, [])
    const [moved, unknown] = [
      createKeyText((await newTenant()).id, key.userId).secret,
      createKeyText(tenant.id, key.userId).secret,
    ]
    const wrong = [mistyped(key.token), `${key.token}0`, 'tnt_', moved, unknown]
    for (const token of wrong) expect(await key.get('/ping', { token })).toMatchObject(refused)
    expect((await key.get('/ping')).status).toBe(200)
  })

  test('a key is 401 from the answer that revokes it, or disables or deletes its account', async () => {
    const { admin } = tenant
    for (const end of [
      (key: KeyCaller) => admin.delete(keyPathOf(key)),
      (key: KeyCaller) => admin.put(pathOf(key), { status: 0 }),
      (key: KeyCaller) => admin.delete(pathOf(key)),
    ]) {
      const key = await keyWith(tenant.id, ['user:read'])
      expect((await key.get('/users')).status).toBe(200)
      ok(await end(key))
      expect(await key.get('/users')).toMatchObject(refused)
    }
  })

  test('a key is 401 while its account is disabled, and works again when it is enabled', async () => {
    const key = await keyWith(tenant.id, ['user:read'])
    ok(await tenant.admin.put(pathOf(key), { status: 0 }))
    expect(await key.get('/users')).toMatchObject(refused)
    ok(await tenant.admin.put(pathOf(key), { status: 1 }))
    expect((await key.get('/users')).status).toBe(200)
  })

  test('a key is 401 from the moment it expires, although it was just used', async () => {
    const end = new Date(clock.now().getTime() + 60_000).toISOString()
    const key = await keyWith(tenant.id, [], { expires_at: end })
    expect((await key.get('/ping')).status).toBe(200)
    clock.advance(60_001)
    expect(await key.get('/ping')).toMatchObject(refused)
  })

  test('a key is 401 outside its networks, although it was just used inside', async () => {
    const key = await keyWith(tenant.id, [], { allowed_cidrs: ['192.0.2.0/24', '2001:db8::/32'] })
    const from = (ip: string) => key.get('/ping', { at: behind, headers: { 'x-forwarded-for': ip } })
    expect((await from('192.0.2.7')).status).toBe(200)
    expect((await from('2001:db8::7')).status).toBe(200)
    for (const ip of ['192.0.3.7', '2001:db9::7']) expect(await from(ip)).toMatchObject(refused)
    expect((await from('::ffff:192.0.2.7')).status).toBe(200)
    for (const ip of ['192.0.2.7:51008', '[2001:db8::7]:443', '[2001:DB8::7]', '[::ffff:192.0.2.7]:80']) {
      expect((await from(ip)).status).toBe(200)
      expect((await from(`198.51.100.1, ${ip}, 10.0.0.3:8443`)).status).toBe(200)
      expect(await from(`${ip}, 198.51.100.1`)).toMatchObject(refused)
    }
    // Without a trusted proxy the service ignores the header, which any caller can send.
    const claimed = await key.get('/ping', { headers: { 'x-forwarded-for': '192.0.2.7' } })
    expect(claimed).toMatchObject(refused)
  })

  test('a key is 403 while its tenant is disabled, and 401 once it is deleted', async () => {
    const [root, own] = [await platformAdmin(), await newTenant()]
    const key = await keyWith(own.id, [])
    ok(await root.put(`/org/tenants/${own.id}`, { status: 0 }))
    expect(await key.get('/ping')).toMatchObject(refusal('tenantDisabled'))
    ok(await root.put(`/org/tenants/${own.id}`, { status: 1 }))
    expect((await key.get('/ping')).status).toBe(200)
    ok(await root.delete(`/org/tenants/${own.id}`))
    expect(await key.get('/ping')).toMatchObject(refused)
  })
})

describe('the last use', () => {
  const times = async (key: KeyCaller) => {
    const { last_used_at: ofAccount } = ok(await tenant.admin.get(pathOf(key)))
    const [{ last_used_at: ofKey }] = ok(await tenant.admin.get(`${pathOf(key)}/keys`))
    return [ofAccount, ofKey]
  }

  test('is noted at the first request, and again after 5 minutes', async () => {
    const key = await keyWith(tenant.id, [])
    expect(await times(key)).toEqual(['', ''])
    await key.get('/ping')
    const [first, ofKey] = await times(key)
    expect([Date.parse(first) > 0, ofKey]).toEqual([true, first])
    clock.advance(299_000)
    await remembering()
    await key.get('/ping')
    expect(await times(key)).toEqual([first, first])
    clock.advance(2000)
    await remembering()
    await key.get('/ping')
    const [second] = await times(key)
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(300_000)
  })

  test('a refused address is no use of a key', async () => {
    const key = await keyWith(tenant.id, [], { allowed_cidrs: ['192.0.2.0/24'] })
    expect(await key.get('/ping')).toMatchObject(refused)
    expect(await times(key)).toEqual(['', ''])
  })

  /** Any change in the tenant makes the service forget its cached callers. */
  const remembering = async () => {
    const role = await tenant.role()
    ok(await tenant.admin.delete(`/rbac/roles/${role.id}`))
  }
})

test('the text of a key names tenant and account, and its checksum finds every single mistyped character', () => {
  const tenantId = '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b'
  for (const accountId of [1, 12_345, Number.MAX_SAFE_INTEGER]) {
    const { secret, hash, prefix } = createKeyText(tenantId, accountId)
    expect(readKeyText(secret)).toEqual({ tenantId, accountId, hash })
    expect(secret.startsWith(prefix)).toBe(true)
    for (let index = 4; index < secret.length; index += 1) {
      const other = secret[index] === 'x' ? 'y' : 'x'
      expect(readKeyText(`${secret.slice(0, index)}${other}${secret.slice(index + 1)}`)).toBeUndefined()
    }
  }
})

test('a key is limited for each user and each question, as a key, and not as a whole', async () => {
  const at = await startApp({ rateLimit: true, requestsPerMinute: 1, keyRequestsPerMinute: 3 })
  try {
    const { token } = await keyWith(tenant.id, ['authz:check'])
    const ask = (userId: number) => call('GET', `/authz/permissions?user_id=${userId}`, { at, token })
    const check = (user_id: number) =>
      call('POST', '/authz/check', { at, token, body: { user_id, permissions: ['user:read'] } })
    const fourTimes = async (question: () => Promise<{ status: number }>) => {
      const statuses = []
      for (let index = 0; index < 4; index += 1) statuses.push((await question()).status)
      return statuses
    }
    for (const { userId } of [await tenant.member(), await tenant.member()]) {
      expect(await fourTimes(() => check(userId))).toEqual([200, 200, 200, 429])
      expect(await fourTimes(() => ask(userId))).toEqual([200, 200, 200, 429])
    }
  } finally {
    await at.app.close()
  }
})

test('a key and a user are limited each for themselves', async () => {
  const at = await startApp({ rateLimit: true, requestsPerMinute: 3, keyRequestsPerMinute: 5 })
  try {
    const [key, other] = [await keyWith(tenant.id, []), await keyWith(tenant.id, [])]
    const statuses = async (token: string) => {
      const answers = []
      for (let index = 0; index < 6; index += 1) {
        answers.push((await call('GET', '/ping', { at, token })).status)
      }
      return answers
    }
    for (const { token } of [key, other]) {
      expect(await statuses(token)).toEqual([200, 200, 200, 200, 200, 429])
    }
    expect(await statuses(tenant.admin.token)).toEqual([200, 200, 200, 429, 429, 429])
  } finally {
    await at.app.close()
  }
})
