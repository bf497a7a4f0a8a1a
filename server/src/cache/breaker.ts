import type { CacheLog } from './connection.ts'
import { reasonOf } from './connection.ts'
import { inTime } from './deadline.ts'
import { follow, redisStep } from '../traced-steps.ts'

/** The failures in a row that open the breaker. A lower number would react to a single lost connection. */
const failuresMax = 3

/** Protects callers from a failing Redis. A few calls wait 250 ms; later calls use the fallback at once. */
export interface Breaker {
  isOpen(): boolean
  /**
   * Runs `work` against Redis. Runs `fallback` when Redis fails or is late, or when the breaker is open. Traces record
   * the command's name.
   */
  run<T>(command: string, work: () => Promise<T>, fallback: () => T | Promise<T>): Promise<T>
  /** Runs `command` while the breaker is open. An answer closes the breaker. */
  probe(command: () => Promise<unknown>): Promise<void>
}

/** Three failures in a row open the breaker. An answered `probe` closes it. */
export function createBreaker(log: CacheLog): Breaker {
  let failures = 0
  let open = false

  function noteFailure(err: unknown): void {
    failures += 1
    if (open || failures < failuresMax) return
    open = true
    log.warn({ reason: reasonOf(err) }, 'cache: Redis fails, going on with the memory of this process')
  }

  return {
    isOpen: () => open,
    async run(command, work, fallback) {
      if (open) return fallback()
      try {
        const answer = await follow(
          redisStep,
          () => ({ command }),
          () => inTime(work()),
        )
        failures = 0
        return answer
      } catch (err) {
        noteFailure(err)
        return fallback()
      }
    },
    async probe(command) {
      if (!open) return
      try {
        await inTime(command())
      } catch {
        return
      }
      failures = 0
      open = false
      log.info({}, 'cache: Redis is back')
    },
  }
}
