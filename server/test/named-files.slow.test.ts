/** Files that an operator names are regular and bounded: no device, pipe, folder or huge file takes memory, or is waited for. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { readText } from './documents.ts'
import { newFolder, run } from './programs.ts'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [pipe, huge] = [join(folder, 'pipe'), join(folder, 'huge')]
execFileSync('mkfifo', [pipe])
writeFileSync(huge, '')
truncateSync(huge, 10 * 1024 ** 3)
const files = ['/dev/zero', pipe, folder, huge, join(folder, 'missing')]

/** Every command that reads a file. */
const commands = [
  ['restore', '<file>'],
  ['tenant', 'import', '<file>'],
  ['users', 'import', '<file>', '--tenant', 'default'],
  ['catalogue', 'plan', '<file>'],
  ['catalogue', 'apply', '<file>'],
  ['settings', 'plan', '<file>'],
  ['settings', 'apply', '<file>'],
  ['audit', 'verify', '--file', '<file>'],
  ['audit', 'verify', '--file', 'any', '--keys', '<file>'],
]
/** Commands whose file must not exist yet: backup, tenant export. */
const writing = 2
/** Each plan shares the name of its file with an apply. */
const plans = commands.filter(([, word]) => word === 'plan').length

test('the list of commands is whole', () => {
  const programs = ['main', 'audit-program'].map((name) => readText(`server/src/start/${name}.ts`))
  const named = programs.flatMap((text) => text.match(/<(?:file|export)>/g) ?? [])
  expect(named).toHaveLength(commands.length - plans + writing)
})

describe.each(commands.map((words) => words.join(' ')))('tenantry %s', (command) => {
  test('refuses a device, a pipe, a folder, a file of 10 GB and none: one line, exit 1', async () => {
    for (const file of files) {
      const data = join(folder, 'data')
      const args = command.split(' ').map((word) => (word === '<file>' ? file : word))
      const { code, stdout, stderr } = await run(args, { TENANTRY_DATA_DIR: data })
      const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('note'))
      expect([file, code, lines]).toEqual([file, 1, [expect.stringContaining(file)]])
    }
  })
})

test('the files that settings name are held to the same', async () => {
  for (const file of files.slice(0, -1)) {
    const url = `postgres://ada@127.0.0.1:1/x?sslmode=verify-ca&sslrootcert=${file}`
    const ofDatabase = await run(['start'], { DATABASE_URL: url })
    expect([ofDatabase.code, ofDatabase.stderr]).toEqual([1, expect.stringContaining('is not PEM')])
  }
  const own = join(folder, 'with-key')
  mkdirSync(join(own, 'secret.key'), { recursive: true })
  const ofKey = await run(['start'], { TENANTRY_DATA_DIR: own, LOG_LEVEL: 'fatal' })
  expect([ofKey.code, ofKey.stderr]).toEqual([1, expect.stringContaining('secret.key is not a regular file')])
})

test('a .env file that is a pipe or a folder ends a command with one line', () => {
  const main = fileURLToPath(new URL('../bin/tenantry.js', import.meta.url))
  const [withPipe, withFolder] = [join(folder, 'a'), join(folder, 'b')]
  mkdirSync(withPipe)
  execFileSync('mkfifo', [join(withPipe, '.env')])
  mkdirSync(join(withFolder, '.env'), { recursive: true })
  for (const cwd of [withPipe, withFolder]) {
    const { status, stderr } = spawnSync(process.execPath, [main, 'migrate'], { cwd, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, 'tenantry: .env is not a regular file\n'])
  }
})
