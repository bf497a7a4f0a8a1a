/** The real program in processes and on stores of its own: a test can kill it without harm to others. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeMigratedDatabase } from './templates.ts'
import { createDatabase, dropDatabase, secretEnv, serverUrl } from './test-database.ts'

const main = fileURLToPath(new URL('../bin/tenantry.js', import.meta.url))

type Env = Record<string, string>

/** The environment of every program here, instead of that of the tests. */
const baseEnv: Env = {
  PATH: process.env['PATH'] ?? '',
  PORT: '0',
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
  await createDatabase(serverUrl, name)
  const url = new URL(serverUrl)
  url.pathname = name
  return {
    env: { TENANTRY_DATA_DIR: dataDir, DATABASE_URL: url.href, REDIS_URL: process.env['REDIS_URL'] ?? '' },
    remove: async () => {
      removeFolder()
      await dropDatabase(serverUrl ?? '', name)
    },
  }
}

/** Starts a command of this repository, or of another entry or in another Node, for tests that kill it. */
export const launch = (args: string[], env: Env, entry = main, node = process.execPath): ChildProcess =>
  // In a folder without a .env file.
  spawn(node, [entry, ...args], { cwd: tmpdir(), env: { ...baseEnv, ...env }, stdio: 'pipe' })

const collect = (child: ChildProcess): { stdout: string; stderr: string } => {
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()))
  return output
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end. */
export const run = async (args: string[], env: Env = {}, stdin = '', entry = main): Promise<Finished> => {
  const child = launch(args, env, entry)
  const output = collect(child)
  child.stdin?.end(stdin)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

export interface Program {
  url: string
  /** Its log so far: one object a line. */
  log(): Record<string, unknown>[]
  /**
   * Sends a signal and waits for the end: the exit code, or null when the signal ended it. SIGINT stops the service at
   * once, SIGTERM after three seconds.
   */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Ends all programs that still run; for `afterAll`. */
export const endAll = (): void => {
  for (const child of running) child.kill('SIGKILL')
}

/** Starts the service and waits for the line that says where it listens; throws with its output when it ends instead. */
export const start = async (env: Env, entry = main, node = process.execPath): Promise<Program> => {
  const child = launch(['start'], env, entry, node)
  const output = collect(child)
  running.add(child)
  const exit = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [found] = /http:\/\/[^"\s]+/.exec(output.stdout) ?? []
      if (found !== undefined && output.stdout.includes('ready')) resolve(found)
    })
    void exit.then((code) => reject(new Error(`ended with ${code}: ${output.stdout}${output.stderr}`)))
  })
  return {
    url,
    log: () =>
      output.stdout
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    end: (signal) => {
      child.kill(signal)
      return exit
    },
  }
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export interface Reply {
  status: number
  headers: Headers
  body: any
}

/** One request to a program, below `/api/v1` unless the path starts with `//`. */
export const ask = async (
  { url }: Pick<Program, 'url'>,
  request: string,
  { token, body, tenant }: { token?: string; body?: unknown; tenant?: string } = {},
): Promise<Reply> => {
  const [method = 'GET', path = ''] = request.split(' ')
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
  }
  const content =
    body === undefined
      ? { headers }
      : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const whole = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
  const response = await fetch(`${url}${whole}`, { method, ...content })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
