import type { Parts } from './context.ts'
import { deleteOldKeys } from './crypto/keys.ts'
import { sweepSessions } from './features/sessions/sessions.service.ts'
import { purgeRemovedTenants } from './features/tenants/purge.service.ts'

/** What waits for it is already out of reach: it only takes up room. */
const periodMs = 10 * 60_000

/** Each on its own: what one of them cannot do holds up none of the others. */
const tasks: Record<string, (parts: Parts) => Promise<void>> = {
  'purging removed tenants': purgeRemovedTenants,
  'sweeping out expired sessions': sweepSessions,
  'deleting old keys': (parts) => deleteOldKeys(parts.store, parts.now()),
}

/** Cleans up at start and every ten minutes: also what a crash interrupted. Returns how to stop it. */
export const startMaintenance = (parts: Parts): (() => void) => {
  let isStopped = false
  const run = () => {
    for (const [name, task] of Object.entries(tasks)) {
      task(parts).catch((err: unknown) => {
        if (!isStopped) parts.log.error({ err }, `${name} failed; it is tried again in ten minutes`)
      })
    }
  }
  const timer = setInterval(run, periodMs)
  timer.unref()
  run()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
