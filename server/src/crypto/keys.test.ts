import { randomUUID } from 'node:crypto'
import { CompactSign, decodeJwt, decodeProtectedHeader, importPKCS8 } from 'jose'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { platformAdmin, register } from '../../test/factories.ts'
import { eventually } from '../../test/waits.ts'
import { call, clock, parts } from '../../test/harness.ts'
import type { Parts } from '../context.ts'
import type { Store } from '../db/client.ts'
import { pingStatus, postRefresh } from '../../test/accounts.ts'
import { openInstallation, type Installation } from '../../test/installation.ts'
import { rotateSigningKeys } from '../features/tenancy/system/key-rotation.service.ts'
import { systemCtx } from '../start/parts.ts'
import { builtInTenant } from '../access/permissions.ts'
import { tokenAlgorithms } from './algorithms.ts'
import { openKeys, privatePemOf } from './keys.ts'
import type { TokenUse } from './tokens.ts'
import { deleteOldKeys, ensureKeys, rotateKeys, type RotationOptions, type Succession } from './rotation.ts'

const day = 24 * 3600 * 1000

const minute = 60_000

/** Rotates the keys without a message to the replicas. Returns the kid of the new access token key. */
const rotateSilently = async (
  { store, secrets }: Pick<Parts, 'store' | 'secrets'>,
  now: Date,
  options?: RotationOptions,
): Promise<string> => (await store.transaction({}, (db) => rotateKeys(db, secrets, now, options))).access.kid

const rotate = async (options?: RotationOptions): Promise<string> => {
  const kid = await rotateSilently(parts, parts.now(), options)
  await parts.cache.publish({ kind: 'keys' })
  return kid
}

const publicKids = async (): Promise<string[]> => {
  const { body } = await call('GET', '//.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

const kidOf = (token: string): string => decodeProtectedHeader(token).kid ?? ''

beforeAll(async () => {
  await platformAdmin()
})

describe('rotating the keys', () => {
  test('no session ends: old access and refresh tokens stay valid, and the new key is published', async () => {
    const user = await register()
    const before = kidOf(user.token)
    const kid = await rotate()
    expect(await publicKids()).toEqual(expect.arrayContaining([kid, before]))
    expect(await pingStatus(user.token)).toBe(200)
    const { status, data } = await postRefresh(user.refreshToken)
    expect(status).toBe(200)
    expect(kidOf(data.refresh_token)).not.toBe(kidOf(user.refreshToken))
    expect(decodeJwt(data.access_token)['sid']).toBe(decodeJwt(user.token)['sid'])
  })

  test('a replica that misses the message about a rotation finds the new key when it meets a token of it', async () => {
    const untold = openKeys(parts.store, parts.secrets)
    await untold.signing('access', clock.now())
    const kid = await rotateSilently(parts, parts.now())
    await eventually(async () => expect(await untold.verifying(kid)).toBeDefined())
    expect(await untold.verifying('unknown')).toBeUndefined()
    await parts.cache.publish({ kind: 'keys' })
  })

  test('tokens of an unknown key are refused without a query for each', async () => {
    const asked = { count: 0 }
    const { store } = parts
    const counting = openKeys(
      {
        ...store,
        scoped: (scope) => {
          asked.count += 1
          return store.scoped(scope)
        },
      },
      parts.secrets,
    )
    const startedAt = performance.now()
    for (let n = 0; n < 200; n += 1) expect(await counting.verifying(`unknown ${n}`)).toBeUndefined()
    const seconds = (performance.now() - startedAt) / 1000
    // One read at first, and then at most 10 reads a second.
    expect(asked.count).toBeLessThanOrEqual(11 + 10 * seconds)
  })

  test('rotations at the same moment leave one key that signs', async () => {
    await Promise.all(Array.from({ length: 4 }, () => rotateSilently(parts, parts.now())))
    await parts.cache.publish({ kind: 'keys' })
    const living = await parts.store
      .scoped({})
      .many<{ kid: string }>(
        sql`select kid from signing_keys where purpose = 'access' and retired_at is null`,
      )
    expect(living).toHaveLength(1)
    clock.advance(6 * minute)
    expect((await parts.keys.signing('access', clock.now())).kid).toBe(living[0]?.kid)
  })
})

describe('the time of a key', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation()
  })
  afterAll(() => installation.remove())
  beforeEach(async () => {
    const { store, secrets, keys } = installation.parts
    await store.scoped({}).run(sql`delete from signing_keys`)
    await ensureKeys(store, secrets, clock.now(), 'EdDSA')
    keys.forget()
  })

  const subject = {
    userId: 1,
    tenantId: builtInTenant.id,
    sessionId: randomUUID(),
    generation: 0,
    amr: ['pwd'],
    isRestricted: false,
  }
  const sign = (use: TokenUse = 'access') => installation.parts.tokens.sign(use, subject, clock.now())
  const isValid = async (use: TokenUse, token: string) =>
    (await installation.parts.tokens.verify(use, token, clock.now())) !== undefined
  const published = async () => (await installation.parts.keys.jwks(clock.now())).keys.map(({ kid }) => kid)
  const rotateHere = async (options?: RotationOptions) => {
    const kid = await rotateSilently(installation.parts, clock.now(), options)
    installation.parts.keys.forget()
    return kid
  }

  test('a key signs only when every copy of the key set that a cache may hold has it', async () => {
    const stepMs = 30_000
    const copies = [await published()]
    const kid = await rotateHere()
    const signers: string[] = []
    for (let step = 0; step < 30; step += 1) {
      const signer = kidOf(await sign())
      signers.push(signer)
      for (const kids of copies.slice(-300_000 / stepMs)) expect(kids).toContain(signer)
      copies.push(await published())
      clock.advance(stepMs)
    }
    expect(signers[0]).not.toBe(kid)
    expect(signers.at(-1)).toBe(kid)
  })

  test('a second rotation before the first key signs puts no key into force that caches lack', async () => {
    const first = await rotateHere()
    clock.advance(2 * minute)
    const second = await rotateHere()
    expect(await published()).toEqual(expect.arrayContaining([first, second]))
    clock.advance(3 * minute + 1000)
    expect(kidOf(await sign())).toBe(first)
    clock.advance(2 * minute)
    expect(kidOf(await sign())).toBe(second)
  })

  test('a retired key leaves the key set after the last access token that it signed', async () => {
    const [access, refresh] = [await sign(), await sign('refresh')]
    await rotateHere()
    // Some seconds less, for a busy machine.
    clock.advance(5 * minute + 7190_000)
    expect(await published()).toContain(kidOf(access))
    clock.advance(11_000)
    expect(await published()).not.toContain(kidOf(access))
    expect(await isValid('refresh', refresh)).toBe(true)
  })

  test('keys of refresh tokens are never published', async () => {
    await rotateHere()
    // Two keys of access tokens and two of ID tokens.
    expect(await published()).toHaveLength(4)
    for (const use of ['access', 'refresh'] as const) {
      const isPublic = (await published()).includes(kidOf(await sign(use)))
      expect(isPublic).toBe(use === 'access')
    }
  })

  test('the new key signs at once after a leak, and no token of an earlier key is valid', async () => {
    const tokens = { access: await sign(), refresh: await sign('refresh') }
    for (const use of ['access', 'refresh'] as const) expect(await isValid(use, tokens[use])).toBe(true)
    const kid = await rotateHere({ isLeaked: true })
    expect(await published()).toEqual(expect.arrayContaining([kid]))
    expect(await published()).toHaveLength(2)
    for (const use of ['access', 'refresh'] as const) expect(await isValid(use, tokens[use])).toBe(false)
    expect(kidOf(await sign())).toBe(kid)
  })

  test.each(tokenAlgorithms)(
    'a rotation can change the algorithm of access tokens to %s, and the next one keeps it',
    async (alg) => {
      await rotateHere({ algorithm: alg })
      await rotateHere()
      clock.advance(6 * minute)
      const token = await sign()
      expect(decodeProtectedHeader(token).alg).toBe(alg)
      expect(await isValid('access', token)).toBe(true)
      expect(decodeProtectedHeader(await sign('refresh')).alg).toBe('EdDSA')
    },
  )
})

const auditKeys = (store: Store) =>
  store.transaction(
    {},
    (db) =>
      db.many<{
        kid: string
        private_pem: string | null
        private_sealed: Buffer | null
        retired_at: Date | null
      }>(
        sql`select kid, private_pem, private_sealed, retired_at from signing_keys order by created_at desc, kid`,
      ),
    'tenantry_seal',
  )

describe('audit keys', () => {
  test('sign no token: they are not published, not found by their kid, and never chosen', async () => {
    const key = (await auditKeys(parts.store)).find(({ retired_at }) => retired_at === null)
    const kid = key?.kid ?? ''
    expect(await publicKids()).not.toContain(kid)
    expect(await parts.keys.verifying(kid)).toBeUndefined()
    for (const use of ['access', 'refresh'] as const) {
      const { kid: signing } = await parts.keys.signing(use, clock.now())
      expect((await auditKeys(parts.store)).map((row) => row.kid)).not.toContain(signing)
    }
    const user = await register()
    const [, payload = ''] = user.token.split('.')
    const forged = await new CompactSign(Buffer.from(payload, 'base64url'))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
      .sign(await importPKCS8(key ? (privatePemOf(key, parts.secrets) ?? '') : '', 'EdDSA'))
    expect(await pingStatus(forged)).toBe(401)
  })

  test('keys of all purposes are rotated together, and the record names them', async () => {
    const rotated = await rotateSigningKeys(systemCtx(parts, 'rotate-keys'))
    const [kept] = await parts.store.scoped({ tenantId: builtInTenant.id }).many<{
      detail: unknown
      text: string
    }>(sql`
      select detail, detail::text as text from audit_logs where action = 'key.rotate' order by id desc limit 1`)
    const { access, refresh, audit } = rotated
    const changeOf = ({ kid, retired }: Succession) => ({ from: retired, to: kid })
    expect(kept?.detail).toEqual({
      access: changeOf(access),
      refresh: changeOf(refresh),
      audit: changeOf(audit),
    })
    for (const { retired } of [access, refresh, audit]) expect(retired).toHaveLength(1)
    expect(kept?.text).not.toMatch(/PRIVATE|"x"|"d"/)
  })
})

describe('the keys of an installation', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation()
  })
  afterAll(() => installation.remove())

  const keysOf = async () => (await installation.parts.keys.jwks(clock.now())).keys.map(({ kid }) => kid)

  test('the first start makes a key of access tokens and one of ID tokens, and later ones keep them', async () => {
    const { store, secrets } = installation.parts
    const made = await keysOf()
    expect(made).toHaveLength(2)
    await Promise.all(Array.from({ length: 4 }, () => ensureKeys(store, secrets, new Date(), 'EdDSA')))
    installation.parts.keys.forget()
    expect(await keysOf()).toEqual(made)
  })

  test('replicas that start together on an empty database agree on the keys', async () => {
    const { store, secrets, keys } = installation.parts
    await store.scoped({}).run(sql`delete from signing_keys`)
    await Promise.all(Array.from({ length: 4 }, () => ensureKeys(store, secrets, new Date(), 'EdDSA')))
    keys.forget()
    expect(await keysOf()).toHaveLength(2)
  })

  const allKids = async () => {
    const rows = await installation.parts.store
      .scoped({})
      .many<{ kid: string }>(
        sql`select kid from signing_keys where purpose = 'access' order by signs_from desc`,
      )
    return rows.map(({ kid }) => kid)
  }

  test('a retired key goes once no token of it can be alive, and the one that signs never', async () => {
    const { store, keys } = installation.parts
    const now = new Date()
    const [old = ''] = await allKids()
    const kid = await rotateSilently(installation.parts, now)
    await deleteOldKeys(store, new Date(now.getTime() + 7 * day))
    expect(await allKids()).toEqual([kid, old])
    await deleteOldKeys(store, new Date(now.getTime() + 8 * day))
    expect(await allKids()).toEqual([kid])
    await deleteOldKeys(store, new Date(now.getTime() + 400 * day))
    keys.forget()
    expect((await keys.signing('access', now)).kid).toBe(kid)
  })

  test('an audit key loses its private half as it is retired, and keeps the public one for ever', async () => {
    const { store } = installation.parts
    const [before] = await auditKeys(store)
    const now = new Date(Date.now() + day)
    await rotateSilently(installation.parts, now)
    await deleteOldKeys(store, new Date(now.getTime() + 400 * day))
    const [current, retired] = await auditKeys(store)
    expect(current).toMatchObject({ private_pem: null, private_sealed: expect.any(Buffer), retired_at: null })
    expect(retired).toEqual({ kid: before?.kid, private_pem: null, private_sealed: null, retired_at: now })
  })
})
