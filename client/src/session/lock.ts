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
export type Alone = <T>(work: (wrote: () => void) => Promise<T>) => Promise<T>

/**
 * The lock is kept this long after a write: a browser tells the processes of other tabs of a new localStorage value more
 * slowly than it passes on the lock. Without the pause, both tabs of the browser test refreshed in one of five rounds.
 */
const settleMs = 100

/** Alone among all tabs. Work whose lock stays away, because a frozen tab holds it, steals the lock or runs without it. */
const aloneByWebLock =
  (locks: Locks, name: string, patienceMs: number): Alone =>
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
      // The request of a stolen lock rejects, too. Its work runs on to its end.
      const unlessBegun = (next: () => Promise<void>) => () => (isBegun ? undefined : next())
      void locks
        .request(name, { signal: AbortSignal.timeout(patienceMs) }, underLock)
        .catch(unlessBegun(() => locks.request(name, { steal: true }, underLock)))
        .catch(unlessBegun(underLock))
    })

/** Alone within this client. */
const aloneHere = (): Alone => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => work(() => undefined))
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * The lock of all clients that share the storage of this name. Pages outside a secure context and Node before 24 have no Web
 * Locks; there, the lock covers this client only. `patienceMs` exceeds the time that a refresh takes.
 */
export const createLock = (name: string | undefined, patienceMs = 30_000): Alone => {
  const locks = (globalThis as Platform).navigator?.locks
  return name !== undefined && locks ? aloneByWebLock(locks, name, patienceMs) : aloneHere()
}
