/** The texts of all languages. The compiler finds missing keys; these tests find the rest. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../../client/src/error-codes.ts'
import { actions } from '../../server/src/features/audit/audit.schemas.ts'
import { importFields } from '../src/features/user-import/drafts.ts'
import { enPages } from '../src/locales/en-pages.ts'
import { en } from '../src/locales/en.ts'
import { zhPages } from '../src/locales/zh-pages.ts'
import { zh } from '../src/locales/zh.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Every text by its full key, as in `users.title`. */
const flatten = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flatten(value as object, `${prefix}${key}.`),
  )

const english = new Map(flatten({ ...en, ...enPages }))
const chinese = new Map(flatten({ ...zh, ...zhPages }))

test('each language has exactly the same keys, and no empty text', () => {
  expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted())
  expect([...english, ...chinese].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('each action of the audit log has words, as has its resource', () => {
  const words = flatten(en.auditActions).map(([key]) => key)
  expect(words.toSorted()).toEqual(actions.toSorted())
  const resources = new Set(actions.map((action) => action.slice(0, action.indexOf('.'))))
  expect(Object.keys(en.auditResources).toSorted()).toEqual([...resources].toSorted())
})

test('each text has the same placeholders in all languages', () => {
  const marks = (text = ''): string => (text.match(/\{\{?\w+\}\}?|<\/?\w+>/g) ?? []).toSorted().join()
  const differing = [...english].filter(([key, text]) => marks(text) !== marks(chinese.get(key)))
  expect(differing.map(([key]) => key).filter((key) => !key.endsWith('_one'))).toEqual([])
})

const code = globSync('**/*.{ts,tsx}', { cwd: sources, exclude: ['locales/**'] })
  .map((file) => readFileSync(`${sources}${file}`, 'utf8'))
  .join('\n')

/** The last parts of keys that code puts together, as in `table.${control}`. */
const made: Record<string, string[]> = {
  deliveryStates: ['dead', 'delivered', 'failed', 'pending'],
  errors: [...Object.keys(errorCodes), 'network', 'storage', 'timeout', 'unexpected', 'unknown'],
  fieldFaults: [
    'content',
    'description',
    'email',
    'nickname',
    'password',
    'permissionCode',
    'roleName',
    'slug',
    'tenantName',
    'title',
    'username',
  ],
  fields: [...importFields],
  invitations: ['accepted', 'expired', 'new', 'password', 'pending', 'revoked', 'session'],
  notificationTypes: ['error', 'info', 'success', 'warning'],
  replayBegins: ['day', 'hour', 'moment', 'now', 'week'],
  sendings: ['everyone', 'one', 'role'],
  shell: ['auto', 'dark', 'light'],
  table: ['first', 'last', 'next', 'previous'],
  tenants: ['delete', 'disable', 'edit', 'enable'],
}

test('the keys that code puts together are listed', () => {
  const groups = [...code.matchAll(/`(\w+)\.\$\{/g)].map(([, group = '']) => group)
  expect(
    [...new Set(groups)].filter((group) => Object.hasOwn({ ...en, ...enPages }, group)).toSorted(),
  ).toEqual(Object.keys(made))
})

test('each text is used somewhere', () => {
  const isUsed = (key: string): boolean => {
    const plain = key.replace(/_(?:one|other)$/, '')
    const [group = '', name = ''] = plain.split('.')
    const isOfTable = code.includes(`'${group}', { returnObjects: true }`)
    return isOfTable || (made[group] ?? []).includes(name) || code.includes(`'${plain}'`)
  }
  expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([])
})

/** The code that comes with no page, and that of the two pages without the other texts. */
const first = [
  '*.{ts,tsx}',
  '{components,session,shell}/**/*.{ts,tsx}',
  'features/{audit,dashboard}/**/*.{ts,tsx}',
  'features/*/*.routes.ts',
]

test('the dashboard and the audit log need no text that comes with a later page', () => {
  const visited = globSync(first, { cwd: sources }).map((file) => readFileSync(`${sources}${file}`, 'utf8'))
  expect(visited.length).toBeGreaterThan(50)
  const keys = visited.join('\n').matchAll(/['`]([a-zA-Z]+)\.[a-zA-Z$]/g)
  const groups = [...new Set([...keys].map(([, group = '']) => group))]
  expect(groups).toContain('places')
  expect(groups.filter((group) => Object.hasOwn(enPages, group))).toEqual([])
})
