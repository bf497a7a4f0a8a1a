/** An import refuses bad files. After it, users of two tenants can have equal ids. */
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import {
  auditRecords,
  builtIn,
  countAuditRecords,
  keyWith,
  newTenant,
  ok,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import {
  asTwin,
  exportFolder as folder,
  forge,
  type About,
  type Parts,
} from '../../../../test/forged-exports.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { waitingFor } from '../../../../test/mail-queue.ts'
import { stopMinutes } from '../../../../test/waits.ts'
import { readArchive } from '../../../archive.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { rollingBack } from '../../../rehearsal.ts'
import { systemCtx } from '../../../start/parts.ts'
import { gatherConflicts } from './conflicts.ts'
import { exportTenant } from './export.service.ts'
import { importTenant, tryImport } from './import.service.ts'
import { createKnownPeople } from './known-people.ts'

const ctx = () => systemCtx(parts, 'test')

const importTwin = async (tenant: Tenant) => {
  const file = await forge(tenant, asTwin)
  const { tenant: twin } = await importTenant(ctx(), file)
  const signInTwin = (user: Caller) => signIn({ ...user, tenantId: twin.id, email: `twin-${user.email}` })
  return { id: twin.id, signInTwin }
}

test('a forged user of an export takes no account of another tenant', async () => {
  const [tenant, other] = [await newTenant(), await newTenant()]
  const file = await forge(tenant, (rows, about) => {
    asTwin(rows, about)
    const [row] = rows['03-users'] ?? []
    Object.assign(row ?? {}, { email: other.admin.email, email_folded: other.admin.email })
  })
  await expect(importTenant(ctx(), file)).rejects.toThrow(
    `the e-mail ${other.admin.email} has an account here`,
  )
})

test('a forged account gets no e-mail of another person, and no owner', async () => {
  const tenant = await newTenant()
  const [forger, victim] = [`${unique('forger')}@example.com`, `${unique('victim')}@example.com`]
  const file = await forge(tenant, (rows, about) => {
    asTwin(rows, about)
    const names = { email: forger, email_folded: victim }
    Object.assign(rows['02-accounts']?.[0], names, { proved_email: victim, has_own_password: true })
    Object.assign(rows['03-users']?.[0], names)
  })
  const { tenant: twin } = await importTenant(ctx(), file)
  for (const email of [victim, forger]) await call('POST', '/auth/password/forgot', { body: { email } })
  expect((await waitingFor(forger)).map(({ kind }) => kind)).toEqual(['reset'])
  expect(await waitingFor(victim)).toEqual([])
  await signIn({ ...tenant.admin, tenantId: twin.id, email: forger })
  const [account] = await parts.store.scoped({}).many(sql`
    select email_folded, proved_email, has_own_password from accounts where email = ${forger}`)
  expect(account).toEqual({ email_folded: forger, proved_email: null, has_own_password: false })
})

test.each([
  [
    'a password hash that takes hours to verify',
    '02-accounts',
    { password_hash: `$2b$31$${'a'.repeat(53)}` },
  ],
  ['an address with a line break', '02-accounts', { email: 'ada@example.com\r\nBcc: all@example.com' }],
  ['a username that the API refuses', '03-users', { username: 'a\nb' }],
] as const)('an import with %s is refused', async (_name, part, forged) => {
  const file = await forge(await newTenant(), (rows, about) => {
    asTwin(rows, about)
    Object.assign(rows[part]?.[0], forged)
  })
  await expect(importTenant(ctx(), file)).rejects.toThrow(`cannot be imported: ${part}`)
})

describe('two tenants whose users have equal ids', () => {
  test('are kept apart: a user disabled, signed out or deleted in one continues in the other', async () => {
    const tenant = await newTenant()
    const [first, second] = [await tenant.member(), await tenant.member()]
    const { id, signInTwin } = await importTwin(tenant)
    const [twinOfFirst, twinOfSecond, twinAdmin] = [
      await signInTwin(first),
      await signInTwin(second),
      await signInTwin(tenant.admin),
    ]
    const statusOf = async (user: Caller) => (await user.get('/profile')).status
    const everybody = [first, second, twinOfFirst, twinOfSecond, tenant.admin, twinAdmin]
    for (const user of everybody) expect(await statusOf(user)).toBe(200)

    ok(await tenant.admin.put(`/users/${first.userId}`, { status: 0 }))
    expect([await statusOf(first), await statusOf(twinOfFirst)]).toEqual([401, 200])
    ok(await twinAdmin.put(`/users/${second.userId}`, { status: 0 }))
    expect([await statusOf(second), await statusOf(twinOfSecond)]).toEqual([200, 401])

    // A second use of a refresh token ends its session.
    const refresh = () => call('POST', '/auth/refresh', { body: { refresh_token: second.refreshToken } })
    ok(await refresh())
    clock.advance(11_000)
    expect((await refresh()).status).toBe(401)
    expect([await statusOf(second), await statusOf(twinOfFirst)]).toEqual([401, 200])
    ok(await twinAdmin.delete(`/users/${first.userId}`))
    expect(await statusOf(twinOfFirst)).toBe(401)
    expect((await tenant.admin.get(`/users/${first.userId}`)).status).toBe(200)
    expect((await tenant.admin.get(`/users/${first.userId}`, { tenant: id })).status).toBe(403)
  })

  test('each have their own permissions, notifications and audit records', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const { id, signInTwin } = await importTwin(tenant)
    const twin = await signInTwin(member)
    const adminRole = (ok(await tenant.admin.get('/rbac/roles')) as { id: number; name: string }[]).find(
      ({ name }) => name === 'admin',
    )
    ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: adminRole?.id }))
    expect([(await member.get('/users')).status, (await twin.get('/users')).status]).toEqual([200, 403])
    ok(await tenant.admin.post('/notifications', { user_id: member.userId, title: 'for one' }))
    expect(ok(await twin.get('/notifications/unread-count')).count).toBe(0)
    const about = async (tenantId: string) => (await auditRecords(tenantId, 'user', member.userId)).length
    const before = [await about(tenant.id), await about(id)]
    ok(await tenant.admin.put(`/users/${member.userId}`, { nickname: 'changed' }))
    expect([await about(tenant.id), await about(id)]).toEqual([(before[0] ?? 0) + 1, before[1]])
  })

  test('keep roles given by hand, and none that a group of a provider gives', async () => {
    const tenant = await newTenant()
    const member = await tenant.member()
    const [byHand, mapped] = [await tenant.role('user:read'), await tenant.role('role:read')]
    ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: byHand.id }))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into user_roles (tenant_id, user_id, role_id, source)
      values (${tenant.id}, ${member.userId}, ${mapped.id}, 'sso')`)
    const { signInTwin } = await importTwin(tenant)
    const twin = await signInTwin(member)
    const names = ok(await twin.get(`/rbac/users/${member.userId}/roles`)).map(
      ({ name }: { name: string }) => name,
    )
    expect(names.toSorted()).toEqual(['member', byHand.name].toSorted())
  })

  test('are no platform administrator: one acts on a user of their own id in another tenant', async () => {
    const [tenant, root] = [await newTenant(), await platformAdmin()]
    const member = await tenant.member()
    const file = await forge(tenant, (rows, about) => {
      asTwin(rows, about)
      for (const row of rows['03-users'] ?? []) if (row.id === member.userId) row.id = root.userId
      for (const row of rows['06-user-roles'] ?? []) {
        if (row.user_id === member.userId) row.user_id = root.userId
      }
    })
    const { tenant: twin } = await importTenant(ctx(), file)
    const inTwin = { tenant: twin.id }
    const rolesIn = async (options?: { tenant: string }) =>
      (ok(await root.get(`/rbac/users/${root.userId}/roles`, options)) as { name: string }[]).map(
        ({ name }) => name,
      )
    expect(await rolesIn(inTwin)).toEqual(['member'])
    expect(await rolesIn()).toContain('platform-admin')
    ok(await root.put(`/users/${root.userId}`, { status: 0 }, inTwin))
    expect((await root.put(`/users/${root.userId}`, { status: 0 })).status).toBe(400)
    ok(await root.delete(`/users/${root.userId}`, inTwin))
    expect((await root.get('/profile')).status).toBe(200)
  })

  test('are limited each for themselves', async () => {
    const tenant = await newTenant()
    const { signInTwin } = await importTwin(tenant)
    const twin = await signInTwin(tenant.admin)
    const at = await startApp({ rateLimit: true })
    stopMinutes()
    try {
      const ping = () => call('GET', '/ping', { at, token: tenant.admin.token })
      for (let sent = 0; sent < 6000; sent += 50) await Promise.all(Array.from({ length: 50 }, ping))
      expect((await ping()).status).toBe(429)
      expect((await call('GET', '/ping', { at, token: twin.token })).status).toBe(200)
    } finally {
      vi.useRealTimers()
      await at.app.close()
    }
  })
})

describe('an import', () => {
  const refusalOf = (file: string) =>
    importTenant(ctx(), file).then(
      () => 'imported',
      (err: unknown) => (err as Error).message,
    )

  test('is refused with every conflict, before anything is written, also in a dry run', async () => {
    const tenant = await newTenant()
    const root = await platformAdmin()
    const count = async () => [
      (ok(await root.get('/org/tenants')) as unknown[]).length,
      await countAuditRecords(builtIn.id),
    ]
    const file = await forge(tenant, (rows, about) => {
      about.tenant.id = randomUUID()
      rows['05-role-permissions']?.push(
        { role_id: 1, permission: 'moon:walk' },
        { role_id: 1, permission: 'tenant:create' },
      )
      about.counts['05-role-permissions'] = rows['05-role-permissions']?.length ?? 0
      rows['06-user-roles']?.push({ user_id: tenant.admin.userId, template: 'platform-admin' })
      about.counts['06-user-roles'] = rows['06-user-roles']?.length ?? 0
    })
    const before = await count()
    const expected = [
      `the tenant ${tenant.id} has the slug ${tenant.slug}`,
      'the permission moon:walk is none of a tenant here',
      'the permission tenant:create is none of a tenant here',
      'the role template platform-admin is none of a tenant here',
    ]
    expect((await refusalOf(file)).split('\n')).toEqual(expected)
    await expect(tryImport(ctx(), file)).rejects.toThrow(expected.join('\n'))
    expect(await count()).toEqual(before)
  })

  test('an import of many forged users names twenty, and says how many more there are', async () => {
    const tenant = await newTenant()
    for (let index = 0; index < 21; index += 1) await tenant.member()
    const file = await forge(tenant, (rows, about) => {
      const users = structuredClone(rows['03-users'] ?? [])
      asTwin(rows, about)
      rows['03-users'] = users
    })
    const lines = (await refusalOf(file)).split('\n')
    expect([lines.length, lines.at(-1)]).toEqual([21, 'and 2 more of these'])
  })

  test('is refused of the built-in tenant, of a newer version, and of rows that do not fit together', async () => {
    const tenant = await newTenant()
    await tenant.member()
    const withTwin = (change: (rows: Parts, about: About) => void) => (rows: Parts, about: About) => {
      asTwin(rows, about)
      change(rows, about)
    }
    const cases: [(rows: Parts, about: About) => void, RegExp][] = [
      [(_rows, about) => (about.tenant.id = builtIn.id), /belongs to its installation/],
      [
        (_rows, about) => about.migrations.push('9999-of-tomorrow'),
        /newer than this program \(9999-of-tomorrow\)/,
      ],
      [(rows) => (rows['99-of-tomorrow'] = []), /newer than this program \(99-of-tomorrow\)/],
      [(rows) => rows['02-accounts']?.pop(), /is damaged: 02-accounts has 2 rows, and 1/],
      [
        (rows) => (rows['02-accounts'] = [...(rows['02-accounts'] ?? []), rows['02-accounts']?.[0]]),
        /02-accounts: dup/,
      ],
      [
        (rows) => rows['06-user-roles']?.forEach((row) => (row.user_id += 7_777_777)),
        /06-user-roles has \d+ rows, and 0 of them fit together/,
      ],
      [
        (rows) => rows['09-audit-logs']?.forEach((row) => (row.id = -row.id)),
        /the ids of audit_logs are not all/,
      ],
      [
        (rows) => rows['03-users']?.forEach((row, index) => (row.id = 2 ** 52 + 1 + index)),
        /fit together|cannot be raised/,
      ],
      [(rows) => ((rows['13-audit-keys'] ?? [{}])[0].kid = 'another'), /an audit key of the export is not/],
      [
        (rows) => ((rows['13-audit-keys'] ?? [{}])[0].public_jwk.x = 'short'),
        /an audit key of the export is not/,
      ],
      [(rows) => rows['08-notifications']?.push({ title: 1 }), /08-notifications/],
      [(rows) => rows['07-settings']?.push({ key: 'x' }), /07-settings/],
    ]
    for (const [change, reason] of cases) {
      const file = await forge(tenant, withTwin(change))
      const before = await countAuditRecords(builtIn.id)
      expect(await refusalOf(file)).toMatch(reason)
      expect(await countAuditRecords(builtIn.id)).toBe(before)
    }
  })

  test('an import of a changed file is refused by the name of the part', async () => {
    const tenant = await newTenant()
    const file = join(folder, `${tenant.slug}.tgz`)
    await exportTenant(ctx(), tenant.id, file)
    const seen: string[] = []
    await readArchive(file, 'tenantry-tenant', {
      begin: () => {},
      async file(path, body) {
        for await (const _chunk of body) seen.push(path)
      },
    })
    expect(seen).toContain('02-accounts.ndjson')
    writeFileSync(file, readFileSync(file).subarray(0, -200))
    expect(await refusalOf(file)).toMatch(/is damaged/)
  })

  test('an import of a removed tenant is refused, during its purge and after it', async () => {
    const tenant = await newTenant()
    const file = join(folder, `${tenant.slug}.tgz`)
    await exportTenant(ctx(), tenant.id, file)
    const root = await platformAdmin()
    ok(await root.delete(`/org/tenants/${tenant.id}`))
    expect(await refusalOf(file)).toMatch(/is being purged here|was erased here for good/)
  })

  test('takes no tenant, account or mark of removal from the file, and no half of a key that signs', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()]
    const file = await forge(tenant, (rows, about) => {
      asTwin(rows, about)
      const foreign = { tenant_id: other.id, account_id: 1, platform_only: true, permission_id: 1 }
      for (const row of Object.values(rows).flat()) {
        Object.assign(row, foreign, { deleted_at: '2020-01-01T00:00:00Z', private_pem: 'pem' })
      }
      for (const row of rows['01-tenant'] ?? []) row.id = other.id
    })
    const { tenant: twin } = await importTenant(ctx(), file)
    const admin = await signIn({ ...tenant.admin, tenantId: twin.id, email: `twin-${tenant.admin.email}` })
    const codesIn = async (caller: Caller) =>
      (ok(await caller.get('/rbac/roles')) as { permissions: object[] }[]).map((role) => role.permissions)
    expect(await codesIn(admin)).toEqual(await codesIn(tenant.admin))
    expect(ok(await admin.get('/profile'))).toMatchObject({ tenant_id: twin.id })
    expect(await countAuditRecords(other.id)).toBe(await countAuditRecords(tenant.id))
  })

  test('carries service accounts with their roles, and no key', async () => {
    const tenant = await newTenant()
    const key = await keyWith(tenant.id, ['user:read'])
    const { signInTwin } = await importTwin(tenant)
    const admin = await signInTwin(tenant.admin)
    const path = `/service-accounts/${key.userId}`
    expect(ok(await admin.get(path))).toMatchObject({ id: key.userId, name: key.username, status: 1 })
    expect(ok(await admin.get(`/rbac/users/${key.userId}/roles`))).toHaveLength(1)
    expect(ok(await admin.get(`${path}/keys`))).toEqual([])
    expect((await key.get('/users')).status).toBe(200)
    expect((await keyWith(tenant.id, [])).userId).toBeGreaterThan(key.userId)
  })

  test('is refused when an archive keeps the part of the log that its records belong into', async () => {
    const conflictsOf = (id: number) =>
      rollingBack<TransactionDb, string[]>(
        (doomed) => parts.store.transaction({}, doomed),
        async (db) => {
          await db.run(sql`select set_config('role', 'none', true)`)
          await db.run(sql`insert into audit_archives values (100, 'audit_logs_first', 'old', now(), now())`)
          const conflicts = gatherConflicts(db, [], createKnownPeople())
          await conflicts.add('09-audit-logs', [`{"id":${id}}`])
          return conflicts.list()
        },
      )
    expect(await conflictsOf(99)).toEqual([
      'audit records belong into the archive old: first run tenantry audit move --back old',
    ])
    expect(await conflictsOf(100)).toEqual([])
  })

  test('is refused when a service account has the id of a user', async () => {
    const tenant = await newTenant()
    await keyWith(tenant.id, [])
    const file = await forge(tenant, (rows, about) => {
      asTwin(rows, about)
      for (const row of rows['03b-service-accounts'] ?? []) row.id = tenant.admin.userId
    })
    expect(await refusalOf(file)).toMatch(/03b-service-accounts has 1 rows, and 0 of them fit together/)
  })

  test('never lowers the ids of the installation', async () => {
    const tenant = await newTenant()
    await importTwin(tenant)
    const [next, after] = [await tenant.member(), await (await newTenant()).member()]
    expect(after.userId).toBeGreaterThan(next.userId)
    expect(next.userId).toBeGreaterThan(tenant.admin.userId)
  })
})

describe('people of an export who have an account here', () => {
  /** Changes the rows into another tenant whose users have the same accounts. */
  const asMoved = (rows: Parts, about: About): void => {
    about.tenant.id = randomUUID()
    about.tenant.slug = unique('moved')
    for (const row of rows['01-tenant'] ?? []) row.slug = about.tenant.slug
  }

  test('are invited with their roles instead, and the account stays as it is', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const [person, disabled] = [await tenant.userWith('user:read'), await tenant.member()]
    const [role] = ok(await tenant.admin.get(`/rbac/users/${person.userId}/roles`))
    ok(await tenant.admin.post('/notifications', { user_id: person.userId, title: 'stays behind' }))
    ok(await tenant.admin.put(`/users/${disabled.userId}`, { status: 0 }))
    const file = await forge(tenant, asMoved)
    const dry = await tryImport(ctx(), file)
    const known = [tenant.admin, person, disabled].map(({ email }) => email).toSorted()
    expect(dry.known.map(({ email }) => email).toSorted()).toEqual(known)
    const { tenant: moved } = await importTenant(ctx(), file)
    const scope = { tenant: moved.id }
    expect(ok(await root.get('/users', scope)).total).toBe(0)
    const { items, total } = ok(await root.get('/invitations', scope))
    expect(total).toBe(2)
    expect(items).toContainEqual(
      expect.objectContaining({
        email: person.email,
        role_ids: [role.id],
        invited_by: 0,
        status: 'pending',
        link: '',
      }),
    )
    expect((await signIn(person)).tenantId).toBe(tenant.id)
    expect(await person.get('/profile')).toMatchObject({ data: { id: person.userId, tenant_id: tenant.id } })
    expect(ok(await person.get('/auth/memberships'))).toHaveLength(1)
  })

  test('leave ids behind that no later user gets', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const highest = 2 ** 40 + Math.floor(Math.random() * 2 ** 30)
    const file = await forge(tenant, (rows, about) => {
      asMoved(rows, about)
      const [user] = rows['03-users'] ?? []
      for (const row of rows['06-user-roles'] ?? []) if (row.user_id === user.id) row.user_id = highest
      user.id = highest
    })
    await importTenant(ctx(), file)
    const body = {
      email: `${unique('u')}@example.com`,
      username: unique('u'),
      password: 'correct horse battery',
    }
    expect(ok(await root.post('/users', body)).id).toBeGreaterThan(highest)
  })
})
