import { CompactSign, decodeJwt, decodeProtectedHeader, importPKCS8 } from 'jose'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { platformAdmin, register, signIn } from '../../test/factories.ts'
import { call, parts } from '../../test/harness.ts'
import type { Store } from '../db/client.ts'
import { pingStatus, postRefresh } from '../features/auth/test-accounts.ts'
import { openInstallation, type Installation } from '../features/auth/test-installation.ts'
import { rotateSigningKeys } from '../features/audit/keys.service.ts'
import { systemCtx } from '../parts.ts'
import { builtInTenant } from '../permissions.ts'
import { deleteOldKeys, ensureKeys, openKeys, rotateKeys } from './keys.ts'

const day = 24 * 3600 * 1000

/** Rotates the keys, and tells nobody; returns the name of the new token key. */
const rotateSilently = async (store: Store, now: Date): Promise<string> =>
  (await store.transaction({}, (db) => rotateKeys(db, now))).token.kid

const rotate = async (): Promise<string> => {
  const kid = await rotateSilently(parts.store, parts.now())
  await parts.cache.publish({ kind: 'keys' })
  return kid
}

const publicKids = async (): Promise<string[]> => {
  const { body } = await call('GET', '//.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

describe('rotating the keys', () => {
  test('no session ends: old access and refresh tokens go on, new ones carry the new key', async () => {
    await platformAdmin()
    const user = await register()
    const before = decodeProtectedHeader(user.token).kid
    const kid = await rotate()
    expect(kid).not.toBe(before)
    expect(await pingStatus(user.token)).toBe(200)
    const { status, data } = await postRefresh(user.refreshToken)
    expect(status).toBe(200)
    for (const token of [data.access_token, data.refresh_token, (await signIn(user)).token]) {
      expect(decodeProtectedHeader(token).kid).toBe(kid)
    }
    expect(decodeJwt(data.access_token)['sid']).toBe(decodeJwt(user.token)['sid'])
    expect(await publicKids()).toEqual(expect.arrayContaining([kid, before]))
  })

  test('a replica that was not told of a rotation finds the new key when it meets a token of it', async () => {
    const untold = openKeys(parts.store)
    await untold.signing()
    const kid = await rotateSilently(parts.store, parts.now())
    await expect.poll(() => untold.verifying(kid), { timeout: 5000 }).toBeDefined()
    expect(await untold.verifying('unknown')).toBeUndefined()
    await parts.cache.publish({ kind: 'keys' })
    expect(decodeProtectedHeader((await register()).token).kid).toBe(kid)
  })

  test('tokens of a key that nobody knows are refused without asking the database for each', async () => {
    const asked = { count: 0 }
    const { store } = parts
    const counting = openKeys({
      ...store,
      scoped: (scope) => {
        asked.count += 1
        return store.scoped(scope)
      },
    })
    for (let n = 0; n < 200; n += 1) expect(await counting.verifying(`unknown ${n}`)).toBeUndefined()
    expect(asked.count).toBeLessThan(15)
  })

  test('rotations at the same moment leave one key that signs', async () => {
    await Promise.all(Array.from({ length: 4 }, () => rotateSilently(parts.store, parts.now())))
    await parts.cache.publish({ kind: 'keys' })
    const living = await parts.store
      .scoped({})
      .many<{ kid: string }>(sql`select kid from signing_keys where retired_at is null`)
    expect(living).toHaveLength(1)
    expect(decodeProtectedHeader((await register()).token).kid).toBe(living[0]?.kid)
  })
})

/** Newest first. */
const auditKeys = (store: Store) =>
  store.transaction(
    {},
    (db) =>
      db.many<{ kid: string; private_pem: string | null; retired_at: Date | null }>(
        sql`select kid, private_pem, retired_at from signing_keys order by created_at desc, kid`,
      ),
    'tenantry_seal',
  )

describe('audit keys', () => {
  test('sign no token: they are not published, not found by their kid, and never chosen', async () => {
    const key = (await auditKeys(parts.store)).find(({ retired_at }) => retired_at === null)
    const kid = key?.kid ?? ''
    expect(await publicKids()).not.toContain(kid)
    expect(await parts.keys.verifying(kid)).toBeUndefined()
    const { kid: signing } = await parts.keys.signing()
    expect((await auditKeys(parts.store)).map((row) => row.kid)).not.toContain(signing)
    const user = await register()
    const [, payload = ''] = user.token.split('.')
    const forged = await new CompactSign(Buffer.from(payload, 'base64url'))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .sign(await importPKCS8(key?.private_pem ?? '', 'EdDSA'))
    expect(await pingStatus(forged)).toBe(401)
  })

  test('of both purposes are rotated together, and the record of it names them', async () => {
    const rotated = await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
    const [kept] = await parts.store.scoped({ tenantId: builtInTenant.id }).many<{
      detail: unknown
      text: string
    }>(sql`
      select detail, detail::text as text from audit_logs where action = 'key.rotate' order by id desc limit 1`)
    expect(kept?.detail).toEqual({
      token: { from: rotated.token.retired, to: rotated.token.kid },
      audit: { from: rotated.audit.retired, to: rotated.audit.kid },
    })
    expect([rotated.token.retired.length, rotated.audit.retired.length]).toEqual([1, 1])
    expect(kept?.text).not.toMatch(/PRIVATE|"x"|"d"/)
  })
})

describe('the keys of an installation', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation()
  })
  afterAll(() => installation.remove())

  const keysOf = async () => (await installation.parts.keys.jwks()).keys.map(({ kid }) => kid)

  test('the first start makes one key, and later ones keep it', async () => {
    const { store } = installation.parts
    const [kid, ...others] = await keysOf()
    expect(others).toEqual([])
    await Promise.all(Array.from({ length: 4 }, () => ensureKeys(store, new Date())))
    installation.parts.keys.forget()
    expect(await keysOf()).toEqual([kid])
  })

  test('replicas that start together on an empty database agree on one key', async () => {
    const { store, keys } = installation.parts
    await store.scoped({}).run(sql`delete from signing_keys`)
    await Promise.all(Array.from({ length: 4 }, () => ensureKeys(store, new Date())))
    keys.forget()
    expect(await keysOf()).toHaveLength(1)
  })

  test('a retired key goes once no token of it can be alive, and the one that signs never', async () => {
    const { store, keys } = installation.parts
    const now = new Date()
    const [old = ''] = await keysOf()
    const kid = await rotateSilently(store, now)
    await deleteOldKeys(store, new Date(now.getTime() + 7 * day))
    keys.forget()
    expect(await keysOf()).toEqual([kid, old])
    await deleteOldKeys(store, new Date(now.getTime() + 8 * day))
    keys.forget()
    expect(await keysOf()).toEqual([kid])
    await deleteOldKeys(store, new Date(now.getTime() + 400 * day))
    keys.forget()
    expect((await keys.signing()).kid).toBe(kid)
  })
  test('an audit key loses its private half as it is retired, and keeps the public one for ever', async () => {
    const { store } = installation.parts
    const [before] = await auditKeys(store)
    const now = new Date(Date.now() + day)
    await rotateSilently(store, now)
    await deleteOldKeys(store, new Date(now.getTime() + 400 * day))
    const [current, retired] = await auditKeys(store)
    expect(current).toMatchObject({ private_pem: expect.stringContaining('PRIVATE KEY'), retired_at: null })
    expect(retired).toEqual({ kid: before?.kid, private_pem: null, retired_at: now })
  })
})
