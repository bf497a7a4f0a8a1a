import { expect, test } from 'vitest'
import { initialsOf } from '../src/initials.ts'

test.each([
  ['Ada Lovelace', 'AL'],
  ['member', 'ME'],
  ['maria.keller', 'MK'],
  ['👩🏽‍🚀Zoe', '👩🏽‍🚀Z'],
  ['🇨🇭 Heidi', '🇨🇭H'],
  ['\u202Eabc', 'AB'],
  ['e\u0301mile', 'E\u0301M'],
  ['王小明', '王小'],
  ['O<b>x', 'OB'],
  ['(Ada) "Lovelace"', 'AL'],
  ['<>', ''],
  ['', ''],
])('the initials of %j are whole characters', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
