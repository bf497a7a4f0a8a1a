import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { actorOf } from './actor.ts'
import { permissions, type PermissionCode } from './permissions.ts'
import { requireRankOverUser, type AuthorityCtx } from './authority.ts'
import { networksOf } from '../values/networks.ts'
import { isAllowed, may, policies } from './policies.ts'

const [home, elsewhere] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']

const caller = (codes: PermissionCode[]) =>
  actorOf(
    { requireVerifiedEmail: true },
    { tenantId: home, userId: 7, credential: { kind: 'session', id: 'any' } },
    {
      tenant_status: 1,
      tenant_slug: 'any',
      name: 'ada',
      permissions: codes,
      is_factor_required: false,
      amr: ['pwd'],
      is_email_open: false,
      is_password_expired: false,
      account_id: 3,
      is_noted: true,
      is_seen_today: true,
      key_id: null,
      expires_at: null,
      allowed_cidrs: null,
      application_id: null,
      application_name: null,
      is_third_party: null,
      is_api_open: null,
      narrowed_codes: null,
      required_permission: null,
      connection_id: null,
      ends: null,
    },
  )

const allCodes = permissions.map(({ code }) => code)

const callerWithout = (code: string) => caller(allCodes.filter((one) => one !== code))

const ownNotification = { tenant_id: home, user_id: 7 }
const otherNotification = { tenant_id: home, user_id: 8 }
const [ownUser, otherUser] = [ownNotification, otherNotification]

describe('a read of one’s own resources', () => {
  test.each(['readNotification', 'deleteNotification', 'markNotificationRead'] as const)(
    '%s needs no permission for one’s own',
    (name) => {
      expect(may(caller([]), policies[name], ownNotification)).toBe(true)
    },
  )

  test('readRolesOfUser, readTenant and enterTenant need no permission for one’s own', () => {
    expect(may(caller([]), policies.readRolesOfUser, ownUser)).toBe(true)
    expect(may(caller([]), policies.readTenant, home)).toBe(true)
    expect(may(caller([]), policies.readTenant, home.toUpperCase())).toBe(true)
    expect(may(caller([]), policies.enterTenant, home)).toBe(true)
  })
})

describe('a read of foreign resources', () => {
  test.each([
    ['readNotification', 'notification:read'],
    ['deleteNotification', 'notification:delete'],
  ] as const)('%s needs %s, and no other permission', (name, code) => {
    expect(may(caller([code]), policies[name], otherNotification)).toBe(true)
    expect(may(callerWithout(code), policies[name], otherNotification)).toBe(false)
  })

  test('readRolesOfUser needs role:read, and no other permission', () => {
    expect(may(caller(['role:read']), policies.readRolesOfUser, otherUser)).toBe(true)
    expect(may(callerWithout('role:read'), policies.readRolesOfUser, otherUser)).toBe(false)
  })

  test('readTenant needs tenant:read, and no other permission', () => {
    expect(may(caller(['tenant:read']), policies.readTenant, elsewhere)).toBe(true)
    expect(may(callerWithout('tenant:read'), policies.readTenant, elsewhere)).toBe(false)
  })

  test('enterTenant needs tenant:enter, and no other permission', () => {
    expect(may(caller(['tenant:enter']), policies.enterTenant, elsewhere)).toBe(true)
    expect(may(callerWithout('tenant:enter'), policies.enterTenant, elsewhere)).toBe(false)
  })

  test('countTenants needs tenant:read, and no other permission', () => {
    expect(may(caller(['tenant:read']), policies.countTenants, undefined)).toBe(true)
    expect(may(callerWithout('tenant:read'), policies.countTenants, undefined)).toBe(false)
  })
})

test('nobody marks the notification of another user read', () => {
  expect(may(caller(allCodes), policies.markNotificationRead, otherNotification)).toBe(false)
})

test('a user of the same id in another tenant is another user', () => {
  const namesake = { tenant_id: elsewhere, user_id: 7 }
  expect(may(caller(allCodes), policies.markNotificationRead, namesake)).toBe(false)
  expect(may(caller([]), policies.readNotification, namesake)).toBe(false)
  expect(may(caller([]), policies.readRolesOfUser, namesake)).toBe(false)
})

test('rank counts against a user of the same id in another tenant', () => {
  const actIn = (tenantId: string) => () =>
    requireRankOverUser({ actor: caller([]), tenantId } as AuthorityCtx, 7, ['user:read'])
  expect(actIn(home)).not.toThrow()
  expect(actIn(elsewhere)).toThrow(/holds permissions you do not/)
})

test('no other file of the server asks for a permission of the caller', () => {
  const folder = new URL('..', import.meta.url)
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  const asking = files.filter((file) =>
    /\bpermissions\.(has|includes)\(/.test(readFileSync(new URL(file, folder), 'utf8')),
  )
  expect(asking).toEqual(['access/policies.ts'])
})

test('a key holds permissions, and has no account of its own', () => {
  const user = caller(['user:read'])
  const key = { ...user, key: { id: 1, expiresAt: undefined, allowedCidrs: [], networks: networksOf([]) } }
  for (const allow of ['caller', 'user:read', undefined] as const) expect(isAllowed(key, allow)).toBe(true)
  expect([isAllowed(user, 'user'), isAllowed(key, 'user')]).toEqual([true, false])
})
