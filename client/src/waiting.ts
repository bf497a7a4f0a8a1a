import { noAnswer } from './errors.ts'

/** The longest that a timer can wait, 24 days: what is longer would end at once. */
const timerMsMax = 2 ** 31 - 1

/** Until when a call may go on. */
export interface Deadline {
  signal: AbortSignal
  endsAt: number
}

/**
 * Does work with a signal that aborts with the caller's own, or when the time is up; afterwards the caller's holds nothing
 * of it, however long it lives (with `AbortSignal.any` it does in some versions of Node).
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
