/** Users seen within 5 minutes are online (docs/contract.md, "Dashboard"). */
export const onlineMs = 5 * 60_000

/**
 * The most online users that one process remembers, over all tenants. They take 5 MB, or 27 MB with one tenant each
 * (measured).
 */
const usersMax = 100_000

/** The users that this process has seen. */
export interface Presence {
  touch: (tenantId: string, userId: number) => void
  count: (tenantId: string) => number
  /** At most `max` users, the last active ones. */
  list: (tenantId: string, max: number) => number[]
  forget: (tenantId: string, userId: number | undefined) => void
}

/** Milliseconds of each user's last request, oldest first. */
type LastSeen = Map<number, number>

/** Presence in this process's memory. The last request orders both maps, so that expired entries are in front. */
export function createPresence(clock: () => number): Presence {
  const tenants = new Map<string, LastSeen>()
  let size = 0

  function remove(tenantId: string, seen: LastSeen, userId: number): void {
    if (seen.delete(userId)) size -= 1
    if (seen.size === 0) tenants.delete(tenantId)
  }

  function trim(tenantId: string, seen: LastSeen): void {
    const bound = clock() - onlineMs
    for (const [userId, seenAt] of seen) {
      if (seenAt > bound && size <= usersMax) return
      remove(tenantId, seen, userId)
    }
  }

  function trimOldestTenants(): void {
    for (const [tenantId, seen] of tenants) {
      trim(tenantId, seen)
      if (seen.size > 0) return
    }
  }

  function online(tenantId: string): LastSeen {
    const seen: LastSeen = tenants.get(tenantId) ?? new Map()
    trim(tenantId, seen)
    return seen
  }

  return {
    touch(tenantId, userId) {
      const seen: LastSeen = tenants.get(tenantId) ?? new Map()
      if (seen.delete(userId)) size -= 1
      seen.set(userId, clock())
      size += 1
      tenants.delete(tenantId)
      tenants.set(tenantId, seen)
      trimOldestTenants()
      trim(tenantId, seen)
    },
    count: (tenantId) => online(tenantId).size,
    list: (tenantId, max) => [...online(tenantId).keys()].slice(-max),
    forget(tenantId, userId) {
      const seen = tenants.get(tenantId)
      if (!seen) return
      for (const id of userId === undefined ? [...seen.keys()] : [userId]) remove(tenantId, seen, id)
    },
  }
}
