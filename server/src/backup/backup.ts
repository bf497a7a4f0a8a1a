import { copyFileSync, existsSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { requireWritable, writeArchive, type OnProgress } from '../archive.ts'
import type { Config } from '../config/config.ts'
import { copyFolder, databaseFolder, secretKeyFile } from '../db/embedded.ts'
import { openSnapshots } from '../db/open.ts'
import { askForCopy, copyDatabase, isControlPathTooLong, type DatabaseCopy } from './control.ts'

export type Stores = Pick<Config, 'databaseUrl' | 'dataDir'>

/** Throws when the store is PostgreSQL, which has backup commands of its own. */
export const refusePostgres = ({ databaseUrl }: Stores, command: string): void => {
  if (databaseUrl === undefined) return
  throw new Error(
    `DATABASE_URL is set, and this is for the embedded database: use ${command} (docs/operating.md, Backups)`,
  )
}

/**
 * Writes a backup of the embedded database into a new file, even while the service runs. It contains everything
 * committed before the command began. Throws an Error of one line. Returns the line to print.
 */
export const backUp = async (
  config: Stores,
  target: string,
  { withSecretKey }: { withSecretKey: boolean },
  onProgress: OnProgress,
): Promise<string> => {
  const { dataDir } = config
  const file = resolve(target)
  refusePostgres(config, 'pg_dump')
  requireWritable(file)
  refuseInside(file, dataDir)
  if (!existsSync(databaseFolder(dataDir))) throw new Error(`there is no database in ${dataDir}`)
  const { migrations, release } = (await askForCopy(dataDir)) ?? (await copyOfStopped(dataDir))
  const removeCopy = () => rmSync(copyFolder(dataDir), { recursive: true, force: true })
  process.once('exit', removeCopy)
  try {
    const key = secretKeyFile(dataDir)
    if (withSecretKey) copyFileSync(key, join(copyFolder(dataDir), basename(key)))
    const contents = { kind: 'tenantry-backup', about: { migrations } } as const
    const { files } = await writeArchive(file, copyFolder(dataDir), contents, onProgress)
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    return `wrote ${file}: ${Math.ceil(bytes / 1e6)} MB of database, with password hashes; ${keyNote(key, withSecretKey)}`
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    throw new Error('the service was started anew meanwhile: begin the backup again', { cause: err })
  } finally {
    removeCopy()
    process.off('exit', removeCopy)
    await release()
  }
}

const keyNote = (key: string, withSecretKey: boolean): string =>
  withSecretKey
    ? 'it holds the secret key too: keep it locked away'
    : `without the secret key: keep a copy of ${key} elsewhere`

/** Refuses a backup inside the data folder: it would be lost with the data, and the next backup would contain it. */
const refuseInside = (file: string, dataDir: string): void => {
  if (!existsSync(dataDir)) return
  const path = relative(realpathSync(dataDir), realpathSync(dirname(file)))
  if (!isAbsolute(path) && path.split(sep)[0] !== '..') {
    throw new Error(`${file} would lie in the data folder: name a place outside of it`)
  }
}

/** Copies the database while no service runs. The folder stays locked until the copy is packed. */
const copyOfStopped = async (dataDir: string): Promise<DatabaseCopy> => {
  const { snapshot, close } = await openSnapshots(dataDir).catch((err: unknown) => {
    if (!isControlPathTooLong(dataDir)) throw err
    const { message } = err as Error
    throw new Error(`${message} (its path is too long for the socket that would take a backup meanwhile)`)
  })
  try {
    const { migrations } = await copyDatabase(dataDir, snapshot)
    return { migrations, release: close }
  } catch (err) {
    await close()
    throw err
  }
}
