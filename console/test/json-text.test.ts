/** Checking the text in the editor of settings. */
import { expect, test } from 'vitest'
import { readJson } from '../src/components/json-text.ts'

test('a valid text gives its value, and its size as the service counts it', () => {
  expect(readJson('{\n  "name": "Zoë" }')).toEqual({ value: { name: 'Zoë' }, bytes: 15 })
  expect(readJson('null')).toEqual({ value: null, bytes: 4 })
})

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', { code: 'CommaExpected', line: 3, column: 3 }],
  ['{ "a": }', { code: 'ValueExpected', line: 1, column: 8 }],
  ['[1, 2', { code: 'CloseBracketExpected', line: 1, column: 6 }],
  ['{ a: 1 }', { code: 'InvalidSymbol', line: 1, column: 3 }],
  ['"open', { code: 'UnexpectedEndOfString', line: 1, column: 1 }],
  ['1 // one', { code: 'InvalidCommentToken', line: 1, column: 3 }],
  ['', { code: 'ValueExpected', line: 1, column: 1 }],
])('%j is refused with the place of its error', (text, problem) => {
  expect(readJson(text)).toEqual({ problem })
})

test('a text nested too deeply for the parser is refused', () => {
  expect(readJson('['.repeat(60_000))).toHaveProperty('problem.code')
})
