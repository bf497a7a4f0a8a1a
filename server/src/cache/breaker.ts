import type { CacheLog } from './connection.ts'
import { reasonOf } from './connection.ts'
import { inTime } from './deadline.ts'

/** Failures in a row after which Redis is left alone: fewer would trip over a single lost connection. */
const failuresMax = 3

/** Stands between the cache and Redis, so that a sick Redis costs a few calls 250 ms and the others nothing. */
export interface Breaker {
  isOpen(): boolean
  /** Runs `command` against Redis, or `fallback` when Redis fails, is late or has been given up for now. */
  run<T>(command: () => Promise<T>, fallback: () => T | Promise<T>): Promise<T>
  /** Tries `command` when open, and closes when it is answered. */
  probe(command: () => Promise<unknown>): Promise<void>
}

/** A circuit breaker: three failures in a row open it, an answered `probe` closes it. */
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
    async run(command, fallback) {
      if (open) return fallback()
      try {
        const answer = await inTime(command())
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
