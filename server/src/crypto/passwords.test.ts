import { hash, verify } from '@node-rs/bcrypt'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { password, platformAdmin, signIn } from '../../test/factories.ts'
import { call, parts } from '../../test/harness.ts'
import { credentials, importUser, postLogin, postRegister, storedPassword } from '../../test/accounts.ts'
import { createHasher, hashesAtOnce } from './passwords.ts'

beforeAll(() => platformAdmin())

/** Registers with the password, and returns the e-mail. */
const registerWith = async (chosen: string): Promise<string> => {
  const mine = { ...credentials(), password: chosen }
  expect(await postRegister(mine)).toMatchObject({ status: 200 })
  return mine.email
}

const opens = async (email: string, tried: string): Promise<boolean> => {
  const { status } = await postLogin(email, tried)
  expect([200, 401]).toContain(status)
  return status === 200
}

describe('the stored form of a password', () => {
  test.each<[string, string]>([
    ['8 characters', 'p4ssw0rd'],
    ['72 ASCII characters', 'p'.repeat(72)],
    ['72 bytes in 18 code points', '🦉'.repeat(18)],
    ['72 bytes in 36 code points', 'é'.repeat(36)],
  ])('a password of %s is stored as plain $2b$, which others verify', async (_what, chosen) => {
    const email = await registerWith(chosen)
    const stored = await storedPassword(email)
    expect(stored).toEqual({
      password_scheme: 'bcrypt',
      password_hash: expect.stringMatching(/^\$2b\$04\$[./\w]{53}$/),
    })
    expect(await verify(chosen, stored?.password_hash ?? '')).toBe(true)
    expect(await opens(email, chosen)).toBe(true)
  })

  test.each<[string, string]>([
    ['73 ASCII characters', 'p'.repeat(73)],
    ['73 bytes in 19 code points', `${'🦉'.repeat(18)}x`],
    ['74 bytes in 37 code points', 'é'.repeat(37)],
    ['128 characters', 'p'.repeat(128)],
    ['128 code points', '🦉'.repeat(128)],
  ])('a password of %s is marked as condensed', async (_what, chosen) => {
    const email = await registerWith(chosen)
    expect(await storedPassword(email)).toMatchObject({ password_scheme: 'hmac-bcrypt' })
    expect(await opens(email, chosen)).toBe(true)
  })

  test('two accounts with one password have different hashes', async () => {
    const [one, other] = [await registerWith('p'.repeat(100)), await registerWith('p'.repeat(100))]
    expect((await storedPassword(one))?.password_hash).not.toBe((await storedPassword(other))?.password_hash)
  })
})

describe('the Unicode form of a password', () => {
  const [composed, decomposed, wide] = [
    'Äpfel über Öl'.normalize('NFC'),
    'Äpfel über Öl'.normalize('NFD'),
    'Äpfel über Ｏ̈l',
  ]

  test('registered composed, decomposed or in wide letters, it opens in each form, and others do not', async () => {
    for (const chosen of [composed, decomposed, wide]) {
      const email = await registerWith(chosen)
      for (const tried of [composed, decomposed, wide]) expect(await opens(email, tried)).toBe(true)
      expect(await opens(email, 'Apfel uber Ol')).toBe(false)
    }
  })

  test('a hash of another form, imported or of our own, opens with that form', async () => {
    for (const scheme of ['foreign', 'bcrypt']) {
      const { email } = await importUser(await hash(decomposed, 4))
      await parts.store
        .scoped({})
        .run(sql`update accounts set password_scheme = ${scheme} where email_folded = ${email}`)
      expect(await opens(email, composed)).toBe(false)
      expect(await opens(email, decomposed)).toBe(true)
    }
  })
})

describe('the whole length of a password', () => {
  test('a password of 128 characters does not open with its last one changed or missing', async () => {
    const email = await registerWith(`${'p'.repeat(127)}q`)
    for (const tried of ['p'.repeat(128), 'p'.repeat(127), `${'p'.repeat(127)}qq`, 'p'.repeat(72)]) {
      expect(await opens(email, tried)).toBe(false)
    }
    expect(await opens(email, `${'p'.repeat(127)}q`)).toBe(true)
  })

  test('a longer password that shares the first 72 bytes does not open the account', async () => {
    for (const chosen of ['p'.repeat(72), '🦉'.repeat(18)]) {
      const email = await registerWith(chosen)
      for (const more of ['x', 'p', '🦉']) expect(await opens(email, `${chosen}${more}`)).toBe(false)
      expect(await opens(email, chosen)).toBe(true)
    }
  })

  test('the first 72 bytes of a longer password do not open the account', async () => {
    const email = await registerWith('p'.repeat(73))
    expect(await opens(email, 'p'.repeat(72))).toBe(false)
    expect(await opens(email, 'p'.repeat(74))).toBe(false)
  })

  test('a change of password moves between the two ways of storing', async () => {
    const mine = credentials()
    const { data } = await postRegister(mine)
    const change = (token: string, from: string, to: string) =>
      call('POST', '/password', { token, body: { old_password: from, new_password: to } })
    const long = 'long '.repeat(20)
    expect(await change(data.access_token, password, long)).toMatchObject({ status: 200 })
    expect(await storedPassword(mine.email)).toMatchObject({ password_scheme: 'hmac-bcrypt' })
    const { token } = await signIn({ ...mine, userId: 0, tenantId: '' }, long)
    expect(await change(token, long, password)).toMatchObject({ status: 200 })
    expect(await storedPassword(mine.email)).toMatchObject({ password_scheme: 'bcrypt' })
    expect(await opens(mine.email, password)).toBe(true)
  })
})

describe('a hash made elsewhere', () => {
  const made = async (version: '2a' | '2b' | '2y', cost: number, chosen = password) =>
    // $2a$, $2b$ and $2y$ are names of one algorithm.
    (await hash(chosen, cost)).replace('$2b$', `$${version}$`)

  test.each<'2a' | '2b' | '2y'>(['2a', '2b', '2y'])(
    'a $%s$ hash is replaced at the next login, and only by the right password',
    async (version) => {
      const foreign = await made(version, 4)
      expect(foreign.startsWith(`$${version}$04$`)).toBe(true)
      const { email } = await importUser(foreign)
      expect(await opens(email, 'not the password')).toBe(false)
      expect(await storedPassword(email)).toMatchObject({ password_hash: foreign })
      expect(await opens(email, password)).toBe(true)
      const stored = await storedPassword(email)
      expect(stored).toEqual({
        password_scheme: 'bcrypt',
        password_hash: expect.stringMatching(/^\$2b\$04\$/),
      })
      expect(await opens(email, password)).toBe(true)
      expect(await storedPassword(email)).toEqual(stored)
    },
  )

  test('concurrent logins all succeed while a hash is replaced', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { email } = await importUser(await made('2a', 5))
      const tried = await Promise.all(Array.from({ length: 10 }, () => opens(email, password)))
      expect(tried).toEqual(Array.from({ length: 10 }, () => true))
    }
  })

  test('a sign-in replaces an imported hash by one of the whole long password', async () => {
    const long = 'long '.repeat(20)
    const { email } = await importUser(await made('2b', 4, long))
    expect(await opens(email, long)).toBe(true)
    expect(await storedPassword(email)).toMatchObject({ password_scheme: 'hmac-bcrypt' })
    expect(await opens(email, long.slice(0, 72))).toBe(false)
    expect(await opens(email, long)).toBe(true)
  })

  test.each(['', 'plain text', '$2y$05$nonsense', '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA', '!'])(
    'a stored text that is no bcrypt hash ("%s") opens nothing, and is no error',
    async (nonsense) => {
      const { email } = await importUser(nonsense)
      for (const tried of [password, nonsense || 'anything']) expect(await opens(email, tried)).toBe(false)
    },
  )
})

describe('the hashing queue', () => {
  test.each([
    [1, 1, 1],
    [2, 1, 2],
    [8, 1, 3],
    [8, 4, 2],
    [16, 4, 3],
    [2, 8, 1],
  ])('a machine of %i cores with %i workers hashes %i passwords at once in each', (cores, workers, share) => {
    expect(hashesAtOnce(cores, workers)).toBe(share)
  })

  test('a sign-in that waits for five seconds is told to come back then, however long the running hashes take', async () => {
    const hasher = await createHasher(4)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let found = 0
    const isFree = Promise.withResolvers<void>()
    const find = async () => {
      found += 1
      await isFree.promise
      return undefined
    }
    const waits = Array.from({ length: 60 }, () => hasher.verify(password, find))
    const { running, waiting } = hasher.stats()
    expect(waiting).toBeGreaterThan(50)
    vi.advanceTimersByTime(5000)
    for (const refusal of await Promise.allSettled(waits.slice(running))) {
      expect(refusal).toMatchObject({ reason: { status: 503, retryAfterSeconds: 5 } })
    }
    expect(hasher.stats()).toEqual({ running, waiting: 0 })
    isFree.resolve()
    expect(await Promise.all(waits.slice(0, running))).toEqual(Array.from({ length: running }, () => false))
    expect([found, hasher.stats()]).toEqual([running, { running: 0, waiting: 0 }])
  })
})
