import { describe, expect, test } from 'vitest'
import { firebase, firebaseText, foreignHashes, refusedHashes } from '../../test/foreign-hashes.ts'
import { readForeign, importForeign, type ImportedHash } from './foreign-hashes.ts'
import { createHasher } from './passwords.ts'

const taken = (text: string): ImportedHash => {
  const hash = importForeign(text)
  if (typeof hash === 'string') throw new Error(`${text} is refused: ${hash}`)
  return hash
}

const keyOf = (text: string) => taken(text).key ?? Buffer.alloc(0)

describe('a hash made by another tool', () => {
  test.each(foreignHashes)('the hash of %s is that of its password only', async (_tool, text, password) => {
    const hash = readForeign(taken(text).text)
    expect(await hash?.verify(password, keyOf(text))).toBe(true)
    for (const wrong of [`${password} `, password.slice(1), '', password.toUpperCase()]) {
      expect(await hash?.verify(wrong, keyOf(text))).toBe(false)
    }
  })

  test.each(refusedHashes)(
    '%s is refused, and opens nothing where it is stored all the same',
    async (_reason, text) => {
      expect(importForeign(text)).toEqual(expect.any(String))
      const stored = { password_hash: text, password_scheme: 'foreign' } as const
      expect(await (await createHasher(4)).verify('any password', async () => stored)).toBe(false)
    },
  )

  test('the largest hashes within the bounds are taken', () => {
    const [salt, hash] = ['c29tZXNhbHRzb21lc2FsdA', 'PqbWeYBDSk7ZaWx0GOjGkAc90NY9c7PWPZPKTO+e92U']
    const largest = [
      `$2b$15$${'a'.repeat(53)}`,
      `$argon2id$v=19$m=262144,t=4,p=4$${salt}$${hash}`,
      `$pbkdf2-sha256$i=2000000$${salt}$${hash}`,
      firebaseText.replace('n=14,r=8', 'n=18,r=8'),
      `$argon2i$v=19$m=262144,t=4,p=4$${salt}$${hash}`,
      `$scrypt$ln=18,r=8,p=1$${salt}$${hash}`,
      `scrypt:262144:8:1$${salt}$${'ab'.repeat(64)}`,
    ]
    for (const text of largest) expect(taken(text).text.length).toBeGreaterThan(50)
  })

  test('the stored text does not contain the key of a Firebase project', () => {
    const { text, key } = taken(firebaseText)
    expect(key?.toString('base64')).toBe(firebase.key)
    expect(text).not.toContain(firebase.key)
    expect(text).toMatch(/,kid=[\w-]{22}\$/)
  })

  test('a hash of Firebase verifies no password without the key of its project', async () => {
    const stored = { password_hash: taken(firebaseText).text, password_scheme: 'foreign' } as const
    const find = async () => stored
    const withKey = await createHasher(4, 1, async () => keyOf(firebaseText))
    expect(await withKey.verify(firebase.password, find)).toBe(true)
    expect(await (await createHasher(4)).verify(firebase.password, find)).toBe(false)
  })
})
