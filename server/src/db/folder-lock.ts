import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Locks the folder for this process and returns a function that unlocks it. SQLite locks a file in the folder: the
 * operating system drops the lock with the process, and it holds across containers on one machine, where a process id
 * would mean nothing. Throws when another process holds it.
 */
export function lockFolder(dir: string): () => void {
  const lock = new DatabaseSync(join(dir, 'tenantry.lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (err) {
    lock.close()
    const { errcode, message } = err as { errcode?: number; message: string }
    // oxlint-disable-next-line preserve-caught-error -- the message tells an operator everything
    throw new Error(
      errcode === sqliteBusy
        ? `the data folder ${dir} is in use by another Tenantry: stop that one, or set DATABASE_URL for several`
        : `the data folder ${dir} cannot be locked: ${message}`,
    )
  }
  return () => lock.close()
}

const sqliteBusy = 5
