/** The program as an operator meets it, in many processes: commands, a crash, a second start. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eventually } from './waits.ts'
import { ask, createStores, endAll, newFolder, run, start } from './programs.ts'

const password = 'correct horse battery'
const lines = (text: string) => text.split('\n').filter(Boolean)

afterAll(endAll)

test('migrate, create-admin, rotate-keys and doctor prepare a database that the service then starts on', async () => {
  const stores = await createStores()
  const fresh = await run(['doctor'], stores.env)
  expect([fresh.code, lines(fresh.stdout)[0]]).toEqual([
    0,
    'ok    configuration: every setting is known and valid',
  ])
  expect(fresh.stdout).not.toMatch(/^error/m)

  const migrated = await run(['migrate'], stores.env)
  expect([migrated.code, migrated.stdout]).toEqual([
    0,
    'all migrations have run: the database is up to date\n',
  ])

  const admin = ['create-admin', '--email', 'ada@example.com', '--username', 'ada']
  const created = await run(admin, stores.env, `${password}\n`)
  expect([created.code, created.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^created the platform administrator ada@example.com \(user \d+, username ada\)\n$/,
    ),
  ])
  const again = await run(admin, stores.env, `${password}\n`)
  expect([again.code, again.stdout, lines(again.stderr)]).toEqual([
    1,
    '',
    ['tenantry: This e-mail is registered already'],
  ])
  const other = ['create-admin', '--email', 'other@example.com', '--username', 'ADA']
  expect(lines((await run(other, stores.env, `${password}\n`)).stderr)).toEqual([
    'tenantry: This username is taken in the tenant',
  ])

  const rotated = await run(['rotate-keys'], stores.env)
  expect([rotated.code, lines(rotated.stdout).length]).toEqual([0, 4])
  const kid = /key ([0-9a-f-]{36})/.exec(rotated.stdout)?.[1]

  const examined = await run(['doctor'], stores.env)
  expect([examined.code, examined.stderr]).toEqual([0, ''])
  expect(examined.stdout).toContain('ok    schema: up to date')
  expect(examined.stdout).toContain(`ok    keys: ${kid} is the newest, 0 days old; 1 retired`)
  expect(examined.stdout).toMatch(/^warn {2}passwords: TENANTRY_BCRYPT_COST/m)

  const program = await start(stores.env)
  const login = await ask(program, 'POST /auth/login', { body: { email: 'ada@example.com', password } })
  expect(login.status).toBe(200)
  const token = login.body.data.access_token as string
  expect((await ask(program, 'GET /org/tenants', { token })).status).toBe(200)
  const { body: keySet } = await ask(program, 'GET //.well-known/jwks.json')
  expect(keySet.keys.map((key: { kid: string }) => key.kid)).toContain(kid)
  const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  expect(header).toEqual({ alg: 'EdDSA', kid: expect.not.stringContaining(String(kid)), typ: 'at+jwt' })
  const { body } = await ask(program, 'GET /audit/logs?action=user.create', { token })
  expect(body.data.items).toHaveLength(1)
  expect(body.data.items[0]).toMatchObject({ user_id: 0, user_agent: 'tenantry create-admin' })
  expect(await program.end('SIGINT')).toBe(0)
  await stores.remove()
})

test('rotate-keys --now after a leak says what it costs, and the next token has the new key and algorithm', async () => {
  const stores = await createStores()
  const leaked = await run(['rotate-keys', '--now', '--algorithm', 'ES256'], stores.env)
  expect([leaked.code, leaked.stderr]).toEqual([0, ''])
  expect(leaked.stdout).toContain('every token signed before is refused: all users sign in again')
  const kid = /key ([0-9a-f-]{36})/.exec(leaked.stdout)?.[1]
  const examined = await run(['doctor'], stores.env)
  expect(examined.stdout).toContain('warn  keys: tokens are signed with ES256')
  const program = await start(stores.env)
  const account = { email: 'ada@example.com', username: 'ada', password }
  const { body } = await ask(program, 'POST /auth/register', { body: account })
  const [head = ''] = body.data.access_token.split('.')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString())
  expect(header).toEqual({ alg: 'ES256', kid, typ: 'at+jwt' })
  expect(await program.end('SIGINT')).toBe(0)
  await stores.remove()
})

test('the catalogue of a product is planned with exit code 2, applied, exported, and planned again without a difference', async () => {
  const stores = await createStores()
  const folder = newFolder()
  const [file, exported] = [join(folder, 'catalogue.yaml'), join(folder, 'exported.yaml')]
  writeFileSync(
    file,
    `permissions:
  - {code: 'invoice:read', name: Read invoices}
role_templates:
  - {name: Clerk, permissions: ['invoice:read']}
`,
  )
  const planned = await run(['catalogue', 'plan', file], stores.env)
  expect([planned.code, lines(planned.stdout)]).toEqual([
    2,
    [
      '+ permission invoice:read',
      '+ role template Clerk: invoice:read',
      '0 users in 0 tenants hold a role that gains or loses something',
    ],
  ])
  const applied = await run(['catalogue', 'apply', file], stores.env)
  expect([applied.code, lines(applied.stdout).at(-1)]).toEqual([0, 'applied 2 changes'])
  expect((await run(['catalogue', 'export', exported], stores.env)).code).toBe(0)
  for (const path of [file, exported]) {
    const again = await run(['catalogue', 'plan', path, '--prune'], stores.env)
    expect([again.code, again.stdout]).toEqual([0, 'nothing to change\n'])
  }
  writeFileSync(file, 'permissions:\n  - {code: Invoice, name: X}\nrole_templates: []\n')
  const refused = await run(['catalogue', 'apply', file], stores.env)
  expect([refused.code, lines(refused.stderr)]).toEqual([
    1,
    [expect.stringMatching(/^tenantry: permissions\.0\.code must be made of/)],
  ])
  await stores.remove()
})

test('audit verify checks the seals of the service, in the database and in an export', async () => {
  const folder = newFolder()
  const [file, keyFile] = [join(folder, 'export.ndjson'), join(folder, 'keys.json')]
  const audited = await createStores()
  const program = await start(audited.env)
  const account = { email: 'ada@example.com', username: 'ada', password }
  expect((await ask(program, 'POST /auth/register', { body: account })).status).toBe(200)
  const { body } = await ask(program, 'POST /auth/login', { body: account })
  const token = body.data.access_token as string
  const text = await eventually(async () => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${program.url}/api/v1/audit/export?format=sealed`, { headers })
    expect(response.status).toBe(200)
    const exported = await response.text()
    expect(exported).toContain('auth.login')
    return exported
  })
  writeFileSync(file, text)
  expect(await program.end('SIGINT')).toBe(0)

  const online = await run(['audit', 'verify'], audited.env)
  expect([online.code, online.stderr]).toEqual([0, ''])
  const [note, line = ''] = lines(online.stdout)
  expect(note).toMatch(/^note {4}checked with the keys of the database itself/)
  expect(line).toMatch(/^ok {6}default \([0-9a-f-]{36}\): 2 records, \d seals, head \d:[0-9a-f]{64}$/)
  const keySet = await run(['audit', 'keys'], audited.env)
  expect(JSON.parse(keySet.stdout).keys).toHaveLength(1)
  expect(keySet.stdout).not.toContain('"d"')
  writeFileSync(keyFile, keySet.stdout)

  // Offline: in a folder without a database, in an environment that names none.
  const head = /head (\S+)/.exec(line)?.[1] ?? ''
  const offline = await run(['audit', 'verify', '--file', file, '--keys', keyFile, '--head', head])
  expect([offline.code, offline.stdout]).toEqual([0, expect.stringContaining(`head ${head}`)])
  const alone = await run(['audit', 'verify', '--file', file])
  expect([alone.code, lines(alone.stdout)[0]]).toEqual([
    0,
    `note    checked with the keys of the file itself: ${JSON.parse(keySet.stdout).keys[0].kid}`,
  ])
  writeFileSync(file, text.replace('auth.login', 'auth.logon'))
  const altered = await run(['audit', 'verify', '--file', file, '--keys', keyFile])
  expect([altered.code, altered.stdout]).toEqual([
    1,
    expect.stringMatching(/^BREACH .*: record \d+ was changed\n$/),
  ])
  const mistyped = await run(['audit', 'verify', '--file', file, '--head', 'x'])
  expect([mistyped.code, mistyped.stdout, lines(mistyped.stderr).length]).toEqual([1, '', 1])
  rmSync(folder, { recursive: true })
  await audited.remove()
})

test('a service killed during writes has every write it acknowledged, each with its audit record', async () => {
  const stores = await createStores()
  const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
  const program = await start({ ...stores.env, ...admin })
  const login = { email: 'root@example.com', password }
  const { body } = await ask(program, 'POST /auth/login', { body: login })
  const token = body.data.access_token as string
  const acknowledged: string[] = []
  const write = async (writer: number) => {
    for (let index = 0; ; index += 1) {
      const key = `crash.${writer}.${index}`
      const { status } = await ask(program, `PUT /settings/tenant/${key}`, { token, body: { value: key } })
      if (status === 200) acknowledged.push(key)
    }
  }
  const writers = Promise.allSettled([0, 1, 2, 3].map(write))
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(20))
  expect(await program.end('SIGKILL')).toBe(null)
  await writers

  const next = await start(stores.env)
  const { body: relogin } = await ask(next, 'POST /auth/login', { body: login })
  const renewed = { token: relogin.data.access_token as string }
  const settings = (await ask(next, 'GET /settings/tenant', renewed)).body.data as {
    key: string
    value: string
  }[]
  expect(settings.map(({ key }) => key)).toEqual(expect.arrayContaining(acknowledged))
  expect(settings.every(({ key, value }) => key === value)).toBe(true)
  const { body: records } = await ask(next, 'GET /audit/logs?action=setting.create&page_size=1', renewed)
  expect(records.data.total).toBe(settings.length)
  expect((await ask(next, 'GET /profile', { token })).status).toBe(200)
  expect(await next.end('SIGINT')).toBe(0)
  await stores.remove()
})

test('a second start on the folder of an embedded database is refused in one line, and doctor reports no error', async () => {
  const folder = newFolder()
  const env = { TENANTRY_DATA_DIR: folder, DATABASE_URL: '', REDIS_URL: '', LOG_LEVEL: 'fatal' }
  const program = await start(env)
  for (const command of ['start', 'migrate']) {
    const { code, stderr } = await run([command], env)
    expect([code, lines(stderr)]).toEqual([
      1,
      [expect.stringContaining(`the data folder ${folder} is in use`)],
    ])
  }
  const examined = await run(['doctor'], env)
  expect(examined.code).toBe(0)
  expect(examined.stdout).toMatch(/^ok +configuration: /m)
  expect(examined.stdout).toContain(`a running Tenantry has ${folder} open`)
  expect(examined.stdout).toMatch(/^ok +mail: /m)
  expect((await ask(program, 'GET //readyz')).status).toBe(200)
  expect(await program.end('SIGINT')).toBe(0)
  rmSync(folder, { recursive: true })
})
