import { useState } from 'react'
import { useStop } from './use-stop.ts'

export interface BulkFailure<T> {
  item: T
  error: unknown
}

export interface BulkState<T> {
  done: number
  total: number
  failures: BulkFailure<T>[]
  isRunning: boolean
}

const idle = { done: 0, total: 0, failures: [], isRunning: false }

/** Calls `run` for many items, one by one. Resolves to the items that succeeded. Leaving the page stops it. */
export const useBulk = <T>() => {
  const [state, setState] = useState<BulkState<T>>(idle)
  const { begin, stop } = useStop()

  const run = async (items: T[], work: (item: T) => Promise<unknown>): Promise<T[]> => {
    const signal = begin()
    const failures: BulkFailure<T>[] = []
    const worked: T[] = []
    const show = (isRunning: boolean): void => {
      const done = worked.length + failures.length
      setState({ done, total: items.length, failures: [...failures], isRunning })
    }
    const onSettled = (item: T, error: unknown): void => {
      if (error === undefined) worked.push(item)
      else failures.push({ item, error })
      show(true)
    }
    show(true)
    await runEach(items, work, { atOnce: 1, signal, onSettled })
    show(false)
    return worked
  }

  return { state, run, stop, clear: () => setState(idle) }
}

interface RunEach<T> {
  atOnce: number
  /** After an abort no further item starts, and `runEach` waits for running items. */
  signal: AbortSignal
  onSettled: (item: T, error: unknown) => void
}

/** Runs `run` for many items, one request each. A failure does not stop the rest. */
export const runEach = async <T>(
  items: T[],
  work: (item: T) => Promise<unknown>,
  { atOnce, signal, onSettled }: RunEach<T>,
): Promise<void> => {
  const queue = items.values()
  const runNext = async (): Promise<void> => {
    const next = signal.aborted ? undefined : queue.next()
    if (!next || next.done) return
    const { value: item } = next
    await work(item).then(
      () => onSettled(item, undefined),
      (error: unknown) => onSettled(item, error),
    )
    await runNext()
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
}
