/** The cost of processes, and the end of a run that a signal interrupts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { childrenOf, signalAll } from '../lab/processes.ts'

let interrupted = false
/** Whether the run has been told to end; the started processes have got the signal too. */
export const isInterrupted = (): boolean => interrupted
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    signalAll('SIGTERM')
  })
}

/** The whole environment, for programs that need its proxies and certificates. */
export const wholeEnv = { ...process.env } as Record<string, string>

/** Linux counts processor time in hundredths of a second. */
const tickSeconds = 0.01
const pageBytes = 4096
const megabyte = 1e6

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
