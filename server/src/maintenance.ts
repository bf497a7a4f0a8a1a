import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from './context.ts'
import { deleteOldKeys } from './crypto/keys.ts'
import { expireAuditLogs } from './features/audit/retention.service.ts'
import { sealWaiting } from './features/audit/seal.service.ts'
import { sweepSessions } from './features/sessions/sessions.service.ts'
import { purgeRemovedTenants } from './features/tenants/purge.service.ts'
import { systemCtx } from './parts.ts'

/** What waits for it is already out of reach: it only takes up room. */
const periodMs = 10 * 60_000
/** How long an audit record waits to be sealed: until then nobody could tell that it was altered. */
const sealingMs = 1000

/** Each on its own: what one of them cannot do holds up none of the others. */
const tasks: Record<string, (parts: Parts) => Promise<void>> = {
  'purging removed tenants': purgeRemovedTenants,
  'sweeping out expired sessions': sweepSessions,
  'deleting expired audit records': (parts) => expireAuditLogs(systemCtx(parts, 'maintenance')),
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

/**
 * Seals audit records every second, at the same moment in all replicas, by their clocks: together they seal a tenant once a
 * second, however many they are. Returns how to stop it: resolves when nothing of it is under way.
 */
export const startSealing = (parts: Parts): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  // By tenant: the same failure is not told every second.
  let told = new Map<string, string>()
  const round = async () => {
    const failures = await sealWaiting(parts, () => signal.aborted)
    for (const [tenantId, err] of failures) {
      if (signal.aborted || told.get(tenantId) === String(err)) continue
      parts.log.error({ err, tenantId }, 'sealing the audit log failed; it is tried again every second')
    }
    told = new Map([...failures].map(([tenantId, err]) => [tenantId, String(err)]))
  }
  const run = async () => {
    while (!signal.aborted) {
      await round()
      await sleep(sealingMs - (Date.now() % sealingMs), undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return () => {
    stopping.abort()
    return running
  }
}
