import { sleep } from '../waiting.ts'

/** The part of the Web Locks API that the SDK uses. */
interface Locks {
  request(
    name: string,
    options: { signal: AbortSignal } | { steal: true },
    work: () => Promise<void>,
  ): Promise<void>
}

interface Platform {
  navigator?: { locks?: Locks }
}

/** Runs work after all earlier work has ended. The work calls `wrote` after it has written the storage. */
export type Exclusive = <T>(work: (wrote: () => void) => Promise<T>) => Promise<T>

/**
 * How long the lock is kept after a write. A browser sends a new localStorage value to the processes of other tabs
 * more slowly than it passes on the lock. Without this pause, both tabs of the browser test refreshed in one of five
 * rounds.
 */
const settleMs = 100

/**
 * Excludes all other tabs. If the lock is not granted in time, for example because a frozen tab holds it, the work
 * steals the lock, or runs without it.
 */
const exclusiveByWebLock =
  (locks: Locks, name: string, patienceMs: number): Exclusive =>
  (work) =>
    new Promise((resolve, reject) => {
      let isBegun = false
      const underLock = async (): Promise<void> => {
        isBegun = true
        let isWritten = false
        const done = work(() => {
          isWritten = true
        })
        // Callers get the outcome at once. The lock is released a little later.
        done.then(resolve, reject)
        await done.catch(() => undefined)
        if (isWritten) await sleep(settleMs)
      }
      // The request of a stolen lock rejects as well, but its work runs to its end and must not begin again.
      const unlessBegun = (next: () => Promise<void>) => () => (isBegun ? undefined : next())
      void locks
        .request(name, { signal: AbortSignal.timeout(patienceMs) }, underLock)
        .catch(unlessBegun(() => locks.request(name, { steal: true }, underLock)))
        .catch(unlessBegun(underLock))
    })

/** Excludes other work of this client only. */
const exclusiveHere = (): Exclusive => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => work(() => undefined))
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * The lock of all clients that share the storage of this name. Pages outside a secure context and Node before 24 have
 * no Web Locks: there, the lock covers only this client. `patienceMs` exceeds the duration of a refresh.
 */
export const createLock = (name: string | undefined, patienceMs = 30_000): Exclusive => {
  const locks = (globalThis as Platform).navigator?.locks
  return name !== undefined && locks ? exclusiveByWebLock(locks, name, patienceMs) : exclusiveHere()
}
