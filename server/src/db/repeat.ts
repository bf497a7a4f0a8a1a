import { setTimeout as sleep } from 'node:timers/promises'
import { isStalePlan } from './batch.ts'
import { lostConflict } from './errors.ts'

/**
 * The longest pause after a conflict, in milliseconds. Without a pause the loser can take its locks before the winner
 * wakes.
 */
const pauseMaxMs = 50

/**
 * Repeats a batch or a transaction that PostgreSQL undid: its plan was stale, or it lost a conflict. Throws the error
 * of the last attempt. `failureOf` finds the database's error behind another error.
 */
export async function repeatUndone<T>(
  attempt: () => Promise<T>,
  failureOf: (err: unknown) => unknown = (err) => err,
): Promise<T> {
  for (let repetitions = 0; ; repetitions++) {
    try {
      return await attempt()
    } catch (err) {
      const failure = failureOf(err)
      if (repetitions >= repetitionsMax(failure)) throw err
      if (lostConflict(failure)) await sleep(Math.random() * pauseMaxMs)
    }
  }
}

function repetitionsMax(failure: unknown): number {
  // Batches in flight can prepare further stale names meanwhile.
  if (isStalePlan(failure)) return 10
  return lostConflict(failure) ? 3 : 0
}
