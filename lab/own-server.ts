import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, run, start, until, type Running } from './processes.ts'

interface Program {
  path: string
  args: string[]
  folder: string
  port: number
  /** Resolves when the server answers, and throws until then. */
  ask: () => Promise<unknown>
}

const env = { LC_ALL: 'C.UTF-8' }
const isRoot = process.getuid?.() === 0

const idOf = (line: RegExp): number => Number(line.exec(readFileSync('/etc/passwd', 'utf8'))?.[1] ?? 0)
/** PostgreSQL and PgBouncer refuse to run as root, so they run as the user of their Debian package. */
const owner = isRoot ? { uid: idOf(/^postgres:[^:]*:(\d+):/m), gid: idOf(/^postgres:[^:]*:\d+:(\d+):/m) } : {}

/** Makes a folder in which the servers may write. */
export const makeFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `tenantry-${name}-`))
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  leftovers.set(folder, undefined)
  return folder
}

/** Runs a server's program to its end, as the servers' user. */
export const runProgram = (program: string, args: string[]): Promise<string> =>
  run({ program, args, ...owner, cwd: tmpdir(), env })

/** Folders to remove if this process ends early, each with the server that uses it. */
const leftovers = new Map<string, Running | undefined>()
process.on('exit', () => {
  for (const server of leftovers.values()) if (server) signalTree(server, 'SIGKILL')
  for (const folder of leftovers.keys()) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Signals the main process first, so that it starts no new children. */
const signalTree = (server: Running, name: NodeJS.Signals): void => {
  if (server.hasEnded()) return
  for (const one of [server.pid, ...childrenOf(server.pid)]) {
    try {
      process.kill(one, name)
    } catch {
      // the process has ended already
    }
  }
}

/** A server in a folder of its own. A proof can kill, freeze and restart it. */
export class OwnServer {
  readonly port: number
  readonly folder: string
  readonly #program: Program
  #running: Running | undefined

  constructor(program: Program) {
    this.#program = program
    this.port = program.port
    this.folder = program.folder
  }

  /** Starts the server. Resolves when it answers. */
  async start(): Promise<void> {
    const { path: program, args, folder, ask } = this.#program
    this.#running = start({ program, args, ...owner, cwd: folder, env })
    leftovers.set(folder, this.#running)
    await until(this.#running, async () => {
      await ask()
      return true
    })
  }

  /** Kills the main process with SIGKILL. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Stops all processes with SIGSTOP. The kernel still accepts connections, but nothing answers them. */
  freeze(): void {
    if (this.#running) signalTree(this.#running, 'SIGSTOP')
  }

  thaw(): void {
    if (this.#running) signalTree(this.#running, 'SIGCONT')
  }

  /** Ends the server in any state and removes its folder. */
  async remove(): Promise<void> {
    this.thaw()
    await this.#end('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
    leftovers.delete(this.folder)
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#running
    if (!server || server.hasEnded()) return
    server.signal(signal)
    await Promise.race([server.exited, sleep(5000)])
    signalTree(server, 'SIGKILL')
    await server.exited
  }
}
