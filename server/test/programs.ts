/** The real program in processes and on stores of its own: a test can kill it without harm to others. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathFromRoot, request, type Answer, type Call } from '../../lab/client.ts'
import { finish, launch, signalAll, type Command, type Finished } from '../../lab/processes.ts'
import { startReplica, tenantry, type Replica } from '../../lab/replica.ts'
import { makeMigratedDatabase } from './templates.ts'
import { createDatabase, dropDatabase } from '../../lab/databases.ts'
import { secretEnv, serverUrl } from './test-database.ts'

type Env = Record<string, string>

/** The environment of every program here, instead of that of the tests. */
const baseEnv: Env = {
  TENANTRY_BCRYPT_COST: '4',
  TENANTRY_RATE_LIMIT: 'off',
  TENANTRY_FIRST_USER_ADMIN: 'true',
  ...secretEnv,
}

export interface Stores {
  env: Env
  remove(): Promise<void>
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'tenantry-program-'))

/** A migrated embedded database; in a run on services an empty PostgreSQL database and the shared Redis. */
export const createStores = async (): Promise<Stores> => {
  const folder = newFolder()
  const dataDir = join(folder, 'data')
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  if (!serverUrl) {
    await makeMigratedDatabase(dataDir)
    return { env: { TENANTRY_DATA_DIR: dataDir }, remove: async () => removeFolder() }
  }
  const name = `tenantry_program_${randomBytes(6).toString('hex')}`
  const url = await createDatabase(serverUrl, name)
  return {
    env: { TENANTRY_DATA_DIR: dataDir, DATABASE_URL: url, REDIS_URL: process.env['REDIS_URL'] ?? '' },
    remove: async () => {
      removeFolder()
      await dropDatabase(serverUrl ?? '', name)
    },
  }
}

/** A command of this repository, or of another entry. */
const command = (args: string[], env: Env, entry?: string): Command =>
  tenantry(args, { ...baseEnv, ...env }, entry)

/** Starts a command, for tests that kill it. */
export const launchCommand = (args: string[], env: Env): ChildProcess => launch(command(args, env))

/** Runs a command to its end. */
export const run = (args: string[], env: Env = {}, stdin = '', entry?: string): Promise<Finished> =>
  finish(command(args, env, entry), stdin)

/** Ends all programs that still run; for `afterAll`. */
export const endAll = (): void => signalAll('SIGKILL')

/** Starts the service. */
export const start = (env: Env, entry?: string, node?: string): Promise<Replica> =>
  startReplica({ ...baseEnv, ...env }, entry, node)

/** One request to a program, below `/api/v1` unless the path starts with `//`. */
export const ask = (
  { url }: Pick<Replica, 'url'>,
  methodAndPath: string,
  call: Pick<Call, 'token' | 'body' | 'tenant'> = {},
): Promise<Answer> => {
  const [method = 'GET', path = ''] = methodAndPath.split(' ')
  return request(url, method, pathFromRoot(path), { timeoutMs: 120_000, ...call })
}
