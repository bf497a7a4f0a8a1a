import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from './secrets.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]

test('a secret opens only in its own row', () => {
  const secrets = createSecrets([first])
  const sealed = secrets.seal('correct horse', 'factors 1')
  expect(sealed.includes('correct horse')).toBe(false)
  expect(secrets.open(sealed, 'factors 1')).toBe('correct horse')
  expect(() => secrets.open(sealed, 'factors 2')).toThrow('Unsupported state')
})

test('an altered secret does not open, whichever byte was changed', () => {
  const secrets = createSecrets([first])
  const sealed = secrets.seal('correct horse', 'factors 1')
  for (const [index, byte] of sealed.entries()) {
    const altered = Buffer.from(sealed)
    altered[index] = byte ^ 1
    expect(() => secrets.open(altered, 'factors 1')).toThrow(Error)
  }
  expect(() => secrets.open(sealed.subarray(0, -1), 'factors 1')).toThrow(Error)
})

test('the first key encrypts, and all keys decrypt', () => {
  const old = createSecrets([first]).seal('correct horse', 'factors 1')
  const both = createSecrets([second, first])
  expect(both.open(old, 'factors 1')).toBe('correct horse')
  const renewed = both.seal('correct horse', 'factors 1')
  expect(createSecrets([second]).open(renewed, 'factors 1')).toBe('correct horse')
  expect(() => createSecrets([first]).open(renewed, 'factors 1')).toThrow('no secret key')
})

test('equal secrets look different', () => {
  const secrets = createSecrets([first])
  expect(secrets.seal('same', 'factors 1').equals(secrets.seal('same', 'factors 1'))).toBe(false)
})

test('nothing is sealed without a key: the error is 503', () => {
  const secrets = createSecrets([])
  expect(secrets.isOn).toBe(false)
  expect(() => secrets.seal('correct horse', 'factors 1')).toThrow(
    expect.objectContaining({ status: 503, code: 50304 }),
  )
})
