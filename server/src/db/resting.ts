import { setTimeout as sleep } from 'node:timers/promises'

/** Rows of one transaction of a long deletion: some three milliseconds (docs/decisions/0082-a-purge-rests.md). */
export const batchRows = 100

/** Runs one batch and rests for twice its duration, which leaves most of the time to other work. */
export const thenRest = async <T>(batch: () => Promise<T>): Promise<T> => {
  const startedAt = performance.now()
  const result = await batch()
  await sleep(2 * (performance.now() - startedAt))
  return result
}
