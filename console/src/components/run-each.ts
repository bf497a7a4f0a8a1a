import { ApiError } from '@tenantry/client'

interface RunEach<T> {
  /** How many at once. */
  atOnce: number
  /** When it aborts, what has been sent is waited for, and no more sent. */
  signal: AbortSignal
  onSettled: (item: T, error: unknown) => void
}

const attemptsMax = 5

/** Seconds to wait before the same again, where the service has refused before doing anything: only then is it safe. */
const waitBefore = (error: unknown): number | undefined =>
  error instanceof ApiError && ['tooManyRequests', 'overloaded'].includes(error.reason)
    ? (error.retryAfterSeconds ?? 1)
    : undefined

const sleep = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })

/**
 * Does the same to many: the API has no bulk endpoints, and the SDK sends a write once. When the service asks to wait,
 * all wait; a failure does not stop the rest.
 */
export const runEach = async <T>(
  items: T[],
  work: (item: T) => Promise<unknown>,
  { atOnce, signal, onSettled }: RunEach<T>,
): Promise<void> => {
  let pause = Promise.resolve()

  /** False when it was not done, since all has ended while it waited. */
  const attempt = async (item: T, tried = 1): Promise<boolean> => {
    await pause
    if (signal.aborted) return false
    try {
      await work(item)
      return true
    } catch (error) {
      const seconds = waitBefore(error)
      if (seconds === undefined || tried === attemptsMax) throw error
      pause = sleep(seconds, signal)
      return attempt(item, tried + 1)
    }
  }

  const queue = items.values()
  const runNext = async (): Promise<void> => {
    const { value: item, done } = signal.aborted ? { value: undefined, done: true } : queue.next()
    if (done) return
    await attempt(item as T).then(
      (isDone) => isDone && onSettled(item as T, undefined),
      (error: unknown) => onSettled(item as T, error),
    )
    await runNext()
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
}
