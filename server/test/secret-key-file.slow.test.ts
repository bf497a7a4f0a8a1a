/** The key file of the embedded database: made at the first start, in a backup only when asked for. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ask, endAll, newFolder, run, start } from './programs.ts'

const account = { email: 'root@example.com', password: 'correct horse battery' }
const folder = newFolder()
const dataDir = join(folder, 'data')
const file = join(dataDir, 'secret.key')
const env = {
  TENANTRY_DATA_DIR: dataDir,
  TENANTRY_ADMIN_EMAIL: account.email,
  TENANTRY_ADMIN_PASSWORD: account.password,
  LOG_LEVEL: 'fatal',
}

afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts, signs in and stops: the signing keys open. */
const expectUsable = async () => {
  const program = await start(env)
  const { status } = await ask(program, 'POST /auth/login', { body: account })
  expect(status).toBe(200)
  await program.end('SIGINT')
}

test('the embedded database makes a key that only its user can read, and keeps it', async () => {
  await expectUsable()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const made = readFileSync(file, 'utf8')
  expect(Buffer.from(made, 'base64')).toHaveLength(32)
  await expectUsable()
  expect(readFileSync(file, 'utf8')).toBe(made)
})

test('a backup holds the secret key only when asked for, and restores with it', async () => {
  const archive = (name: string) => join(folder, `${name}.tar.gz`)
  const plain = await run(['backup', archive('plain')], env)
  expect(plain.stdout).toContain('without the secret key')
  const whole = await run(['backup', archive('whole'), '--with-secret-key'], env)
  expect(whole.stdout).toContain('it holds the secret key too')
  const key = readFileSync(file)
  rmSync(dataDir, { recursive: true })

  const bare = await run(['restore', archive('plain')], env)
  expect(bare.stdout).toContain('Put its secret key there before the start')
  expect(existsSync(file)).toBe(false)
  const refused = await run(['start'], env)
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('the file secret.key in the data folder'),
  ])
  writeFileSync(file, key)
  await expectUsable()

  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  await run(['restore', archive('whole')], env)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await expectUsable()
})
