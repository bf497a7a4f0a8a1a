/** The texts of the page, and names within them. */
import { expect, test } from 'vitest'
import { isolated } from '../src/isolate.ts'
import { en } from '../src/locales/en.ts'
import { addTexts, showLanguage, shownLanguage, translationOf } from '../src/translation.ts'

addTexts('en', en)
const { t } = translationOf('en')

test('a text by number has the form of the number', () => {
  expect(t('users.deleted', { count: 1, name: 'Ann' })).toBe('Ann deleted.')
  expect(t('users.deleted', { count: 0 })).toBe('0 users deleted.')
})

test('a name in a text cannot turn its own letters or the words around it', () => {
  const name = 'abc\u202Eexe.png'
  expect(t('users.deleteOne', { name })).toBe('Delete \u2068abcexe.png\u2069?')
  expect(t('users.deleteOne', { name: 'Ann' })).toBe('Delete Ann?')
})

test('a name that ends isolates stays in its own', () => {
  expect(isolated('a\u2069\u202Eb')).toBe('\u2068ab\u2069')
})

test('a text that a language lacks is shown as its key', () => {
  expect(translationOf('zh').t('users.deleted')).toBe('users.deleted')
  showLanguage('zh')
  expect(shownLanguage()).toBe('zh')
})
