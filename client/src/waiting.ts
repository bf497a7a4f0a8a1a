import { noAnswer } from './errors.ts'

/** A signal that aborts with the caller's own, or when the time is up; `stop` lets go of the timer. */
export const startDeadline = (timeoutMs: number, signal?: AbortSignal) => {
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(noAnswer('timeout')), timeoutMs)
  return {
    signal: signal ? AbortSignal.any([signal, timer.signal]) : timer.signal,
    endsAt: Date.now() + timeoutMs,
    stop: () => clearTimeout(timeout),
  }
}

/** Waits for work that others wait for too: an abort ends the waiting, not the work. */
export const abortable = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const settled = () => signal.removeEventListener('abort', abort)
    work.finally(settled).then(resolve, reject)
  })

export const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout>
  const work = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return signal ? abortable(work, signal).finally(() => clearTimeout(timer)) : work
}

/** Full jitter: many clients that failed together do not come back together. At most 250 ms, 500 ms, 1 s … 8 s. */
export const backoffMs = (attempt: number): number => Math.random() * Math.min(8000, 250 * 2 ** attempt)
