/**
 * The service loads this before its own code. It measures the longest turn of the event loop between two signals
 * SIGUSR2, and writes it as a line. Processor time of the thread counts, so that a busy machine changes little.
 */
import { isMainThread } from 'node:worker_threads'

let longest = 0
let isOn = false

const now = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs in each turn: everything since the last time is one turn's work. */
const watch = (before: number): void => {
  const at = now()
  longest = Math.max(longest, at - before)
  if (isOn) setImmediate(watch, at)
}

const toggle = (): void => {
  isOn = !isOn
  if (!isOn) {
    process.stdout.write(`longest turn: ${longest} ms\n`)
    return
  }
  longest = 0
  process.stdout.write('watching turns\n')
  setImmediate(watch, now())
}

if (isMainThread) process.on('SIGUSR2', toggle)
