import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type } from '../values/type.ts'
import { checkOf } from '../values/check.ts'
import { readArchive, type Manifest, type OnProgress } from '../archive.ts'
import { databaseFolder, restoreFolder, secretKeyFile } from '../db/embedded.ts'
import { lockFolder } from '../db/folder-lock.ts'
import { ownNames } from '../db/migrate.ts'
import { refusePostgres, type Stores } from './backup.ts'
import { requireRoom } from './room.ts'

const isAbout = checkOf(Type.Object({ migrations: Type.Array(Type.String()) }))

/**
 * Restores a backup into a data folder without a database. The database appears whole, with every checksum verified,
 * or not at all. Throws an Error of one line. Returns the line to print.
 */
export const restore = async (config: Stores, file: string, onProgress: OnProgress): Promise<string> => {
  const { dataDir } = config
  refusePostgres(config, 'pg_restore')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockFolder(dataDir)
  const unfinished = restoreFolder(dataDir)
  const removeUnfinished = () => rmSync(unfinished, { recursive: true, force: true })
  process.once('exit', removeUnfinished)
  try {
    if (existsSync(databaseFolder(dataDir))) {
      throw new Error(`${dataDir} has a database already: name another folder, or move that one away`)
    }
    removeUnfinished()
    const { created_at: madeAt } = await extract(file, unfinished, onProgress)
    const key = secretKeyFile(dataDir)
    const packed = join(unfinished, basename(key))
    // The key first: a database without its key would not start.
    if (existsSync(packed) && !existsSync(key)) renameSync(packed, key)
    renameSync(join(unfinished, 'postgres'), databaseFolder(dataDir))
    const restored = `restored the backup of ${madeAt} into ${dataDir}; sessions are as they were then`
    return existsSync(key) ? restored : `${restored}. Put its secret key there before the start: ${key}`
  } finally {
    removeUnfinished()
    process.off('exit', removeUnfinished)
    unlock()
  }
}

const extract = async (file: string, folder: string, onProgress: OnProgress): Promise<Manifest> => {
  let manifest: Manifest | undefined
  let done = 0
  let total = 0
  await readArchive(file, 'tenantry-backup', {
    async begin(found) {
      await requireKnown(file, found.about)
      manifest = found
      total = found.files.reduce((sum, { size }) => sum + size, 0)
      mkdirSync(folder, { mode: 0o700 })
      requireRoom(folder, total)
    },
    async folder(path) {
      await mkdir(join(folder, path), { recursive: true, mode: 0o700 })
    },
    async file(path, body) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(body, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
      done += manifest?.files.find((one) => one.path === path)?.size ?? 0
      onProgress(done, total)
    },
  })
  if (!manifest || !existsSync(join(folder, 'postgres', 'PG_VERSION'))) {
    throw new Error(`${file} holds no database`)
  }
  return manifest
}

/** Refuses an unknown schema now; the next start would refuse it with the database already in place. */
const requireKnown = async (file: string, about: unknown): Promise<void> => {
  if (!isAbout(about)) throw new Error(`${file} is damaged: its manifest names no migrations`)
  const own = await ownNames()
  const unknown = about.migrations.filter((name) => !own.includes(name))
  if (unknown.length === 0) return
  throw new Error(
    `${file} is newer than this program (${unknown.join(', ')}): restore it with a newer version`,
  )
}
