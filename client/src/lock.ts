import { sleep } from './waiting.ts'

/** As much of Web Locks as is used. */
interface Platform {
  navigator?: { locks?: { request(name: string, work: () => Promise<void>): Promise<void> } }
}

/**
 * How long the lock is kept after the storage was written: a browser brings localStorage to the processes of its other tabs
 * on another way than the lock, and slower. Without it, two tabs of the browser test both refreshed in one of five rounds.
 */
const settleMs = 100

/**
 * Does work alone among all who share the storage of this name, where the platform can; else at once, which is alone in
 * this client. The work calls `wrote` before it writes the storage.
 */
export const alone = <T>(
  lockName: string | undefined,
  work: (wrote: () => void) => Promise<T>,
): Promise<T> => {
  // Absent in pages that are not served securely, and in Node before 24.
  const locks = (globalThis as Platform).navigator?.locks
  if (lockName === undefined || !locks) return work(() => undefined)
  return new Promise((resolve, reject) => {
    const underLock = async (): Promise<void> => {
      let isWritten = false
      const done = work(() => {
        isWritten = true
      })
      // Whoever waits for the outcome has it now; the lock goes on a little later.
      done.then(resolve, reject)
      await done.catch(() => undefined)
      if (isWritten) await sleep(settleMs)
    }
    locks.request(lockName, underLock).catch(reject)
  })
}
