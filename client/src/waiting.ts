import { noAnswer } from './errors.ts'

/** The longest delay of `setTimeout`, 24 days. A longer delay would fire at once. */
const timerMsMax = 2 ** 31 - 1

/** The end of a call: its signal, and the time in milliseconds since 1970. */
export interface Deadline {
  signal: AbortSignal
  endsAt: number
}

/**
 * Runs work with a signal that aborts with the caller's signal or after `timeoutMs`. Removes its listener from the
 * caller's signal afterwards: `AbortSignal.any` leaks memory in some versions of Node.
 */
export const within = async <T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> => {
  signal?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(noAnswer('timeout')), Math.min(timeoutMs, timerMsMax))
  signal?.addEventListener('abort', abort)
  try {
    return await work({ signal: controller.signal, endsAt: Date.now() + timeoutMs })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Waits for shared work. An abort ends the wait, not the work. */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const settled = () => signal.removeEventListener('abort', abort)
    work.finally(settled).then(resolve, reject)
  })

type Timer = ReturnType<typeof setTimeout>
type StartTimer = (run: () => void, ms: number) => Timer

/** Starts a timer that does not keep a Node process running. */
export const startBackgroundTimer: StartTimer = (run, ms) => {
  const timer = setTimeout(run, ms)
  // In browsers, a timer is a number.
  ;(timer as { unref?: () => void }).unref?.()
  return timer
}

export const sleep = (ms: number, signal?: AbortSignal, start: StartTimer = setTimeout): Promise<void> => {
  let timer: Timer
  const work = new Promise<void>((resolve) => {
    timer = start(resolve, ms)
  })
  return signal ? abortable(work, signal).finally(() => clearTimeout(timer)) : work
}

/** A random pause of at most 250 ms, 500 ms, 1 s … 8 s, so that clients that failed together do not retry together. */
export const backoffMs = (attempt: number): number => Math.random() * Math.min(8000, 250 * 2 ** attempt)
