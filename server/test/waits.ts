/** Waits that do not depend on the speed of the machine. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'

/**
 * Repeats a check until it passes, and returns its value. The bound only ends a test that would never pass: it is far
 * above what a busy machine needs.
 */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })

/**
 * Stops the clock of the limits on requests, which count by the minute: a slow machine sends thousands of requests within
 * one minute, too. Lasts until `vi.useRealTimers()`.
 */
export const stopMinutes = () => vi.useFakeTimers({ toFake: ['Date', 'setTimeout'], now: Date.now() })

/** Whether a call ends before a timer that starts with it. A busy machine delays both alike. */
export const endsWithin = async (ms: number, call: () => unknown): Promise<boolean> => {
  const expired = sleep(ms).then(async () => {
    // A call whose own timer is due as well ends in one of the next two turns.
    await nextTurn()
    await nextTurn()
    return false
  })
  return Promise.race([Promise.resolve(call()).then(() => true), expired])
}
