/** Reading a file of users to import. */
import { expect, test } from 'vitest'
import { toCsv } from '../src/components/csv.ts'
import { draftsOf, recognise, withEdits, type Edits } from '../src/features/user-import/drafts.ts'
import { bytesMax, readFile, reasonHeader, type ImportFile } from '../src/features/user-import/read-file.ts'

const read = (content: string | Uint8Array<ArrayBuffer>) => readFile(new File([content], 'staff.csv'))

const draftsIn = async (text: string) => {
  const file = (await read(text)) as ImportFile
  const known = [
    { id: 7, name: 'Support desk' },
    { id: 8, name: 'viewer' },
  ]
  return draftsOf(file, { mapping: recognise(file.header), kind: 'create', roles: {} }, { roles: known })
}

const header = 'email,username,nickname,password'

test.each([
  ['is larger than it may be', 'x'.repeat(bytesMax + 1), { problem: 'userImport.tooLarge' }],
  ['isn’t UTF-8', new Uint8Array([0x65, 0x0a, 0xc0, 0xff]), { problem: 'userImport.notUtf8' }],
  ['has a header alone', `${header}\n`, { problem: 'userImport.noRows' }],
  [
    'has too many rows',
    `${header}\n${'a@example.com,ada,,\n'.repeat(1001)}`,
    { problem: 'userImport.tooMany' },
  ],
  [
    'has a quotation mark that is not closed',
    `${header}\na@example.com,ada,,\n\nb@example.com,"bob,,\nc@example.com,cy,,`,
    { problem: 'userImport.quotes', line: 4 },
  ],
  [
    'names its separator and has a quotation mark that is not closed',
    `sep=,\n${header}\na@example.com,"ada,,`,
    { problem: 'userImport.quotes', line: 3 },
  ],
  [
    'has something behind a closing quotation mark',
    `${header}\n"a@example.com"x,ada,,\nb@example.com,bob,,`,
    { problem: 'userImport.quotes', line: 2 },
  ],
])('a file that %s is refused', async (_, content, unreadable) => {
  expect(await read(content)).toEqual(unreadable)
})

test('a file that can no longer be read is refused', async () => {
  const gone = new File(['x'], 'gone.csv')
  gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
  expect(await readFile(gone)).toEqual({ problem: 'userImport.notReadable' })
})

test('a row with more or fewer cells than the header is faulty, since its cells may have shifted', async () => {
  const drafts = await draftsIn(
    [
      header,
      'a@example.com,ada,Lovelace, Ada,',
      'b@example.com,bob,a password of theirs',
      'c@example.com,cyd,"Cy, D",',
    ].join('\n'),
  )
  expect(drafts.map(({ problems }) => problems.some(({ text }) => text === 'userImport.cellCount'))).toEqual([
    true,
    true,
    false,
  ])
})

test('the apostrophe before a formula is removed, but a password is kept exactly', async () => {
  const [draft] = await draftsIn(`${header}\na@example.com,ada,'=Ada,'=secret-12`)
  expect(draft?.user).toMatchObject({ nickname: '=Ada', password: "'=secret-12" })
})

test.each(['=1+1 is two', "'=1+1 is two", "''=1+1", '＝1+1 is two', "'tis a password", '\t tabbed password'])(
  'the cells of a file written by the console are read unchanged: %j',
  async (text) => {
    const written = await toCsv([
      [reasonHeader, ...header.split(',')],
      ['taken', 'a@example.com', 'ada', text, text],
    ])
    const [draft] = await draftsIn(written)
    expect(draft?.cells).toEqual(['a@example.com', 'ada', text, text])
    expect(draft?.problems.map(({ text: fault }) => fault)).not.toContain('userImport.cellCount')
  },
)

test('a row names its roles between semicolons, and an unknown one is a fault of that row', async () => {
  const drafts = await draftsIn(
    [
      'email,username,Roles',
      'a@example.com,ada,viewer; Support desk',
      'b@example.com,bob,viewer;Boss',
      'c@example.com,cyd,',
    ].join('\n'),
  )
  expect(drafts.map(({ roles }) => roles.map(({ id }) => id))).toEqual([[8, 7], [8], []])
  const fault = { text: 'userImport.roleUnknown', field: 'roles', names: ['Boss'] }
  expect(drafts.map(({ problems }) => problems)).toEqual([[], [fault], []])
})

test('a line is that of the file, also after empty lines and cells with line ends', async () => {
  const drafts = await draftsIn(
    [
      'email,username,nickname',
      '',
      'a@example.com,ada,"Ada',
      'Lovelace"',
      '  ,',
      'b@example.com,bob,',
      '',
    ].join('\r\n'),
  )
  expect(drafts.map(({ id, user }) => [id, user.username])).toEqual([
    [3, 'ada'],
    [6, 'bob'],
  ])
})

const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer)

test.each<[dialect: string, content: string | Uint8Array<ArrayBuffer>, line: number]>([
  ['semicolons', 'email;username\r\na@example.com;adá\r\n', 2],
  ['tabs', 'email\tusername\na@example.com\tadá\n', 2],
  ['its separator in the first line', 'sep=;\r\nemail;username\r\na@example.com;adá\r\n', 3],
  ['a mark before its separator', '\uFEFF"sep=|"\nemail|username\na@example.com|adá', 3],
  ['UTF-16 of a spreadsheet', utf16('\uFEFFemail\tusername\r\na@example.com\tadá\r\n'), 2],
  ['UTF-16 without a mark', utf16('email;username\na@example.com;adá'), 2],
])('a file with %s is read', async (_dialect, content, line) => {
  const { header: names, rows } = (await read(content)) as ImportFile
  expect([names, rows]).toEqual([['email', 'username'], [{ line, cells: ['a@example.com', 'adá'] }]])
})

test('a duplicate names the line that it repeats, without case', async () => {
  const drafts = await draftsIn('email,username\na@example.com,ada\nA@Example.com,cyd\n')
  expect(drafts[1]?.problems).toEqual([{ text: 'userImport.duplicateOf', field: 'email', line: 2 }])
})

const fileOf = async (text: string) => (await read(text)) as ImportFile

test('an unknown role can stand for another one, or be left out', async () => {
  const file = await fileOf('email,username,roles\na@example.com,ada,Boss;Guest')
  const known = { roles: [{ id: 7, name: 'Support desk' }] }
  const reading = { mapping: recognise(file.header), kind: 'create' } as const
  const [draft] = draftsOf(file, { ...reading, roles: { Boss: 7, Guest: null } }, known)
  expect([draft?.roles.map(({ id }) => id), draft?.problems]).toEqual([[7], []])
})

test('a row of an existing user is found before it is sent, unless its cells are typed anew', async () => {
  const file = await fileOf('email,username\nADA@example.com,ada\nb@example.com,Bob')
  const existing = { emails: new Set(['ada@example.com']), usernames: new Set(['ada', 'bob']) }
  const reading = { mapping: recognise(file.header), kind: 'create', roles: {} } as const
  const faults = (edits: Edits) =>
    draftsOf(withEdits(file, edits), reading, { roles: [], existing }).map(({ problems }) =>
      problems.map(({ text }) => text),
    )
  expect(faults(new Map())).toEqual([['userImport.emailExists'], ['userImport.usernameExists']])
  expect(faults(new Map([[3, { 1: 'robert' }]]))).toEqual([['userImport.emailExists'], []])
})
