/** Applications on a database of their own, or of other parts than the shared one of the harness. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { clock, parts as sharedParts, type Running } from './harness.ts'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config/config.ts'
import type { Parts } from '../src/context.ts'
import { makeMigratedDatabase } from './templates.ts'
import { createDatabase, dropDatabase } from '../../lab/databases.ts'
import { secretEnv, serverUrl } from './test-database.ts'
import { createLogger } from '../src/log.ts'
import { closeParts, openParts } from '../src/start/parts.ts'
import { builtInTenant } from '../src/access/permissions.ts'

/** Starts an application of other parts than the shared one. The caller closes it. */
export const startOn = async (changes: Partial<Parts>): Promise<Running> => {
  const app = await buildApp({ ...sharedParts, ...changes })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, routes: [], url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

/** A whole installation of its own, on a new database of the engine under test. */
export interface Installation {
  parts: Parts
  /** Removes every user and account: nobody has registered yet. */
  empty(): Promise<void>
  remove(): Promise<void>
}

export const openInstallation = async (env: Record<string, string> = {}): Promise<Installation> => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-installation-'))
  const database = `tenantry_auth_${randomUUID().slice(0, 8)}`
  const databaseUrl = serverUrl && (await createDatabase(serverUrl, database))
  if (!serverUrl) await makeMigratedDatabase(join(folder, 'data'))
  const config = readConfig({
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...secretEnv,
    TENANTRY_DATA_DIR: join(folder, 'data'),
    TENANTRY_BCRYPT_COST: '4',
    TENANTRY_RATE_LIMIT: 'off',
    TENANTRY_FIRST_USER_ADMIN: 'true',
    ...env,
  })
  const parts = await openParts(config, createLogger('fatal'), clock.now)
  return {
    parts,
    empty: () => removeUsers(parts),
    async remove() {
      await closeParts(parts)
      if (serverUrl) await dropDatabase(serverUrl, database)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const removeUsers = (parts: Parts): Promise<void> =>
  parts.store.transaction({ tenantId: builtInTenant.id }, async (db) => {
    await db.run(sql`delete from users where tenant_id = ${builtInTenant.id}`)
    await db.run(sql`delete from accounts`)
  })
