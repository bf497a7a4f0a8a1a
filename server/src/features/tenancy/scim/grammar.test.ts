import { expect, test } from 'vitest'
import { readFilter, readPath } from './grammar.ts'

/** Writes a filter with explicit parentheses. */
const written = (filter: ReturnType<typeof readFilter>): string => {
  if (filter.is === 'and' || filter.is === 'or') {
    return `(${filter.parts.map(written).join(` ${filter.is} `)})`
  }
  if (filter.is === 'not') return `not ${written(filter.part)}`
  if (filter.is === 'present') return `${filter.path} pr`
  if (filter.is === 'element') return `${filter.path}[${written(filter.part)}]`
  return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`
}

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

// The examples of RFC 7644, 3.4.2.2, and filters of providers.
test.each([
  ['userName eq "bjensen"', 'userName eq "bjensen"'],
  [`name.familyName co "O'Malley"`, `name.familyName co "O'Malley"`],
  [
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
  ],
  ['title pr', 'title pr'],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified gt "2011-05-13T04:42:34Z"'],
  ['title pr and userType eq "Employee"', '(title pr and userType eq "Employee")'],
  ['a pr or b pr and c pr', '(a pr or (b pr and c pr))'],
  ['(a pr or b pr) and c pr', '((a pr or b pr) and c pr)'],
  [
    'userType ne "E" and not (emails co "x" or emails.value co "y")',
    '(userType ne "E" and not (emails co "x" or emails.value co "y"))',
  ],
  [
    'emails[type eq "work" and value co "@x"] or ims[type eq "x"]',
    '(emails[(type eq "work" and value co "@x")] or ims[type eq "x"])',
  ],
  ['emails[type eq "work"].value eq "x"', 'emails[(type eq "work" and value eq "x")]'],
  [`${enterprise}:manager.value eq "7"`, `${enterprise}:manager.value eq "7"`],
  ['userName EQ "x" AND active Eq TRUE', '(userName eq "x" and active eq true)'],
  ['a eq 1.5 or a eq -2 or a eq null or a eq false', '(a eq 1.5 or a eq -2 or a eq null or a eq false)'],
  [String.raw`userName eq "CORP\\ada"`, String.raw`userName eq "CORP\\ada"`],
  [String.raw`userName eq "CORP\ada"`, String.raw`userName eq "CORP\\ada"`],
  [String.raw`userName eq "a\"b"`, String.raw`userName eq "a\"b"`],
  [String.raw`userName eq "\u00fc"`, 'userName eq "ü"'],
  ['not pr', 'not pr'],
  [`${'('.repeat(10)}a pr${')'.repeat(10)}`, 'a pr'],
])('the filter %s is read', (text, expected) => {
  expect(written(readFilter(text))).toBe(expected)
})

test.each([
  '',
  'userName',
  'userName eq',
  'userName eq ada',
  'userName eq "ada',
  'userName == "ada"',
  'userName eq "a" userName eq "b"',
  '(userName pr',
  'userName pr)',
  'userName pr and',
  'and pr pr',
  'emails[type eq "x"',
  'emails[].value pr',
  'emails[a[b pr] pr',
  '"userName" eq "a"',
  'userName eq {"a":1}',
  `userName eq "${'x'.repeat(2000)}"`,
  `${'('.repeat(11)}a pr${')'.repeat(11)}`,
  `${'not ('.repeat(11)}a pr${')'.repeat(11)}`,
  `${'a['.repeat(11)}a pr${']'.repeat(11)}`,
  "userName eq 'x'",
  'userName eq "a"; drop table users',
])('the filter %s is refused', (text) => {
  expect(() => readFilter(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }))
})

test('a long filter is read or refused at once', () => {
  const start = performance.now()
  for (const part of ['a pr or ', '(', 'a[', 'not (', '"\\', '.', ' ', 'a.', '- ', '1e']) {
    const text = part.repeat(2000).slice(0, 2000)
    try {
      readFilter(text)
    } catch {}
    try {
      readPath(text)
    } catch {}
  }
  expect(performance.now() - start).toBeLessThan(2000)
})

test.each([
  ['members', undefined, 'members', undefined],
  ['name.familyName', undefined, 'name', 'familyName'],
  ['addresses[type eq "work"]', undefined, 'addresses', undefined],
  ['emails[type eq "a]b"].value', undefined, 'emails', 'value'],
  [`${enterprise}:manager.value`, enterprise, 'manager', 'value'],
  [enterprise, enterprise, '', undefined],
])('the path %s is read', (text, schema, attribute, sub) => {
  expect(readPath(text)).toMatchObject({ schema, attribute, sub })
})
