import { expect, test } from 'vitest'
import { initialsColor } from '../src/hosted/account/initials-color.ts'
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

test('a name has the color that Mantine gives it in the console', () => {
  expect(initialsColor('Noor Visser')).toBe('light-dark(#d3f9d8, #16451f)')
  expect(initialsColor('Inès Moreau')).toBe('light-dark(#f3d9fa, #43174e)')
})
