import type { Cache, Invalidation } from './cache.ts'
import { createMemoryLimiter } from './limiter.ts'
import { createPresence } from './presence.ts'
import { inBackground } from '../traced-steps.ts'

/**
 * The cache of a single process. On PostgreSQL, other processes can use the same database, and no channel reports their
 * changes. Then `isAlone` is false.
 */
export function openMemoryCache(now: () => Date, isAlone = true): Cache {
  const presence = createPresence(() => now().getTime())
  const listeners: ((change: Invalidation | undefined) => void)[] = []
  return {
    kind: 'in-process',
    ...createMemoryLimiter(now),
    ping: async () => 'up',
    publish: async (change) => {
      inBackground(() => listeners.forEach((listener) => listener(change)))
    },
    subscribe: (listener) => void listeners.push(listener),
    isHearing: () => isAlone,
    touch: presence.touch,
    countOnline: async (tenantId) => presence.count(tenantId),
    listOnline: async (tenantId, max) => presence.list(tenantId, max),
    forgetPresence: async (tenantId, userId) => presence.forget(tenantId, userId),
    close: async () => undefined,
  }
}
