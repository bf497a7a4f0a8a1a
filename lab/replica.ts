/** The service in a process of its own, from this checkout. */
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { finish, start, type Command, type Running } from './processes.ts'

const main = fileURLToPath(new URL('../server/bin/tenantry.js', import.meta.url))
/** A start on an empty embedded database takes about 4 seconds, and several times that on a busy machine. */
const startMs = 180_000

/** A server process. */
export interface Replica extends Omit<Running, 'stop'> {
  url: string
  /** The lines of its log, parsed. */
  records(): Record<string, unknown>[]
  /** Sends a signal and waits for the end. SIGTERM stops the service after three seconds. */
  end(name: NodeJS.Signals): Promise<number | null>
  /** Sends SIGINT, which closes the port at once, and waits for the end. */
  stop(): Promise<number | null>
}

/** A command of the program, in a folder without a .env file. `entry` and `node` replace the program and its Node. */
export const tenantry = (
  args: string[],
  env: Record<string, string> = {},
  entry = main,
  node = process.execPath,
): Command => ({ program: node, args: [entry, ...args], cwd: tmpdir(), env: { PORT: '0', ...env } })

/** Runs a command of the program to its end. */
export const runCommand = async (
  args: string[],
  env?: Record<string, string>,
): Promise<{ code: number | null; output: string }> => {
  const { code, stdout, stderr } = await finish(tenantry(args, env))
  return { code, output: `${stdout}${stderr}` }
}

const awaitUrl = async ({ log, closed }: Running): Promise<string> => {
  const late = AbortSignal.timeout(startMs)
  let code: number | null | undefined
  void closed.then((ended) => (code = ended))
  for (;;) {
    const line = log.find((one) => one.includes('is ready at'))
    const [url] = /http:\/\/[^"\s]+/.exec(line ?? '') ?? []
    if (url !== undefined) return url
    if (code !== undefined) throw new Error(`the server ended with ${code}: ${log.slice(-10).join('\n')}`)
    if (late.aborted) throw new Error(`no start within ${startMs} ms`)
    await sleep(5)
  }
}

/** Starts the service. Resolves when it accepts requests. Ends the process if it does not start. */
export const startReplica = async (
  env: Record<string, string>,
  entry?: string,
  node?: string,
): Promise<Replica> => {
  const server = start(tenantry(['start'], env, entry, node))
  const url = await awaitUrl(server).catch(async (err: unknown) => {
    server.signal('SIGKILL')
    await server.closed
    throw err
  })
  const end = (name: NodeJS.Signals) => {
    server.signal(name)
    return server.closed
  }
  return {
    ...server,
    url,
    end,
    stop: () => end('SIGINT'),
    records: () =>
      server.log
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

/** Starts one server and kills it after that time, ready or not. */
export const startAndKill = async (env: Record<string, string>, afterMs: number): Promise<void> => {
  const server = start(tenantry(['start'], env))
  await sleep(afterMs)
  server.signal('SIGKILL')
  await server.exited
}
