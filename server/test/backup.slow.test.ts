/** Backup and restore of the embedded database, as an operator meets them. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { create, extract } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeArchive } from '../src/archive.ts'
import { restore } from '../src/backup/restore.ts'
import { eventually } from './waits.ts'
import type { Replica } from '../../lab/replica.ts'
import { ask, endAll, launchCommand, newFolder, run, start } from './programs.ts'

const password = 'correct horse battery'
const admin = { TENANTRY_ADMIN_EMAIL: 'root@example.com', TENANTRY_ADMIN_PASSWORD: password }
const envOf = (dataDir: string) => ({
  TENANTRY_DATA_DIR: dataDir,
  DATABASE_URL: '',
  REDIS_URL: '',
  LOG_LEVEL: 'error',
})

const folder = newFolder()
const at = (name: string) => join(folder, name)
const dataDir = at('data')
const good = at('good.tar.gz')
let program: Replica

const signIn = async (one: Replica): Promise<string> => {
  const body = { email: 'root@example.com', password }
  return (await ask(one, 'POST /auth/login', { body })).body.data.access_token
}

const settingKeys = async (one: Replica): Promise<string[]> => {
  const { body } = await ask(one, 'GET /settings/tenant', { token: await signIn(one) })
  return (body.data as { key: string }[]).map(({ key }) => key)
}

const restoreInto = (name: string, file: string) => run(['restore', file], envOf(at(name)))
const databasesIn = (name: string) =>
  existsSync(at(name)) ? readdirSync(at(name)).filter((entry) => entry.startsWith('postgres')) : []

/** Polls each millisecond: the states it waits for are short. */
const until = async (isReached: () => boolean): Promise<void> => {
  while (!isReached()) await sleep(1)
}

beforeAll(async () => {
  program = await start({ ...envOf(dataDir), ...admin })
})

afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

test('a backup taken during writes holds every write acknowledged before it, and restores to a working service', async () => {
  const token = await signIn(program)
  const acknowledged: string[] = []
  const writing = { isOver: false }
  const write = async (writer: number) => {
    for (let index = 0; !writing.isOver; index += 1) {
      const key = `backup.${writer}.${index}`
      const { status } = await ask(program, `PUT /settings/tenant/${key}`, { token, body: { value: key } })
      expect(status).toBe(200)
      acknowledged.push(key)
    }
  }
  const writers = Promise.all([0, 1, 2].map(write))
  await until(() => acknowledged.length > 5)
  const before = [...acknowledged]
  const made = await run(['backup', good, '--with-secret-key'], envOf(dataDir))
  writing.isOver = true
  await writers
  expect([made.code, made.stderr]).toEqual([0, ''])
  expect(made.stdout).toMatch(
    /^wrote .*good\.tar\.gz: \d+ MB of database, with password hashes; it holds the secret key too: keep it locked away\n$/,
  )
  expect(statSync(good).mode & 0o777).toBe(0o600)
  expect(acknowledged.length).toBeGreaterThan(before.length)
  await eventually(() => expect(readdirSync(dataDir)).not.toContain('postgres-being-copied'))

  const restored = await restoreInto('restored', good)
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const second = await start(envOf(at('restored')))
  expect(await settingKeys(second)).toEqual(expect.arrayContaining(before))
  // The backup holds the session of the first service, and the key that signed its token.
  expect((await ask(second, 'GET /profile', { token })).status).toBe(200)
  expect(await second.end('SIGINT')).toBe(0)
  const examined = await run(['doctor'], envOf(at('restored')))
  expect([examined.code, examined.stdout]).toEqual([0, expect.stringContaining('ok    schema: up to date')])
})

test('the socket for backups belongs only to the user of the service, and other words on it change nothing', async () => {
  expect(statSync(join(dataDir, 'control.sock')).mode & 0o777).toBe(0o600)
  const socket = connect(join(dataDir, 'control.sock'))
  socket.end('stop\n')
  await once(socket.resume(), 'close')
  expect(readdirSync(dataDir)).not.toContain('postgres-being-copied')
  expect((await ask(program, 'GET //readyz')).status).toBe(200)
})

test('a backup never overwrites a file, and names in one line why it cannot be written', async () => {
  writeFileSync(at('mine'), 'mine')
  const cases: [string, Record<string, string>, string][] = [
    [at('mine'), envOf(dataDir), 'exists already'],
    [at('nowhere/x'), envOf(dataDir), 'nowhere does not exist'],
    [join(dataDir, 'x'), envOf(dataDir), 'would lie in the data folder'],
    [at('x'), envOf(at('empty')), 'there is no database'],
    [at('x'), { ...envOf(dataDir), DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'use pg_dump'],
  ]
  for (const [file, env, reason] of cases) {
    const { code, stdout, stderr } = await run(['backup', file], env)
    expect([code, stdout, stderr.trimEnd().split('\n')]).toEqual([1, '', [expect.stringContaining(reason)]])
  }
  expect(readFileSync(at('mine'), 'utf8')).toBe('mine')
  expect(existsSync(at('x'))).toBe(false)
})

test('a restore leaves a data folder alone that has a database, also while the service runs', async () => {
  const { code, stderr } = await restoreInto('restored', good)
  expect([code, stderr]).toEqual([1, expect.stringContaining('has a database already')])
  const running = await restoreInto('data', good)
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('is in use')])
  const onPostgres = { ...envOf(at('other')), DATABASE_URL: 'postgres://127.0.0.1:1/x' }
  expect((await run(['restore', good], onPostgres)).stderr).toContain('use pg_restore')
})

/** A backup of two files that only look like a database. */
const little = at('little.tar.gz')
const makeLittle = async (): Promise<void> => {
  mkdirSync(at('little/postgres/base'), { recursive: true })
  writeFileSync(at('little/postgres/PG_VERSION'), '18\n')
  writeFileSync(at('little/postgres/base/1'), randomBytes(100_000))
  await writeArchive(
    little,
    at('little'),
    { kind: 'tenantry-backup', about: { migrations: ['0001-create-database-roles'] } },
    () => {},
  )
}

/** A copy of the little backup, changed and packed anew; its manifest stays unless `change` writes another. */
const altered = async (name: string, change: (unpacked: string) => void): Promise<string> => {
  const unpacked = at(`unpacked-${name}`)
  mkdirSync(unpacked)
  await extract({ file: little, cwd: unpacked })
  change(unpacked)
  const names = readdirSync(unpacked).filter((one) => one !== 'manifest.json')
  const file = at(`${name}.tar.gz`)
  await create({ file, cwd: unpacked, gzip: true, portable: true, preservePaths: true }, [
    ...(existsSync(join(unpacked, 'manifest.json')) ? ['manifest.json'] : []),
    ...names,
    ...(name === 'leaving' ? ['../outside'] : []),
  ])
  return file
}

/** The message of a restore that fails. */
const refusalOf = (name: string, file: string): Promise<string> =>
  restore({ databaseUrl: undefined, dataDir: at(name) }, file, () => {}).then(
    (line) => line,
    (err: unknown) => (err as Error).message,
  )

const editManifest = (edit: (manifest: any) => void) => (unpacked: string) => {
  const path = join(unpacked, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  edit(manifest)
  writeFileSync(path, JSON.stringify(manifest))
}

test('an altered backup is refused with the name of the fault, and nothing of it stays', async () => {
  await makeLittle()
  writeFileSync(at('outside'), 'outside')
  const cases: [string, (unpacked: string) => void, string][] = [
    [
      'changed',
      (dir) => writeFileSync(join(dir, 'postgres/PG_VERSION'), '19\n'),
      'postgres/PG_VERSION differs',
    ],
    [
      'grown',
      (dir) => appendFileSync(join(dir, 'postgres/PG_VERSION'), '19'),
      'PG_VERSION is not of the size',
    ],
    ['added', (dir) => writeFileSync(join(dir, 'postgres/extra'), ''), 'postgres/extra does not belong'],
    ['short', (dir) => rmSync(join(dir, 'postgres/PG_VERSION')), 'postgres/PG_VERSION is missing'],
    ['linked', (dir) => symlinkSync('/etc', join(dir, 'postgres/link')), 'postgres/link does not belong'],
    ['leaving', () => {}, '"../outside" leads out'],
    ['bare', (dir) => rmSync(join(dir, 'manifest.json')), 'is not a backup'],
    ['newer', editManifest((one) => one.about.migrations.push('9999-of-tomorrow')), '9999-of-tomorrow'],
    ['format', editManifest((one) => (one.format = 2)), 'newer than this program'],
    ['other', editManifest((one) => (one.kind = 'tenantry-tenant')), 'is not a backup'],
  ]
  for (const [name, change, reason] of cases) {
    const file = await altered(name, change)
    expect([name, await refusalOf(`into-${name}`, file)]).toEqual([name, expect.stringContaining(reason)])
    expect([name, databasesIn(`into-${name}`)]).toEqual([name, []])
  }
  const whole = readFileSync(little)
  for (const bytes of [0, 10, 300, 50_000, whole.length - 20]) {
    writeFileSync(at('cut.tar.gz'), whole.subarray(0, bytes))
    const refusal = await refusalOf('into-cut', at('cut.tar.gz'))
    expect([bytes, refusal]).toEqual([bytes, expect.stringMatching(/cut\.tar\.gz is (damaged|not)/)])
    expect(databasesIn('into-cut')).toEqual([])
  }
  expect(await refusalOf('into-little', little)).toContain('restored the backup of')
  const command = await restoreInto('into-changed', at('changed.tar.gz'))
  expect([command.code, command.stdout, command.stderr.trimEnd().split('\n')]).toEqual([
    1,
    '',
    [expect.stringMatching(/^tenantry: .*changed\.tar\.gz is damaged: postgres\/PG_VERSION differs/)],
  ])
})

test('a backup killed half-way leaves no file of that name and no copy, and the next one works', async () => {
  const target = at('killed.tar.gz')
  for (const isReached of [
    () => existsSync(join(dataDir, 'postgres-being-copied')),
    () => existsSync(`${target}.partial`),
  ]) {
    const command = launchCommand(['backup', target], envOf(dataDir))
    const end = once(command, 'close')
    await until(isReached)
    command.kill('SIGKILL')
    await end
    expect(existsSync(target)).toBe(false)
    await eventually(() => expect(existsSync(join(dataDir, 'postgres-being-copied'))).toBe(false))
  }
  rmSync(`${target}.partial`, { force: true })
  const interrupted = launchCommand(['backup', target], envOf(dataDir))
  await until(() => existsSync(`${target}.partial`))
  interrupted.kill('SIGTERM')
  expect(await once(interrupted, 'close')).toEqual([143, null])
  expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false])
  await eventually(async () => expect((await run(['backup', target], envOf(dataDir))).code).toBe(0))
  expect(existsSync(`${target}.partial`)).toBe(false)
})

test('a service killed during a backup starts again, and takes the next backup', async () => {
  const command = launchCommand(['backup', at('orphan.tar.gz')], envOf(dataDir))
  // The command may end before the service does.
  const end = once(command, 'close')
  await until(() => existsSync(join(dataDir, 'postgres-being-copied')))
  await program.end('SIGKILL')
  await end
  program = await start(envOf(dataDir))
  expect(readdirSync(dataDir)).not.toContain('postgres-being-copied')
  const { code, stderr } = await run(['backup', at('after.tar.gz')], envOf(dataDir))
  expect([code, stderr]).toEqual([0, ''])
})

test('a backup is also made without a running service, and no service can start meanwhile', async () => {
  expect(await program.end('SIGINT')).toBe(0)
  const command = launchCommand(['backup', at('stopped.tar.gz')], envOf(dataDir))
  const end = once(command, 'close')
  await until(() => existsSync(join(dataDir, 'postgres-being-copied')))
  expect((await run(['migrate'], envOf(dataDir))).stderr).toContain('is in use')
  expect((await end)[0]).toBe(0)
  expect(readdirSync(dataDir)).not.toContain('postgres-being-copied')
  const restored = await restoreInto('from-stopped', at('stopped.tar.gz'))
  expect([restored.code, restored.stderr]).toEqual([0, ''])
})

test('a restore killed half-way leaves no database, and the next one works', async () => {
  const name = `killed-${randomUUID()}`
  const command = launchCommand(['restore', good], envOf(at(name)))
  await until(() => existsSync(join(at(name), 'postgres-being-restored/postgres')))
  command.kill('SIGKILL')
  await once(command, 'close')
  expect(databasesIn(name)).toEqual(['postgres-being-restored'])
  expect((await restoreInto(name, good)).code).toBe(0)
  expect(databasesIn(name)).toEqual(['postgres'])
})

test('a data folder with a path too long for a socket is served with a warning, and backed up when stopped', async () => {
  const long = at('l'.repeat(100))
  mkdirSync(long, { mode: 0o700 })
  expect((await restoreInto('l'.repeat(100), good)).code).toBe(0)
  const served = await start({ ...envOf(long), LOG_LEVEL: 'warn' })
  expect(served.records().map(({ msg }) => msg)).toContainEqual(
    expect.stringContaining('too long for a socket'),
  )
  const refused = await run(['backup', at('long.tar.gz')], envOf(long))
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('too long for the socket')])
  expect(await served.end('SIGINT')).toBe(0)
  expect((await run(['backup', at('long.tar.gz')], envOf(long))).code).toBe(0)
})
