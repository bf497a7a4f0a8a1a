/** The hash of the console, which works on plain HTTP as well. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from '../src/session/sha256.ts'

test('the hash equals that of Node for texts of every length around a block', () => {
  for (const length of [0, 1, 43, 54, 55, 56, 63, 64, 65, 119, 120, 200]) {
    const text = 'aé界'.repeat(length).slice(0, length)
    expect(Buffer.from(sha256(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'))
  }
})
