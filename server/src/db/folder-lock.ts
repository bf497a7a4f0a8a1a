import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { FolderInUse, folderFault } from './data-folder.ts'

/**
 * Loads SQLite with the first lock, because PostgreSQL needs no lock. Node 22 then warns that its SQLite is
 * experimental. The lock uses only a transaction (decision 0001), so the warning does not concern an operator.
 */
const loadSqlite = () => {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Locks the folder for this process, and returns a function that unlocks it. SQLite locks a file in the folder. The
 * operating system releases the lock when the process ends. The lock also works across containers of one machine, which
 * do not share process ids. Throws FolderInUse if another process has the lock, and FolderFault if locking fails.
 */
export function lockFolder(dir: string): () => void {
  let lock: DatabaseSync | undefined
  try {
    lock = new (loadSqlite().DatabaseSync)(join(dir, 'tenantry.lock'), { timeout: 0 })
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (err) {
    lock?.close()
    throw (err as { errcode?: number }).errcode === sqliteBusy ? new FolderInUse(dir) : folderFault(dir, err)
  }
  return () => lock.close()
}

const sqliteBusy = 5
