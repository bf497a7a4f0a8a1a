/** The open streams of this process, within the limits. */
import { AppError } from '../../../errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import type { Metrics } from '../../../metrics.ts'
import type { Listener } from './listener.ts'

/** Limits of open streams (docs/contract.md, "Live stream"). */
const perCredentialMax = 5
const perTenantMax = 1000
const perProcessMax = 10_000
/** The delay until a client beyond the limits may retry. */
const retryAfterSeconds = 5

export interface Registry {
  listeners: ReadonlySet<Listener>
  /** Throws 429 when the caller, the tenant or the process has its maximum of streams. */
  requireRoom(ctx: Ctx): void
  /** Counts a stream until its connection closes. */
  add(listener: Listener): void
}

const namesOf = ({ actor, tenantId }: Ctx) => ({
  credential: `${actor.tenantId} ${actor.credential?.id}`,
  tenant: tenantId,
})

export const createRegistry = ({ streams }: Pick<Metrics, 'streams'>): Registry => {
  const listeners = new Set<Listener>()
  const counts = new Map<string, number>()

  const count = (names: string[], by: 1 | -1): void => {
    streams.inc(by)
    for (const name of names) {
      const sum = (counts.get(name) ?? 0) + by
      if (sum === 0) counts.delete(name)
      else counts.set(name, sum)
    }
  }

  const requireBelow = (open: number, max: number, of: string): void => {
    if (open < max) return
    throw new AppError('tooManyRequests', `${max} streams of this ${of} are open. Close one first`, {
      retryAfterSeconds,
    })
  }

  return {
    listeners,
    requireRoom(ctx) {
      const { credential, tenant } = namesOf(ctx)
      requireBelow(counts.get(credential) ?? 0, perCredentialMax, 'session or key')
      requireBelow(counts.get(tenant) ?? 0, perTenantMax, 'tenant')
      requireBelow(listeners.size, perProcessMax, 'process')
    },
    add(listener) {
      const names = Object.values(namesOf(listener.ctx))
      count(names, 1)
      listeners.add(listener)
      listener.line.onClose(() => {
        listener.isClosed = true
        listeners.delete(listener)
        count(names, -1)
      })
    },
  }
}
