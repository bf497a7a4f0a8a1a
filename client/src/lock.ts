import { sleep } from './waiting.ts'

/** As much of Web Locks as is used. */
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

/** Does work when all that began before it has ended. The work calls `wrote` when it has written the storage. */
export type Alone = <T>(work: (wrote: () => void) => Promise<T>) => Promise<T>

/**
 * How long the lock is kept after the storage was written: a browser brings localStorage to the processes of its other tabs
 * on another way than the lock, and slower. Without it, two tabs of the browser test both refreshed in one of five rounds.
 */
const settleMs = 100

/** Alone among all tabs. A lock that nobody gives, or not for long, since its tab was frozen, is done without. */
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
        // Whoever waits for the outcome has it now; the lock goes on a little later.
        done.then(resolve, reject)
        await done.catch(() => undefined)
        if (isWritten) await sleep(settleMs)
      }
      // A lock that is stolen from here rejects, too; the work goes on to its end.
      const unlessBegun = (next: () => Promise<void>) => () => (isBegun ? undefined : next())
      void locks
        .request(name, { signal: AbortSignal.timeout(patienceMs) }, underLock)
        .catch(unlessBegun(() => locks.request(name, { steal: true }, underLock)))
        .catch(unlessBegun(underLock))
    })

/** Alone in this client. */
const aloneHere = (): Alone => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(() => work(() => undefined))
    last = turn.catch(() => undefined)
    return turn
  }
}

/**
 * The lock of all who share the storage of this name, where the platform has one: pages that are not served securely have
 * none, nor has Node before 24. More patience than a refresh takes.
 */
export const createLock = (name: string | undefined, patienceMs = 30_000): Alone => {
  const locks = (globalThis as Platform).navigator?.locks
  return name !== undefined && locks ? aloneByWebLock(locks, name, patienceMs) : aloneHere()
}
