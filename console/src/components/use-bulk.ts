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

/** The most items of one request that changes many. */
const togetherMax = 100

const partsOf = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  )

/** Changes many items. Each run resolves to the items that succeeded. Leaving the page stops it. */
export const useBulk = <T>() => {
  const [state, setState] = useState<BulkState<T>>(idle)
  const { begin, stop } = useStop()

  const runParts = async (parts: T[][], work: (part: T[]) => Promise<unknown[]>): Promise<T[]> => {
    const signal = begin()
    const failures: BulkFailure<T>[] = []
    const worked: T[] = []
    const total = parts.flat().length
    const show = (isRunning: boolean): void => {
      const done = worked.length + failures.length
      setState({ done, total, failures: [...failures], isRunning })
    }
    const change = async (part: T[]): Promise<void> => {
      const errors = await work(part).catch((error: unknown) => part.map(() => error))
      for (const [index, item] of part.entries()) {
        if (errors[index] === undefined) worked.push(item)
        else failures.push({ item, error: errors[index] })
      }
      show(true)
    }
    show(true)
    for (const part of parts) if (!signal.aborted) await change(part)
    show(false)
    return worked
  }

  /** Calls `work` for the items, one by one. */
  const run = (items: T[], work: (item: T) => Promise<unknown>): Promise<T[]> =>
    runParts(partsOf(items, 1), async (part) => {
      await Promise.all(part.map(work))
      return []
    })
  /** Calls `work` for up to 100 items at once. It resolves to the error of each; undefined where there is none. */
  const runTogether = (items: T[], work: (part: T[]) => Promise<unknown[]>): Promise<T[]> =>
    runParts(partsOf(items, togetherMax), work)

  return { state, run, runTogether, stop, clear: () => setState(idle) }
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
