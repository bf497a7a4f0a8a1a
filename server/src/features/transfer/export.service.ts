import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { requireWritable, writeArchive } from '../../archive.ts'
import { inTenant, inTransaction, type Ctx } from '../../context.ts'
import type { Db } from '../../db/client.ts'
import { builtInTenant } from '../../permissions.ts'
import { enterTenant } from '../../tenancy.store.ts'
import { record, recordChange } from '../audit/audit.service.ts'
import type { About } from './transfer.schemas.ts'
import {
  partStores,
  readAlongKeys,
  selectMigrations,
  selectPartRows,
  selectTenantByName,
  type PartName,
} from './transfer.store.ts'

const partNames = Object.keys(partStores) as PartName[]

export interface Exported {
  file: string
  about: About
}

/**
 * Writes all of a tenant but its sessions into a new file, as it is at one moment; the built-in tenant gets a record of
 * it. Throws an Error of one line when there is no such tenant, or the file cannot be written.
 */
export const exportTenant = async (ctx: Ctx, name: string, target: string): Promise<Exported> => {
  const file = resolve(target)
  requireWritable(file)
  const folder = await mkdtemp(join(dirname(file), '.tenantry-export-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  try {
    const about = await ctx.parts.store.reading({}, (db) => writeParts(db, name, folder))
    await recordExport(ctx, about)
    await writeArchive(file, folder, { kind: 'tenantry-tenant', about }, () => {})
    return { file, about }
  } finally {
    removeFolder()
    process.off('exit', removeFolder)
  }
}

const writeParts = async (db: Db, name: string, folder: string): Promise<About> => {
  const tenant = await selectTenantByName(db, name)
  if (!tenant) throw new Error(`there is no tenant with the id or slug ${name}`)
  if (tenant.id === builtInTenant.id) throw new Error('the built-in tenant belongs to its installation')
  await enterTenant(db, tenant.id)
  await readAlongKeys(db)
  const counts: About['counts'] = {}
  for (const part of partNames) counts[part] = await writePart(db, part, tenant.id, folder)
  const migrations = await selectMigrations(db)
  return { tenant, counts, migrations: migrations.map((one) => one.name) }
}

/** Batch after batch: what is in memory, and how long a statement takes, does not depend on the size of the tenant. */
const writePart = async (db: Db, part: PartName, tenantId: string, folder: string): Promise<number> => {
  const output = createWriteStream(join(folder, `${part}.ndjson`), { mode: 0o600 })
  const { first, limit } = partStores[part]
  let count = 0
  for (let after: string | undefined = first; after !== undefined;) {
    const rows = await selectPartRows(db, part, { tenantId, after, limit })
    count += rows.length
    if (rows.length > 0 && !output.write(rows.map(({ line }) => `${line}\n`).join(''))) {
      await once(output, 'drain')
    }
    after = rows.at(-1)?.key
  }
  output.end()
  await finished(output)
  return count
}

/** Before there is a file: nobody has one that is not on record. */
const recordExport = (ctx: Ctx, { tenant, counts }: About): Promise<void> =>
  inTransaction(inTenant(ctx, builtInTenant.id), (ctx) =>
    record(ctx, {
      action: 'tenant.export',
      resourceId: tenant.id,
      detail: recordChange({}, summaryOf({ tenant, counts })),
    }),
  )

export const summaryOf = ({ tenant, counts }: Pick<About, 'tenant' | 'counts'>) => ({
  name: tenant.name,
  slug: tenant.slug,
  users: counts['03-users'] ?? 0,
  audit_records: counts['09-audit-logs'] ?? 0,
})
