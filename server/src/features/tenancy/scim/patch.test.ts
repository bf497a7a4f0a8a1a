/** Operations from RFC 7644, and variants of them that providers send. */
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
    [
      'chooses by a text for true',
      { op: 'Replace', path: 'emails[primary eq "True"].value', value: 'al@example.com' },
      { emails: [{ ...work, value: 'al@example.com' }, home] },
    ],
    [
      'counts an e-mail without primary as one that is not',
      { op: 'remove', path: 'emails[primary eq false]' },
      { emails: [work] },
    ],
    [
      'removes an e-mail by its value in any case',
      { op: 'remove', path: 'emails', value: [{ value: 'ADA@HOME.example' }] },
      { emails: [work] },
    ],
    [
      'leaves out an e-mail without a value',
      { op: 'replace', path: 'emails', value: [work, { type: 'fax' }, { value: null, type: 'home' }] },
      { emails: [work] },
    ],
    [
      'takes one value as a list',
      { op: 'Replace', path: 'displayName', value: [{ $ref: null, value: 'Emp Two' }] },
      { displayName: 'Emp Two' },
    ],
    [
      'takes a switch as a list',
      { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'False' }] },
      { active: false },
    ],
    [
      'takes a manager and a part of the name as lists',
      {
        op: 'Add',
        value: { [manager]: [{ $ref: null, value: '7' }], 'name.givenName': [{ $ref: null, value: 'Al' }] },
      },
      {
        [enterpriseSchema]: { manager: { value: '7' } },
        name: { familyName: 'Lovelace', givenName: 'Al' },
      },
    ],
  ])('an operation %s', (_title, operation, expected) => {
    expect(changed(operation)).toEqual({ ...ada, ...expected })
  })

  test.each<[string, object[], string]>([
    ['an unknown path', [{ op: 'add', path: 'nonsense', value: 'x' }], 'invalidPath'],
    ['a malformed path', [{ op: 'add', path: 'emails[type eq "work"', value: 'x' }], 'invalidPath'],
    [
      'an unknown core schema',
      [{ op: 'add', path: 'urn:ietf:params:scim:schemas:core:2.0:Usr:active', value: 'x' }],
      'invalidPath',
    ],
    [
      'a path of 2,001 characters',
      [{ op: 'add', path: `title${'x'.repeat(1996)}`, value: 'x' }],
      'invalidPath',
    ],
    [
      'a part of an e-mail that is not there',
      [{ op: 'replace', path: 'emails[type eq "fax"].display', value: 'x' }],
      'noTarget',
    ],
    [
      'an e-mail that is not there, without a value',
      [{ op: 'replace', path: 'emails[type eq "fax"]', value: { display: 'x' } }],
      'invalidValue',
    ],
    [
      'a part of another manager',
      [{ op: 'replace', path: `${manager}[value eq "x"].displayName`, value: 'x' }],
      'noTarget',
    ],
    ['two values for one', [{ op: 'replace', path: 'displayName', value: ['a', 'b'] }], 'invalidValue'],
    ['a NUL in a filter', [{ op: 'remove', path: 'emails[type eq "\\u0000"]' }], 'invalidFilter'],
    ['a lone surrogate in a filter', [{ op: 'remove', path: 'emails[type eq "\\ud800"]' }], 'invalidFilter'],
    [
      '11 comparisons in a path',
      [{ op: 'remove', path: `emails[${Array(11).fill('type pr').join(' or ')}]` }],
      'tooMany',
    ],
    [
      '1,001 attributes',
      Array.from({ length: 11 }, () => ({
        op: 'add',
        value: Object.fromEntries(Array.from({ length: 91 }, (_, n) => [`x${n}`, 1])),
      })),
      'invalidSyntax',
    ],
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
  ])('an operation with %s is refused', (_title, operations, scimType) => {
    expect(fault(...operations)).toBe(scimType)
  })

  const foreign = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'

  test.each<[string, object]>([
    ['an attribute of a foreign extension', { op: 'Replace', path: `${foreign}:costCode`, value: '77' }],
    ['a filter there', { op: 'Add', path: `${foreign}:badges[type eq "x"].value`, value: '77' }],
    ['a filter there that is not understood', { op: 'Remove', path: `${foreign}:badges[?].value` }],
    ['a foreign extension as a whole', { op: 'Add', path: foreign, value: { costCode: '77' } }],
    ['its removal', { op: 'Remove', path: foreign }],
    ['a foreign extension inside a value', { op: 'Add', value: { [foreign]: { costCode: '77' } } }],
    ['a URN without a version', { op: 'Add', path: 'urn:scim:acme:schema:tag', value: '77' }],
    ['an unknown attribute of our extension', { op: 'Add', path: `${enterpriseSchema}:tag`, value: '77' }],
    ['a standard attribute of it', { op: 'Remove', path: `${enterpriseSchema}:costCenter` }],
    ['the address of a manager', { op: 'Add', path: `${manager}.$ref`, value: '../Users/7' }],
    ['a standard attribute without a value', { op: 'Replace', path: 'title' }],
    ['a filter on one', { op: 'Add', path: 'roles[primary eq "True"].value', value: 'x' }],
    [
      'a filter on one that is not understood',
      { op: 'Add', path: 'addresses[type eq work].region', value: 'x' },
    ],
    ['the list of schemas', { op: 'Add', path: 'schemas', value: [foreign] }],
  ])('is ignored for %s, and the others of its request count', (_title, operation) => {
    const off = { op: 'Replace', path: 'active', value: 'False' }
    expect(changed(off, operation)).toEqual({ ...ada, active: false })
  })

  test('removes a manager by a value path, and leaves another one', () => {
    const managed = { ...ada, [enterpriseSchema]: { manager: { value: 'boss-1' } } }
    const remove = (boss: string) =>
      applyOperations(
        userKind,
        managed,
        readOperations({
          Operations: [{ op: 'Remove', path: `${enterpriseSchema}:manager[value eq "${boss}"]` }],
        }),
      )
    expect(remove('boss-1')).not.toHaveProperty([enterpriseSchema])
    expect(remove('boss-2')).toEqual(managed)
  })

  test('a refused operation leaves the resource unchanged', () => {
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
  ])('members %s', (_title, operations, expected) => {
    expect(change(...operations)).toEqual({ isReplaced: false, added: [], removed: [], ...expected })
  })

  test('are noted without groups, which a removal passes over', () => {
    const group = { value: a, type: 'Group' }
    const noted = change(
      { op: 'add', path: 'members', value: [group, { value: b }] },
      { op: 'remove', path: 'members', value: [{ ...group, value: c }, { value: 'stale' }] },
      { op: 'remove', path: 'members[value eq "stale"]' },
    )
    expect(noted).toEqual({ isReplaced: false, added: [b], removed: ['stale'] })
  })

  test.each([
    { op: 'add', path: 'members', value: [{ value: 7 }] },
    { op: 'add', path: 'members', value: [null] },
    { op: 'add', path: 'members', value: Array.from({ length: 20_001 }, (_, n) => `${n}`) },
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
      'urn:example:custom:2.0:User': { tag: 'x' },
      'urn:ietf:params:scim:schemas:core:2.0:User': { displayName: 'Ada' },
    }),
  ).toEqual({
    userName: 'ada',
    displayName: 'Ada',
    active: true,
    name: { familyName: 'L' },
    emails: [{ value: 'ada@example.com', primary: true }],
  })
})
