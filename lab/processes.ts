/** Starts, breaks and ends processes for proofs, benches and tests. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, globSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Command {
  program: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
  /** The user and the group of the process. Only root can set them. */
  uid?: number
  gid?: number
}

export interface Running {
  pid: number
  /** The last 20,000 lines of its output. */
  log: string[]
  /** Resolves with the exit code, or null after a signal. */
  exited: Promise<number | null>
  /** Like `exited`, but waits until its children have closed its output, too. */
  closed: Promise<number | null>
  hasEnded(): boolean
  signal(name: NodeJS.Signals): void
  /** Sends SIGTERM, and SIGKILL after ten seconds. */
  stop(): Promise<void>
}

const logLines = 20_000
const stopMs = 10_000

const running = new Set<ChildProcess>()

/** Signals all running processes. */
export const signalAll = (name: NodeJS.Signals): void => {
  for (const child of running) child.kill(name)
}
process.on('exit', () => signalAll('SIGKILL'))

/** Starts a process with these variables, PATH and HOME, and no others. The caller handles its streams. */
export const launch = ({ program, env, args, ...place }: Command): ChildProcess => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, { env: { PATH, HOME, ...env }, stdio: 'pipe', ...place })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Starts a process and keeps its log. */
export const start = (command: Command): Running => {
  const child = launch(command)
  child.stdin?.end()
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') log.push(line)
      if (log.length > logLines) log.shift()
    })
  }
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  // A missing program closes without an exit.
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve).once('close', resolve))
  child.once('error', (err) => log.push(err.message))
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const stop = async () => {
    signal('SIGTERM')
    const late = setTimeout(() => signal('SIGKILL'), stopMs)
    await closed
    clearTimeout(late)
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return { pid: child.pid ?? 0, log, exited, closed, hasEnded, signal, stop }
}

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end. */
export const finish = async (command: Command, stdin = ''): Promise<Finished> => {
  const child = launch(command)
  const { stdout: out, stderr: err } = child
  // A program may end without reading its input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(stdin)
  const [end, stdout, stderr] = await Promise.all([once(child, 'close'), out && text(out), err && text(err)])
  return { code: end[0] as number | null, stdout: stdout ?? '', stderr: stderr ?? '' }
}

/** Runs a program to its end and resolves with its output. Throws unless it exits with 0. */
export const run = async (command: Command): Promise<string> => {
  const { code, stdout, stderr } = await finish(command)
  if (code === 0) return stdout
  throw new Error(`${command.program} ${command.args.join(' ')}: ${`${stdout}${stderr}`.trim().slice(-1000)}`)
}

/** Repeats `holds` until it is true. Throws with the last output if the process ends or two minutes have passed. */
export const until = async ({ log, closed }: Running, holds: () => Promise<boolean>): Promise<void> => {
  const end = { reached: false }
  void closed.then(() => (end.reached = true))
  const deadline = performance.now() + 120_000
  while (!(await holds().catch(() => false))) {
    if (end.reached || performance.now() > deadline) {
      throw new Error(`the process did not start: ${log.slice(-10).join(' | ')}`)
    }
    await sleep(5)
  }
}

/** The children of a process. Empty for a process that has ended. */
export const childrenOf = (pid: number): number[] => {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Debian puts PostgreSQL's servers into folders outside PATH. The newest comes first. */
const postgresFolders = (): string[] =>
  globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of an installed program. Undefined if there is none. */
export const installed = (name: string, folders = postgresFolders()): string | undefined =>
  [...folders, ...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .map((folder) => join(folder, name))
    .find(isProgram)

/** Finds a program. If it is missing, throws with the name of its Debian package. */
export const findProgram = (name: string, debianPackage: string, folders?: string[]): string => {
  const found = installed(name, folders)
  if (found === undefined) throw new Error(`${name} is missing: install Debian's package ${debianPackage}`)
  return found
}
