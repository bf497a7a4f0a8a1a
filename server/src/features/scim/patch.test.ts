/** Changes as RFC 7644 shows them, and as providers send them. */
import { describe, expect, test } from 'vitest'
import { enterpriseSchema, groupKind, userKind } from './attributes.ts'
import { createMemberChange } from './members.ts'
import { applyOperations, readOperations, readResource } from './patch.ts'

const id = '2819c223-7f76-453a-919d-413861904646'
const ada = {
  id,
  userName: 'ada',
  active: true,
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
}

const changed = (...operations: object[]) =>
  applyOperations(userKind, ada, readOperations({ Operations: operations }))

const fault = (...operations: object[]) => {
  try {
    changed(...operations)
    return 'none'
  } catch (err) {
    return (err as { scimType?: string }).scimType
  }
}

const work = { value: 'ada@example.com', type: 'work', primary: true }
const home = { value: 'ada@home.example', type: 'home' }
const manager = `${enterpriseSchema}:manager`

describe('an operation', () => {
  test.each<[string, object, object]>([
    ['replaces a text', { op: 'replace', path: 'userName', value: 'al' }, { userName: 'al' }],
    ['takes names in any case', { op: 'Replace', path: 'USERNAME', value: 'al' }, { userName: 'al' }],
    [
      'takes the URN of the schema',
      { op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'A' },
      { displayName: 'A' },
    ],
    ['reads "False"', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['reads "true"', { op: 'Add', path: 'active', value: 'true' }, { active: true }],
    ['has no path', { op: 'replace', value: { active: false, id } }, { active: false }],
    [
      'has dotted names and URNs inside a value',
      {
        op: 'Add',
        value: {
          'name.familyName': 'King',
          [`${enterpriseSchema}:department`]: 'Engines',
          [enterpriseSchema]: { employeeNumber: '7' },
          'emails[type eq "work"].value': 'al@example.com',
          title: 'Countess',
          unknown: 1,
          groups: [],
        },
      },
      {
        name: { familyName: 'King', givenName: 'Ada' },
        [enterpriseSchema]: { department: 'Engines', employeeNumber: '7' },
        emails: [{ ...work, value: 'al@example.com' }, home],
      },
    ],
    ['keeps an id that is the same', { op: 'replace', path: 'id', value: id }, {}],
    [
      'ignores attributes that are not kept',
      { op: 'Add', path: 'phoneNumbers[type eq "x"].value', value: '1' },
      {},
    ],
    ['ignores a password', { op: 'replace', path: 'password', value: 'x' }, {}],
    [
      'merges a complex value',
      { op: 'replace', path: 'name', value: { givenName: 'Augusta' } },
      { name: { familyName: 'Lovelace', givenName: 'Augusta' } },
    ],
    ['takes a part away', { op: 'remove', path: 'name.givenName' }, { name: { familyName: 'Lovelace' } }],
    ['takes all parts away', { op: 'remove', path: 'name' }, { name: undefined }],
    ['unassigns by null', { op: 'replace', path: 'name', value: null }, { name: undefined }],
    [
      'replaces the value of a chosen e-mail',
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'al@example.com' },
      { emails: [{ ...work, value: 'al@example.com' }, home] },
    ],
    [
      'adds an e-mail that a filter describes where there is none',
      { op: 'Add', path: 'emails[type eq "other" and primary eq true].value', value: 'o@example.com' },
      {
        emails: [{ ...work, primary: false }, home, { type: 'other', primary: true, value: 'o@example.com' }],
      },
    ],
    ['removes a chosen e-mail', { op: 'remove', path: 'emails[type eq "home"]' }, { emails: [work] }],
    [
      'removes an e-mail by its value',
      { op: 'remove', path: 'emails', value: [{ value: home.value }] },
      { emails: [work] },
    ],
    [
      'removes the value of an e-mail, and so the e-mail',
      { op: 'remove', path: 'emails[type eq "home"].value' },
      { emails: [work] },
    ],
    ['adds an e-mail once', { op: 'add', path: 'emails', value: [home] }, { emails: [work, home] }],
    [
      'keeps one primary e-mail',
      { op: 'add', path: 'emails', value: [{ value: 'o@example.com', primary: true }] },
      { emails: [{ ...work, primary: false }, home, { value: 'o@example.com', primary: true }] },
    ],
    ['replaces all e-mails', { op: 'replace', path: 'emails', value: [home] }, { emails: [home] }],
    [
      'takes a manager as a text',
      { op: 'add', path: manager, value: '7' },
      { [enterpriseSchema]: { manager: { value: '7' } } },
    ],
    [
      'takes a manager as an object with an address',
      { op: 'Add', path: manager, value: { $ref: '../Users/7', value: '7' } },
      { [enterpriseSchema]: { manager: { value: '7' } } },
    ],
    [
      'takes the value of a manager',
      { op: 'add', path: `${manager}.value`, value: '7' },
      { [enterpriseSchema]: { manager: { value: '7' } } },
    ],
    [
      'takes an extension as a whole',
      { op: 'add', path: enterpriseSchema, value: { department: 'E' } },
      { [enterpriseSchema]: { department: 'E' } },
    ],
    ['removes what is not there', { op: 'remove', path: enterpriseSchema }, {}],
  ])('%s', (_title, operation, expected) => {
    expect(changed(operation)).toEqual({ ...ada, ...expected })
  })

  test.each<[string, object[], string]>([
    ['an unknown path', [{ op: 'add', path: 'nonsense', value: 'x' }], 'invalidPath'],
    ['a malformed path', [{ op: 'add', path: 'emails[type eq "work"', value: 'x' }], 'invalidPath'],
    ['an unknown extension', [{ op: 'add', path: 'urn:x:custom:2.0:User:tag', value: 'x' }], 'invalidPath'],
    ['an unknown part', [{ op: 'add', path: 'name.nick', value: 'x' }], 'invalidPath'],
    ['a filter on one value', [{ op: 'add', path: 'userName[type eq "x"]', value: 'x' }], 'invalidPath'],
    [
      'a filter on an unknown part',
      [{ op: 'add', path: 'emails[x eq "x"].value', value: 'x' }],
      'invalidFilter',
    ],
    [
      'a filter that chooses nothing',
      [{ op: 'replace', path: 'emails[value co "zzz"].type', value: 'x' }],
      'noTarget',
    ],
    ['a removal without a path', [{ op: 'remove' }], 'noTarget'],
    ['another id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
    ['another id without a path', [{ op: 'replace', value: { id: 'x' } }], 'mutability'],
    ['the groups of a user', [{ op: 'add', path: 'groups', value: [] }], 'mutability'],
    ['a required attribute away', [{ op: 'remove', path: 'userName' }], 'mutability'],
    ['a number', [{ op: 'replace', path: 'userName', value: 7 }], 'invalidValue'],
    ['no value', [{ op: 'replace', path: 'userName' }], 'invalidValue'],
    ['a value that is no object', [{ op: 'replace', value: 'x' }], 'invalidValue'],
    ['no boolean', [{ op: 'replace', path: 'active', value: 'yes' }], 'invalidValue'],
    ['another op', [{ op: 'move', path: 'userName' }], 'invalidSyntax'],
    ['no operations', [], 'invalidSyntax'],
    ['101 operations', Array.from({ length: 101 }, () => ({ op: 'remove', path: 'name' })), 'invalidSyntax'],
    [
      '21 e-mails in pieces',
      Array.from({ length: 21 }, (_, n) => ({ op: 'add', path: 'emails', value: [{ value: `${n}` }] })),
      'invalidValue',
    ],
  ])('with %s is refused', (_title, operations, scimType) => {
    expect(fault(...operations)).toBe(scimType)
  })

  test('that is refused leaves the resource as it was', () => {
    const before = structuredClone(ada)
    expect(fault({ op: 'add', path: 'emails', value: [{ value: 'x' }] }, { op: 'remove' })).toBe('noTarget')
    expect(ada).toEqual(before)
  })

  test('reaches no prototype', () => {
    changed({ op: 'add', value: { 'constructor.prototype': 'x', 'name.constructor': 'x' } })
    expect(fault({ op: 'add', path: 'name.__proto__', value: 'x' })).toBe('invalidPath')
    expect(fault({ op: 'add', path: 'constructor', value: 'x' })).toBe('invalidPath')
  })
})

describe('members', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => id.replace('2819c223', letter.repeat(8))) as [
    string,
    string,
    string,
  ]
  const change = (...operations: object[]) => {
    const group = { displayName: 'G', members: createMemberChange(false) }
    const { members } = applyOperations(groupKind, group, readOperations({ Operations: operations }))
    const { isReplaced, added, removed } = members as ReturnType<typeof createMemberChange>
    return { isReplaced, added: [...added], removed: [...removed] }
  }

  test.each<[string, object[], Partial<ReturnType<typeof change>>]>([
    [
      'are added',
      [{ op: 'Add', path: 'members', value: [{ value: a }, { value: b.toUpperCase() }] }],
      { added: [a, b] },
    ],
    ['are removed by a filter', [{ op: 'remove', path: `members[value eq "${a}"]` }], { removed: [a] }],
    [
      'are removed by a filter with or',
      [{ op: 'remove', path: `members[value eq "${a}" or value eq "${b}"]` }],
      { removed: [a, b] },
    ],
    [
      'are removed by a value list',
      [{ op: 'Remove', path: 'members', value: [{ value: a }] }],
      { removed: [a] },
    ],
    ['are all removed', [{ op: 'remove', path: 'members' }], { isReplaced: true }],
    [
      'are replaced',
      [{ op: 'replace', path: 'members', value: [{ value: c }] }],
      { isReplaced: true, added: [c] },
    ],
    [
      'are replaced without a path',
      [{ op: 'replace', value: { displayName: 'H', members: [{ value: c }] } }],
      { isReplaced: true, added: [c] },
    ],
    [
      'follow operations in their order',
      [
        { op: 'add', path: 'members', value: [{ value: a }] },
        { op: 'remove', path: `members[value eq "${a}"]` },
        { op: 'remove', path: `members[value eq "${b}"]` },
        { op: 'add', path: 'members', value: { value: b } },
      ],
      { added: [b], removed: [a] },
    ],
  ])('%s', (_title, operations, expected) => {
    expect(change(...operations)).toEqual({ isReplaced: false, added: [], removed: [], ...expected })
  })

  test.each([
    { op: 'add', path: 'members', value: [{ value: 'x' }] },
    { op: 'add', path: 'members', value: [{ value: a, type: 'Group' }] },
    { op: 'add', path: 'members', value: [null] },
    { op: 'add', path: 'members[value eq "x"]', value: [{ value: a }] },
    { op: 'remove', path: 'members[display eq "x"]' },
  ])('are refused in %j', (operation) => {
    expect(() => change(operation)).toThrow(/./)
  })
})

test('a new resource takes names in any case, and leaves out what is unknown', () => {
  expect(
    readResource(userKind, {
      schemas: ['x'],
      USERNAME: 'ada',
      Active: 'True',
      name: { familyname: 'L', unknown: 1 },
      emails: { value: 'ada@example.com', PRIMARY: 'true' },
      id: undefined,
      meta: {},
      password: 'x',
    }),
  ).toEqual({
    userName: 'ada',
    active: true,
    name: { familyName: 'L' },
    emails: [{ value: 'ada@example.com', primary: true }],
  })
})
