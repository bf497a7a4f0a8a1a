/**
 * Folders with an embedded database, copied for each test that needs one of its own. Making one takes seconds, so a run
 * makes it once for all its processes. Files are copied and removed synchronously: the service lowers the priority of the
 * threads of asynchronous calls, which a busy machine then starves.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { syncCatalogue } from '../src/access/catalogue.store.ts'
import { openEmbedded } from '../src/db/embedded.ts'
import { openStore } from '../src/db/open.ts'

const variable = 'TEST_TEMPLATES'

/** For vitest, before the processes of a run start: names their common folder. */
export const setup = (): void => {
  process.env[variable] = mkdtempSync(join(tmpdir(), 'tenantry-templates-'))
}

/** For vitest, at the end of a run. */
export const teardown = (): void => rmSync(commonFolder(), { recursive: true, force: true })

const commonFolder = (): string => {
  const folder = process.env[variable]
  if (folder === undefined) throw new Error('vitest.config.ts does not name this file as globalSetup')
  return folder
}

const claim = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
    return false
  }
}

/** The process that claims the folder makes it, and others wait for it. After a failure the next one tries. */
const madeOnce = async (name: string, make: (folder: string) => Promise<void>): Promise<string> => {
  const folder = join(commonFolder(), name)
  while (!existsSync(folder)) {
    if (!claim(`${folder}-claimed`)) {
      await sleep(50)
      continue
    }
    try {
      await make(`${folder}-unfinished`)
      renameSync(`${folder}-unfinished`, folder)
    } catch (err) {
      rmSync(`${folder}-claimed`, { recursive: true })
      throw err
    }
  }
  return folder
}

const emptyDatabase = () =>
  madeOnce('empty', async (folder) => {
    await (await openEmbedded(folder)).close()
  })

const migratedDatabase = () =>
  madeOnce('migrated', async (folder) => {
    await makeEmptyDatabase(folder)
    const log = { info: () => {}, warn: () => {} }
    const config = { databaseUrl: undefined, dataDir: folder }
    await (await openStore(config, { log, afterMigrate: syncCatalogue })).close()
  })

/** Makes a folder with an empty embedded database, like the first start before its migrations. */
export const makeEmptyDatabase = async (folder: string): Promise<void> =>
  cpSync(await emptyDatabase(), folder, { recursive: true })

/** Makes a folder with an embedded database without any key or user, like the first start after its migrations. */
export const makeMigratedDatabase = async (folder: string): Promise<void> =>
  cpSync(await migratedDatabase(), folder, { recursive: true })
