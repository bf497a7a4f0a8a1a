import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { requireWritable, writeArchive } from '../../../archive.ts'
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { enterTenant } from '../../../access/tenancy.store.ts'
import { record, changesBetween } from '../../audit/audit/audit.service.ts'
import { sealUnlessBroken } from '../../audit/audit/seal.service.ts'
import type { About } from './transfer.schemas.ts'
import {
  parts,
  readAlongKeys,
  selectMigrations,
  selectPartRows,
  selectTenantByName,
  type PartName,
} from './transfer.store.ts'

const partNames = Object.keys(parts) as PartName[]

export interface Exported {
  file: string
  about: About
}

/**
 * Writes the state of a tenant at one moment, without sessions, into a new file. Writes an audit record in the built-in
 * tenant. Throws an Error of one line if the tenant does not exist, or the file cannot be written.
 */
export const exportTenant = async (ctx: Ctx, name: string, target: string): Promise<Exported> => {
  const file = resolve(target)
  requireWritable(file)
  const folder = await mkdtemp(join(dirname(file), '.tenantry-export-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeFolder)
  try {
    const { id } = await getTenantToExport(ctx.db, name)
    // Seals first, because the receiving installation seals later records with its own keys.
    await sealUnlessBroken(ctx.parts, id)
    const about = await ctx.parts.store.reading({}, (db) => writeParts(db, name, folder))
    await recordExport(ctx, about)
    await writeArchive(file, folder, { kind: 'tenantry-tenant', about }, () => {})
    return { file, about }
  } finally {
    removeFolder()
    process.off('exit', removeFolder)
  }
}

/** A tenant by id or slug, for the operator. Throws an Error of one line for an unknown tenant. */
export const getTenantNamed = async ({ db }: Pick<Ctx, 'db'>, name: string): Promise<About['tenant']> => {
  const tenant = await selectTenantByName(db, name)
  if (!tenant) throw new Error(`there is no tenant with the id or slug ${name}`)
  return tenant
}

const getTenantToExport = async (db: Db, name: string): Promise<About['tenant']> => {
  const tenant = await getTenantNamed({ db }, name)
  if (tenant.id === builtInTenant.id) throw new Error('the built-in tenant belongs to its installation')
  return tenant
}

const writeParts = async (db: TransactionDb, name: string, folder: string): Promise<About> => {
  const tenant = await getTenantToExport(db, name)
  enterTenant(db, tenant.id)
  await readAlongKeys(db)
  const counts: About['counts'] = {}
  for (const part of partNames) counts[part] = await writePart(db, part, tenant.id, folder)
  const migrations = await selectMigrations(db)
  return { tenant, counts, migrations: migrations.map((one) => one.name) }
}

/** Writes in batches, so that a large tenant takes neither more memory nor longer statements. */
const writePart = async (db: Db, part: PartName, tenantId: string, folder: string): Promise<number> => {
  const output = createWriteStream(join(folder, `${part}.ndjson`), { mode: 0o600 })
  let count = 0
  let after: string | undefined
  do {
    const rows = await selectPartRows(db, part, { tenantId, after })
    count += rows.length
    if (rows.length > 0 && !output.write(rows.map(({ line }) => `${line}\n`).join(''))) {
      await once(output, 'drain')
    }
    after = rows.at(-1)?.key
  } while (after !== undefined)
  output.end()
  await finished(output)
  return count
}

/** Runs before the creation of the file, so that every file has an audit record. */
const recordExport = (ctx: Ctx, { tenant, counts }: About): Promise<void> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) =>
    record(ctx, {
      action: 'tenant.export',
      resourceId: tenant.id,
      detail: changesBetween({}, summaryOf({ tenant, counts })),
    }),
  )

export const summaryOf = ({ tenant, counts }: Pick<About, 'tenant' | 'counts'>) => ({
  name: tenant.name,
  slug: tenant.slug,
  users: counts['03-users'] ?? 0,
  audit_records: counts['09-audit-logs'] ?? 0,
})
