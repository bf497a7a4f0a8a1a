import type { Parts } from './context.ts'
import { deleteOldKeys } from './crypto/keys.ts'
import { sweepSessions } from './features/sessions/sessions.service.ts'
import { purgeRemovedTenants } from './features/tenants/purge.service.ts'

/** What waits for it is already out of reach: it only takes up room. */
const periodMs = 10 * 60_000

const maintain = async (parts: Parts): Promise<void> => {
  await purgeRemovedTenants(parts)
  await sweepSessions(parts)
  await deleteOldKeys(parts.store, parts.now())
}

/** Cleans up at start and every ten minutes: also what a crash interrupted. Returns how to stop it. */
export const startMaintenance = (parts: Parts): (() => void) => {
  let isStopped = false
  const run = () =>
    maintain(parts).catch((err: unknown) => {
      if (!isStopped) parts.log.error({ err }, 'cleaning up failed; it is tried again in ten minutes')
    })
  const timer = setInterval(() => void run(), periodMs)
  timer.unref()
  void run()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
