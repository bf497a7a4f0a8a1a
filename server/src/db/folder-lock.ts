import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Takes the folder for this process alone and returns what gives it back. The lock is SQLite's on a file of the
 * folder: the operating system drops it with the process, however that ends, and it holds across containers on one
 * machine, where a process id in a file would mean nothing. Throws when another process has it.
 */
export function lockFolder(dir: string): () => void {
  const lock = new DatabaseSync(join(dir, 'tenantry.lock'), { timeout: 0 })
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (err) {
    lock.close()
    const { errcode, message } = err as { errcode?: number; message: string }
    // oxlint-disable-next-line preserve-caught-error -- the message says it all, and to an operator
    throw new Error(
      errcode === sqliteBusy
        ? `the data folder ${dir} is in use by another Tenantry: stop that one, or set DATABASE_URL for several`
        : `the data folder ${dir} cannot be locked: ${message}`,
    )
  }
  return () => lock.close()
}

const sqliteBusy = 5
