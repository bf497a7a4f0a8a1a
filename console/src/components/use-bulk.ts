import { useState } from 'react'

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

/**
 * Does the same to many, one after the other: the API has no bulk endpoint, and the order makes plain where it stopped.
 * A failure does not stop the rest; `run` gives those that worked.
 */
export const useBulk = <T>() => {
  const [state, setState] = useState<BulkState<T>>(idle)

  const run = async (items: T[], work: (item: T) => Promise<unknown>): Promise<T[]> => {
    const failures: BulkFailure<T>[] = []
    const worked: T[] = []
    const show = (done: number) =>
      setState({ done, total: items.length, failures: [...failures], isRunning: done < items.length })
    show(0)
    for (const [index, item] of items.entries()) {
      try {
        await work(item)
        worked.push(item)
      } catch (error) {
        failures.push({ item, error })
      }
      show(index + 1)
    }
    return worked
  }

  return { state, run, clear: () => setState(idle) }
}
