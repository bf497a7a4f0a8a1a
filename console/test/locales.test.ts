/** What every language has to say. That none lacks a key is for the compiler; what it cannot see is here. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { en } from '../src/locales/en.ts'
import { zh } from '../src/locales/zh.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Every text by its whole key, as in `users.title`. */
const flatten = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value as object, `${prefix}${key}.`),
  )

const english = new Map(flatten(en))
const chinese = new Map(flatten(zh))

test('each language has every key, none is empty, and no other', () => {
  expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  expect([...english, ...chinese].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('each text names the same values and marks in all languages', () => {
  const marks = (text = ''): string => (text.match(/\{\{\w+\}\}|<\/?\w+>/g) ?? []).toSorted().join()
  const differing = [...english].filter(([key, text]) => marks(text) !== marks(chinese.get(key)))
  expect(differing.map(([key]) => key).filter((key) => !key.endsWith('_one'))).toEqual([])
})

test('each text is used somewhere', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: sources, exclude: ['locales/**'] })
    .map((file) => readFileSync(`${sources}${file}`, 'utf8'))
    .join('\n')
  const isUsed = (key: string): boolean => {
    const plain = key.replace(/_(?:one|other)$/, '')
    const made = new RegExp(`\`${plain.split('.')[0]}\\.\\$\\{`)
    const isOfTable = code.includes(`'${plain.split('.')[0]}', { returnObjects: true }`)
    return isOfTable || code.includes(`'${plain}'`) || code.includes(`"${plain}"`) || made.test(code)
  }
  expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([])
})
