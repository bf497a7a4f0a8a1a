import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

interface Program {
  path: string
  args: string[]
  folder: string
  port: number
  /** Resolves when the server answers; throws while it does not. */
  ask: () => Promise<unknown>
}

const startMs = 30_000
const env = { LC_ALL: 'C.UTF-8' }
const isRoot = process.getuid?.() === 0

/** Finds a program. Throws with the name of its Debian package when the program is missing. */
export const findProgram = (name: string, debianPackage: string, folders: string[] = []): string => {
  const path = [...folders, process.env['PATH'] ?? '', '/usr/sbin'].join(delimiter)
  const found = path.split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error(`${name} is missing: install Debian's package ${debianPackage}`)
  return join(found, name)
}

const idOf = (line: RegExp): number => Number(line.exec(readFileSync('/etc/passwd', 'utf8'))?.[1] ?? 0)
/** PostgreSQL and PgBouncer refuse to run as root, so they run as the user that their packages create. */
const owner = isRoot ? { uid: idOf(/^postgres:[^:]*:(\d+):/m), gid: idOf(/^postgres:[^:]*:\d+:(\d+):/m) } : {}

/** Makes a folder that the servers may write to. */
export const makeFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `tenantry-prove-${name}-`))
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid)
  leftovers.set(folder, undefined)
  return folder
}

/** Runs a program of a server to its end, as the servers' user. */
export const runProgram = (path: string, args: string[]): Promise<unknown> =>
  promisify(execFile)(path, args, { ...owner, cwd: tmpdir(), env })

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Folders to remove when this process ends early, each with the server that uses it. */
const leftovers = new Map<string, ChildProcess | undefined>()
process.on('exit', () => {
  for (const child of leftovers.values()) if (child) signalAll(child, 'SIGKILL')
  for (const folder of leftovers.keys()) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const childrenOf = (pid: number): number[] => {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Signals the main process first, so that it starts no new children. */
const signalAll = ({ pid = 0, exitCode, signalCode }: ChildProcess, name: NodeJS.Signals): void => {
  if (exitCode !== null || signalCode !== null) return
  const children = childrenOf(pid)
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, name)
    } catch {
      // the process has ended already
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** A server in a folder of its own, which proofs may kill, freeze and start again. */
export class OwnServer {
  readonly port: number
  readonly folder: string
  readonly #program: Program
  #child: ChildProcess | undefined
  #output = ''

  constructor(program: Program) {
    this.#program = program
    this.port = program.port
    this.folder = program.folder
  }

  /** Starts the server and resolves when it answers. */
  async start(): Promise<void> {
    const { path, args, folder } = this.#program
    const child = spawn(path, args, { ...owner, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env })
    this.#child = child
    leftovers.set(folder, child)
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => this.#note(String(bytes)))
    child.on('error', (err) => this.#note(String(err)))
    await this.#awaitAnswer(child)
  }

  #note(text: string) {
    this.#output = `${this.#output}${text}`.trim().slice(-300)
  }

  async #awaitAnswer(child: ChildProcess): Promise<void> {
    const until = performance.now() + startMs
    for (;;) {
      try {
        await this.#program.ask()
        return
      } catch {
        if (hasEnded(child)) throw new Error(`${this.#program.path} ended: ${this.#output}`)
        if (performance.now() > until) {
          throw new Error(`${this.#program.path} does not answer: ${this.#output}`)
        }
        await sleep(20)
      }
    }
  }

  /** Kills the main process with SIGKILL. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  /** Stops all processes with SIGSTOP: the kernel still accepts connections, but nothing answers them. */
  freeze(): void {
    if (this.#child) signalAll(this.#child, 'SIGSTOP')
  }

  thaw(): void {
    if (this.#child) signalAll(this.#child, 'SIGCONT')
  }

  /** Ends the server in any state and removes its folder. */
  async remove(): Promise<void> {
    this.thaw()
    await this.#end('SIGQUIT')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
    leftovers.delete(this.folder)
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || hasEnded(child)) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await Promise.race([exit, sleep(5000)])
    signalAll(child, 'SIGKILL')
    await exit
  }
}
