/** docs/importing-users.md: the file of each system, as its script turns it into rows. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TOTP } from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import { openImportFile } from '../src/start/import-file.ts'
import { postLogin } from './accounts.ts'
import { newTenant, ok, platformAdmin } from './factories.ts'
import { firebase, foreignPassword } from './foreign-hashes.ts'
import { parts } from './harness.ts'

const at = (name: string) => fileURLToPath(new URL(`../../examples/importing-users/${name}`, import.meta.url))

interface Row {
  email: string
  nickname?: string
  password_hash?: string
  status?: number
  totp_secret?: string
}

/** The rows and the complaints of a script that reads a text. */
const runOn = (
  script: string,
  input: Buffer | string,
  ...args: string[]
): { rows: Row[]; complaints: string[] } => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [at(script), ...args.map(at)], {
    input,
    encoding: 'utf8',
  })
  expect([script, status]).toEqual([script, 0])
  const linesOf = (text: string) => text.split('\n').filter(Boolean)
  return { rows: linesOf(stdout).map((line) => JSON.parse(line) as Row), complaints: linesOf(stderr) }
}

/** The rows that a script makes of an export. */
const rowsOf = (script: string, file: string, ...args: string[]): Row[] =>
  runOn(script, readFileSync(at(file)), ...args).rows

const imported = async (rows: unknown[]): Promise<string[]> => {
  const { id } = await newTenant()
  const root = await platformAdmin()
  const { results } = ok(await root.post('/users/import', { rows }, { tenant: id }))
  return results.map(({ status, error }: { status: string; error: unknown }) =>
    error ? JSON.stringify(error) : status,
  )
}

test.each([
  { system: 'Auth0', script: 'auth0.js', file: 'auth0.ndjson', args: [], password: foreignPassword },
  {
    system: 'Firebase',
    script: 'firebase.js',
    file: 'firebase.json',
    args: ['firebase-project.json'],
    password: firebase.password,
  },
  { system: 'Keycloak', script: 'keycloak.js', file: 'keycloak.json', args: [], password: foreignPassword },
  { system: 'Django', script: 'django.js', file: 'django.jsonl', args: [], password: foreignPassword },
])('the users of $system sign in with their passwords', async ({ script, file, args, password }) => {
  const rows = rowsOf(script, file, ...args)
  expect(rows.filter(({ nickname }) => nickname?.includes('undefined'))).toEqual([])
  expect(await imported(rows)).toEqual(rows.map(() => 'created'))
  for (const { email, password_hash: hash, totp_secret: secret } of rows) {
    expect(await postLogin(email, 'wrong password')).toMatchObject({ status: 401, body: { code: 40103 } })
    const { status, data } = await postLogin(email, password)
    expect([email, status]).toEqual([email, hash && !secret ? 200 : 401])
    if (!secret) continue
    const code = new TOTP({ secret }).generate({ timestamp: parts.now().getTime() })
    const root = await platformAdmin()
    const body = { challenge: data.challenge, code }
    expect(await root.post('/auth/login/factor', body)).toMatchObject({ status: 200 })
  }
})

const credential = (type: string, data: object, secret: object) => ({
  type,
  credentialData: JSON.stringify(data),
  secretData: JSON.stringify(secret),
})
const realmOf = (people: Record<string, object[]>): string => {
  const users = Object.entries(people).map(([name, credentials]) => ({
    username: name,
    email: `${name}@odd.example.com`,
    enabled: true,
    emailVerified: true,
    credentials,
  }))
  return JSON.stringify({ realm: 'odd', users: [...users, { username: 'no-mail', enabled: true }] })
}
const totp = { subType: 'totp', digits: 6, period: 30, algorithm: 'HmacSHA1' }
const argon = (type: string) =>
  credential(
    'password',
    {
      algorithm: 'argon2',
      hashIterations: 2,
      additionalParameters: { memory: ['256'], type: [type], version: ['1.3'], parallelism: ['1'] },
    },
    { value: 'iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8=', salt: 'c29tZXNhbHQ=' },
  )

test('a person of Keycloak comes with password and code as they were, or is named with the reason', async () => {
  const otp = (data: object, value = 'abcdefghijklmnopqrst') =>
    credential('otp', { ...totp, ...data }, { value })
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const { rows, complaints } = runOn(
    'keycloak.js',
    realmOf({
      kept: [argon('i'), otp({ secretEncoding: 'BASE32' }, secret), { type: 'recovery-authn-codes' }],
      sha256: [argon('i'), otp({ algorithm: 'HmacSHA256' })],
      digits: [argon('i'), otp({ digits: 8 })],
      minute: [argon('i'), otp({ period: 60 })],
      counter: [argon('i'), otp({ subType: 'hotp' })],
      hex: [otp({ secretEncoding: 'HEX' })],
      two: [argon('i'), otp({}), otp({})],
      key: [argon('i'), { type: 'webauthn', credentialData: '{}', secretData: '{}' }],
      other: [
        credential('password', { algorithm: 'bcrypt', hashIterations: 4 }, { value: 'YQ==', salt: 'YQ==' }),
      ],
      older: [{ type: 'password', hashedSaltedValue: 'YQ==', salt: 'YQ==', algorithm: 'pbkdf2-sha256' }],
      broken: [{ type: 'password', credentialData: '{', secretData: '{}' }],
      argond: [argon('d')],
    }),
  )
  expect(complaints).toEqual(
    [
      'sha256: HmacSHA256',
      'digits: 8 digits',
      'minute: 60 seconds',
      'counter: hotp',
      'hex: HEX',
      'two: authenticator',
      'key: webauthn',
      'other: bcrypt',
      'older: Keycloak 8',
      'broken: ',
      'no-mail: e-mail',
    ].map((start) => expect.stringMatching(start.replace(' ', '.*'))),
  )
  expect(rows.map(({ email }) => email)).toEqual(['kept@odd.example.com', 'argond@odd.example.com'])
  expect(await imported(rows)).toEqual(['created', expect.stringContaining('password_hash')])
  const { data } = await postLogin('kept@odd.example.com', 'password')
  const code = new TOTP({ secret }).generate({ timestamp: parts.now().getTime() })
  const root = await platformAdmin()
  expect(await root.post('/auth/login/factor', { challenge: data.challenge, code })).toMatchObject({
    status: 200,
  })
})

/** The rows that the command reads in a file. */
const givenIn = async (name: string, content: Buffer | string): Promise<unknown[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), content)
  const given: unknown[] = []
  for await (const row of openImportFile(join(folder, name)).rows()) given.push(row.input)
  return given
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')

test.each<[dialect: string, name: string, content: Buffer | string]>([
  ['semicolons', 'a.csv', 'email;nickname;role_ids\r\na@example.com;Ådá, Ö;"7;8"\r\n'],
  [
    'a byte order mark and quoted names',
    'a.csv',
    '\uFEFF"email";"nickname";"role_ids"\na@example.com;"Ådá, Ö";7 8',
  ],
  ['tabs', 'a.csv', 'nickname\temail\trole_ids\nÅdá, Ö\ta@example.com\t7;8\n'],
  ['commas, and semicolons within cells', 'a.csv', 'email,nickname,role_ids\na@example.com,"Ådá, Ö",7;8\n'],
  [
    'its separator in the first line',
    'a.csv',
    'sep=;\r\nemail;nickname;role_ids\r\na@example.com;Ådá, Ö;7 8\r\n',
  ],
  [
    'another separator in the first line',
    'a.csv',
    '\uFEFF"sep=|"\nemail|nickname|role_ids\na@example.com|Ådá, Ö|7;8\n',
  ],
  [
    'UTF-16 of a spreadsheet',
    'a.csv',
    utf16('\uFEFFemail\tnickname\trole_ids\r\na@example.com\tÅdá, Ö\t7;8\r\n'),
  ],
  [
    'UTF-16 with the high bytes first',
    'a.csv',
    utf16('\uFEFFsep=;\nemail;nickname;role_ids\na@example.com;Ådá, Ö;7 8').swap16(),
  ],
  ['UTF-16 without a mark', 'a.csv', utf16('email;nickname;role_ids\na@example.com;Ådá, Ö;7 8')],
  [
    'lines of JSON in UTF-16',
    'a.ndjson',
    utf16('\uFEFF{"email":"a@example.com","nickname":"Ådá, Ö","role_ids":[7,8]}\r\n'),
  ],
])('a file with %s is read', async (_dialect, name, content) => {
  expect(await givenIn(name, content)).toEqual([
    { email: 'a@example.com', nickname: 'Ådá, Ö', role_ids: [7, 8] },
  ])
})

test('a row that no text can hold is refused by itself', async () => {
  const latin = Buffer.from(
    'email,nickname\na@example.com,Jos\u00E9\nb@example.com,x\0y\nc@example.com,C\n',
    'latin1',
  )
  expect(await givenIn('latin.csv', latin)).toEqual([
    'is not UTF-8: save the file as “CSV UTF-8”',
    'has a NUL character',
    { email: 'c@example.com', nickname: 'C' },
  ])
  const deep = `{"email":"d@example.com","nickname":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  const lines = ['{"email":"a@example.com","nickname":"\\u0000"}', '{"email":"b\\ud800"}', deep, '{']
  expect(await givenIn('lines.ndjson', [...lines, '{"email":"e@example.com"}'].join('\n'))).toEqual([
    ...Array.from({ length: 2 }, () => expect.stringContaining('NUL characters or lone surrogates')),
    expect.stringContaining('nested deeper'),
    expect.stringContaining('not valid JSON'),
    { email: 'e@example.com' },
  ])
})

test('the users of a table of their own sign in with their passwords', async () => {
  const rows: unknown[] = []
  for await (const { input } of openImportFile(at('table.csv')).rows()) rows.push(input)
  expect(await imported(rows)).toEqual(['created', 'created'])
  expect(await postLogin('ada@table.example.com', foreignPassword)).toMatchObject({ status: 200 })
  expect(await postLogin('bob@table.example.com', foreignPassword)).toMatchObject({ status: 401 })
})
