import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../server/bin/tenantry.js', import.meta.url))
/** A start on an empty embedded database takes about 4 seconds, and several times that on a busy machine. */
const startMs = 180_000

/** A server process that the proofs started and may break. */
export interface Replica {
  url: string
  pid: number
  /** The last 2,000 lines of its log. */
  log: string[]
  /** Sends a signal, such as SIGKILL, SIGSTOP or SIGCONT. */
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>
  /** Sends SIGINT, after which the port closes at once, and resolves with the exit code. */
  stop(): Promise<number | null>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a server process with these settings and nothing else of the environment. */
const launch = (env: Record<string, string>) => {
  const child = spawn(process.execPath, [main, 'start'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const exited = once(child, 'exit').then(([code]: unknown[]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, exited }
}

/** Starts one server and kills it after that time, ready or not. */
export const startAndKill = async (env: Record<string, string>, afterMs: number): Promise<void> => {
  const { child, exited } = launch(env)
  await sleep(afterMs)
  child.kill('SIGKILL')
  await exited
}

/** Starts one server and resolves when it accepts requests. Ends it when it does not start. */
export const startReplica = async (env: Record<string, string>): Promise<Replica> => {
  const { child, exited } = launch(env)
  const log: string[] = []
  const url = await awaitUrl(child, log, exited).catch(async (err: unknown) => {
    child.kill('SIGKILL')
    await exited
    throw err
  })
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return {
    url,
    pid: child.pid ?? 0,
    log,
    signal,
    exited,
    stop: () => {
      signal('SIGINT')
      return exited
    },
  }
}

const awaitUrl = (child: ChildProcess, log: string[], exited: Promise<unknown>): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no start within ${startMs} ms`)), startMs)
    const read = (line: string) => {
      log.push(line)
      if (log.length > 2000) log.shift()
      const [url] = /http:\/\/[^"\s]+/.exec(line) ?? []
      if (url !== undefined && line.includes('is ready at')) {
        clearTimeout(late)
        resolve(url)
      }
    }
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', read)
    }
    void exited.then(() =>
      reject(new Error(`the server ended before it was ready: ${log.slice(-3).join(' | ')}`)),
    )
  })
