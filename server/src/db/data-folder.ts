/**
 * Errors about the data folder, as an operator reads them. Errors of Node and SQLite name neither the folder nor a
 * remedy.
 */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { reason } from './errors.ts'

/** The data folder cannot be used. The message names the folder. */
export class FolderFault extends Error {}

/** Another process has the folder open. */
export class FolderInUse extends FolderFault {
  constructor(dir: string) {
    super(
      `the data folder ${dir} is in use by another Tenantry: stop that one, or set DATABASE_URL for several`,
    )
  }
}

/** The room that a new database, or a segment of its log, needs. */
const roomMiB = 64

const isFull = (dir: string): boolean => {
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize < roomMiB * 2 ** 20
}

const isUnwritable = (dir: string): boolean => {
  try {
    accessSync(dir, constants.W_OK | constants.X_OK)
    return false
  } catch {
    return true
  }
}

const remedyOf = (dir: string): string | undefined => {
  const found = statSync(dir, { throwIfNoEntry: false })
  if (found === undefined) return 'it cannot be made: name another one in TENANTRY_DATA_DIR'
  if (!found.isDirectory()) return 'it is a file: name another one in TENANTRY_DATA_DIR'
  if (isUnwritable(dir)) return 'it is read-only: let the user of the service write there'
  return isFull(dir) ? `its disk has less than ${roomMiB} MiB left: make room there` : undefined
}

/** Throws a FolderFault if the data folder cannot hold a database. Writes nothing. */
export const requireFolder = (dir: string): void => {
  let existing = resolve(dir)
  while (!existsSync(existing)) existing = dirname(existing)
  const remedy = remedyOf(existing)
  if (remedy === undefined) return
  throw new FolderFault(`the data folder ${dir} cannot be used: ${remedy} (${existing})`)
}

/** Explains a failure to open the database in a data folder. */
export const folderFault = (dir: string, err: unknown): FolderFault => {
  if (err instanceof FolderFault) return err
  const remedy = remedyOf(dir)
  // PGlite throws objects without a message.
  const cause = err instanceof Error ? reason(err) : 'the embedded database does not open'
  return new FolderFault(
    `the data folder ${dir} cannot be used: ${remedy === undefined ? cause : `${remedy} (${cause})`}`,
  )
}
