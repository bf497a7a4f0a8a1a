/** The tenants whose lease a replica has (decision 0124). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../../context.ts'
import * as deliveries from './deliveries.store.ts'
import type { DeliveryTurn } from './slice.service.ts'

/**
 * Milliseconds between deliveries. A tenant gets at most 100 a second: 95 in order, and up to 4 by hand
 * (`attempts.service.ts`).
 */
const paceMs = 10.5
/** The age at which the replica renews a lease, which lasts 6 seconds. */
const renewalMs = 1500
/** Without a renewal for this time, the replica sends nothing: the lease may have ended. */
const leaseTrustMs = 4500
/** The replica releases a tenant after this time without deliveries. */
const idleMs = 1000

export interface HeldTenant extends DeliveryTurn {
  running: Set<number>
  /** The time at which the last delivery of the tenant ended. */
  idleSince: number
}

interface Lease extends HeldTenant {
  renewedAt: number
}

export interface Leases {
  /** Leases the tenant, unless another replica has it. */
  take: (tenantId: string) => Promise<HeldTenant | undefined>
  isRunning: (tenantId: string, hookId: number) => boolean
  count: () => number
  /** Renews the leases in time, and releases tenants without deliveries. */
  renew: () => Promise<void>
  /** Sends nothing more. */
  stop: () => void
  giveUpAll: () => Promise<void>
}

const open = (replicaId: string, renewedAt: number, isStopped: () => boolean): Lease => {
  let nextAt = 0
  const lease: Lease = {
    replicaId,
    running: new Set(),
    renewedAt,
    idleSince: renewedAt,
    isMine: () => !isStopped() && performance.now() - lease.renewedAt < leaseTrustMs,
    next: async () => {
      const now = performance.now()
      const at = Math.max(now, nextAt)
      nextAt = at + paceMs
      if (at > now) await sleep(at - now, undefined, { ref: false })
    },
  }
  return lease
}

export const createLeases = ({ store: database }: Pick<Parts, 'store'>, replicaId: string): Leases => {
  const held = new Map<string, Lease>()
  let isStopped = false

  const ask = (tenantId: string) => deliveries.upsertLease(database.scoped({ tenantId }), tenantId, replicaId)

  const giveUp = async (tenantId: string): Promise<void> => {
    held.delete(tenantId)
    await deliveries.deleteLease(database.scoped({ tenantId }), tenantId, replicaId)
  }

  const renewOne = async (tenantId: string, lease: Lease): Promise<void> => {
    const now = performance.now()
    if (lease.running.size === 0 && now - lease.idleSince > idleMs) return giveUp(tenantId)
    if (now - lease.renewedAt < renewalMs) return
    if ((await ask(tenantId)) > 0) {
      lease.renewedAt = now
      return
    }
    lease.renewedAt = -Infinity
    held.delete(tenantId)
  }

  return {
    async take(tenantId) {
      const known = held.get(tenantId)
      if (known) return known
      const now = performance.now()
      if ((await ask(tenantId)) === 0) return undefined
      const lease = open(replicaId, now, () => isStopped)
      held.set(tenantId, lease)
      return lease
    },
    isRunning: (tenantId, hookId) => held.get(tenantId)?.running.has(hookId) ?? false,
    count: () => held.size,
    async renew() {
      await Promise.all([...held].map(([tenantId, lease]) => renewOne(tenantId, lease)))
    },
    stop() {
      isStopped = true
    },
    async giveUpAll() {
      await Promise.all([...held.keys()].map(giveUp))
    },
  }
}
