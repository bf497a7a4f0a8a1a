import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Command {
  program: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
  /** The user that runs the process; root only. */
  uid?: number
}

/** A process that the bench started and ends. */
export interface Running {
  pid: number
  /** The last lines of its output. */
  log: string[]
  exited: Promise<number | null>
  /** Sends SIGTERM, and SIGKILL after ten seconds. */
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
let interrupted = false
/** Whether the run has been told to end; the started processes have got the signal too. */
export const isInterrupted = (): boolean => interrupted
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    for (const child of running) child.kill('SIGTERM')
  })
}

/** The whole environment, for programs that need its proxies and certificates. */
export const wholeEnv = { ...process.env } as Record<string, string>

const path = process.env['PATH'] ?? ''
const logLines = 40
const stopMs = 10_000

/** Starts a process with these settings and nothing else of the environment. */
export const start = ({ program, args, env, cwd, uid }: Command): Running => {
  const child = spawn(program, args, {
    env: { PATH: path, HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  })
  running.add(child)
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log.push(...text.split('\n').filter((line) => line.trim() !== ''))
      log.splice(0, log.length - logLines)
    })
  }
  child.on('error', (err) => log.push(err.message))
  const exited = once(child, 'close').then(([code]: unknown[]) => {
    running.delete(child)
    return code as number | null
  })
  return { pid: child.pid ?? 0, log, exited, stop: () => stop(child, exited) }
}

const stop = async (child: ChildProcess, exited: Promise<unknown>): Promise<void> => {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopMs)
  await exited
  clearTimeout(late)
}

/** Runs a program to its end and resolves with its output. Throws unless it exits with 0. */
export const run = async (command: Command): Promise<string> => {
  const { log, exited } = start(command)
  if ((await exited) !== 0) {
    throw new Error(`${command.program} ${command.args.join(' ')}: ${log.slice(-10).join(' | ')}`)
  }
  return log.join('\n')
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Repeats `holds` until it is true. Throws with the last output when the process ends or two minutes have passed. */
export const until = async ({ log, exited }: Running, holds: () => Promise<boolean>): Promise<void> => {
  const end = { reached: false }
  void exited.then(() => (end.reached = true))
  const deadline = performance.now() + 120_000
  while (!(await holds().catch(() => false))) {
    if (end.reached || performance.now() > deadline) {
      throw new Error(`the process did not start: ${log.slice(-10).join(' | ')}`)
    }
    await sleep(5)
  }
}

/** Linux counts processor time in hundredths of a second. */
const tickSeconds = 0.01
const pageBytes = 4096
const megabyte = 1e6

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)]

/** The fields of /proc/<pid>/stat after the name, which may contain blanks; the first is the state. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** Returns the processor seconds of a process and its children. */
export const cpuSeconds = (pid: number): number =>
  sum(treeOf(pid).map((one) => Number(statOf(one)[11]) + Number(statOf(one)[12]))) * tickSeconds

/** Returns the resident memory of a process and its children in MB. */
export const residentMB = (pid: number): number =>
  (sum(treeOf(pid).map((one) => Number(statOf(one)[21]))) * pageBytes) / megabyte

/** Returns the peak of a process's resident memory in MB, since its start or since `forgetPeak`. */
export const peakMB = (pid: number): number => {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kibibytes) * 1024) / megabyte
}

/** Resets the peak to the present resident memory. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')
