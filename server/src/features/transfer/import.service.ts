import { Value } from 'typebox/value'
import { readArchive, type Manifest } from '../../archive.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import { sqlState } from '../../db/errors.ts'
import { builtInTenant } from '../../permissions.ts'
import { Refusal } from '../../refusal.ts'
import { record, recordChange } from '../audit/audit.service.ts'
import { createSystemRoles } from '../tenants/tenants.service.ts'
import { conflictsOfTenant, gatherConflicts, type Conflicts } from './conflicts.ts'
import { summaryOf } from './export.service.ts'
import { batchesOf, linesOf } from './rows.ts'
import { About } from './transfer.schemas.ts'
import { insertPartRows, raiseIds, type PartName } from './transfer.store.ts'

/**
 * Brings an exported tenant in, with all its ids, in one transaction: nothing of it can be seen before it is whole. The
 * built-in tenant gets a record of it. Throws Refusal, having written nothing, when something is in the way, and
 * an Error of one line for a file that is damaged.
 */
export const importTenant = async (ctx: Ctx, file: string): Promise<About> => {
  const about = await inspect(ctx, file)
  await inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => write(ctx, file, about))
  return about
}

/** Does all of it, and takes it back. Throws as the import would. */
export const tryImport = async (ctx: Ctx, file: string): Promise<About> => {
  const about = await inspect(ctx, file)
  const done = new Error('taken back')
  const trial = inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    await write(ctx, file, about)
    throw done
  })
  return trial.catch((err: unknown) => {
    if (err === done) return about
    throw err
  })
}

const aboutOf = (file: string, { about }: Manifest): About => {
  if (Value.Check(About, about)) return about
  throw new Error(`${file} is damaged: its manifest says nothing of a tenant`)
}

/** Reads the whole file once, to verify it and to find every conflict. */
const inspect = async (ctx: Ctx, file: string): Promise<About> => {
  const { db } = inTenant(ctx, builtInTenant.id)
  let about: About | undefined
  let conflicts: Conflicts | undefined
  await readArchive(file, 'tenantry-tenant', {
    async begin(manifest) {
      about = aboutOf(file, manifest)
      const ofTenant = await conflictsOfTenant(db, manifest, about)
      // What is newer cannot be read to its end.
      if (ofTenant.some((text) => text.startsWith('the export is newer'))) throw new Refusal(ofTenant)
      conflicts = gatherConflicts(db, ofTenant)
    },
    async file(path, body) {
      for await (const lines of batchesOf(linesOf(body))) await conflicts?.add(partOf(path), lines)
    },
  })
  const found = conflicts?.list() ?? []
  if (found.length > 0) throw new Refusal(found)
  if (!about) throw new Error(`${file} is damaged: it has no manifest`)
  return about
}

const partOf = (path: string) => path.replace(/\.ndjson$/, '') as PartName

/** Reads the file again, verifying it as before: nobody can have changed it in between. */
const write = async (ctx: TransactionCtx, file: string, about: About): Promise<void> => {
  const { tenant } = about
  await inTenantWithin(ctx, tenant.id, async (ctx) => {
    await readArchive(file, 'tenantry-tenant', {
      begin(manifest) {
        if (JSON.stringify(aboutOf(file, manifest)) !== JSON.stringify(about)) {
          throw new Error(`${file} has changed meanwhile`)
        }
      },
      file: (path, body) => writePart(ctx, file, about, { part: partOf(path), body }),
    })
    await raiseIds(ctx.db, tenant.id)
    // What system roles hold in this version, if it is newer than the one the tenant comes from.
    await createSystemRoles(ctx)
  })
  await record(ctx, {
    action: 'tenant.import',
    resourceId: tenant.id,
    detail: recordChange({}, summaryOf(about)),
  })
}

const writePart = async (
  { db }: TransactionCtx,
  file: string,
  { tenant, counts }: About,
  { part, body }: { part: PartName; body: AsyncIterable<Buffer> },
): Promise<void> => {
  let count = 0
  let inserted = 0
  for await (const lines of batchesOf(linesOf(body))) {
    count += lines.length
    inserted += await insertPartRows(db, part, tenant.id, `[${lines.join(',')}]`).catch((err: unknown) => {
      throw sqlState(err) === undefined ? err : refusedRow(file, part, err)
    })
  }
  if (count === inserted && count === counts[part]) return
  throw new Error(
    `${file} is damaged: ${part} has ${counts[part]} rows, and ${inserted} of them fit together`,
  )
}

/** The error's detail names the row; the message, which is shown, does not. */
const refusedRow = (file: string, part: PartName, err: unknown) =>
  new Error(`${file} cannot be imported: ${part}: ${(err as Error).message}`, { cause: err })
