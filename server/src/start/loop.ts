import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

interface Loop {
  /** The log line for a failure. */
  failure: string
  /** Returns failures by tenant, or throws. The signal aborts when the loop must stop. */
  round: (signal: AbortSignal) => Promise<ReadonlyMap<string, unknown> | void>
  /** The pause after a round. */
  pauseMs: () => number
  /** After a wake, a longer pause lasts only this long. */
  wokenMs?: number
}

interface RunningLoop {
  /** Ends a long pause: the next round has work. */
  wake: () => void
  /** Stops the loop. Resolves when no round is in progress. */
  stop: () => Promise<void>
}

/** A pause that the signal ends. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (ms > 0) await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}

/**
 * Repeats a round until the loop is stopped. Logs a failure once, until a round succeeds or fails for another reason.
 */
export const startLoop = (
  log: Logger,
  { failure, round, pauseMs, wokenMs = Infinity }: Loop,
): RunningLoop => {
  let waking = new AbortController()
  const stopping = new AbortController()
  const { signal } = stopping
  let logged = new Map<string | undefined, string>()
  const report = (failures: Iterable<[string | undefined, unknown]>): void => {
    const texts = new Map<string | undefined, string>()
    for (const [tenantId, err] of failures) {
      texts.set(tenantId, String(err))
      if (!signal.aborted && logged.get(tenantId) !== String(err)) log.error({ err, tenantId }, failure)
    }
    logged = texts
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      waking = new AbortController()
      try {
        report((await round(signal)) ?? [])
      } catch (err) {
        report([[undefined, err]])
      }
      const ms = pauseMs()
      await pause(Math.min(ms, wokenMs), signal)
      await pause(ms - wokenMs, waking.signal)
    }
  }
  const running = run()
  return {
    // With a reason of its own, because Node otherwise makes an error with a stack for each wake.
    wake: () => waking.abort('woken'),
    stop: () => {
      stopping.abort()
      waking.abort()
      return running
    },
  }
}
