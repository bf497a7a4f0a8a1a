import { readArchive, type Manifest } from '../../../archive.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { sqlState } from '../../../db/errors.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { rollingBack } from '../../../rehearsal.ts'
import { checkOf } from '../../../values/check.ts'
import { record, changesBetween } from '../../audit/audit/audit.service.ts'
import { inviteByOperator } from '../invitations/invitations.service.ts'
import { keepDeclared } from '../../configuration/attributes/stored-attributes.service.ts'
import { markImported } from '../../configuration/settings/stored-values.service.ts'
import { lockCatalogueAgainstChange } from '../../../access/tenancy.store.ts'
import { conflictsOfTenant, gatherConflicts, type Conflicts } from './conflicts.ts'
import { derive } from './derived.ts'
import { summaryOf } from './export.service.ts'
import { raiseIds } from './ids.store.ts'
import { createKnownPeople, type KnownPeople, type KnownPerson } from './known-people.ts'
import { batchesOf, linesOf } from './rows.ts'
import { About } from './transfer.schemas.ts'
import {
  insertPartRows,
  selectNewestLog,
  selectShadowingRole,
  selectTemplateIds,
  updateImportedTo,
  type PartName,
} from './transfer.store.ts'

export interface Imported extends About {
  /** People with an account here. The import invites the enabled ones. */
  known: KnownPerson[]
}

interface Inspected {
  about: About
  /** Folded e-mails that already have an account here. */
  taken: string[]
}

/**
 * Imports an exported tenant with all its ids in one transaction, so that other transactions see all of it or nothing.
 * Writes an audit record in the built-in tenant. Throws a Refusal, without writing, for conflicts, and an Error of one
 * line for a damaged file.
 */
export const importTenant = async (ctx: Ctx, file: string): Promise<Imported> => {
  const inspected = await inspect(ctx, file)
  return inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => write(ctx, file, inspected))
}

/** Imports and rolls back. Throws as `importTenant` does. */
export const tryImport = async (ctx: Ctx, file: string): Promise<Imported> => {
  const inspected = await inspect(ctx, file)
  return rollingBack<TransactionCtx, Imported>(
    (doomed) => inTransaction(inTenant(ctx, builtInTenant.id), doomed),
    (ctx) => write(ctx, file, inspected),
  )
}

const isAbout = checkOf(About)

const aboutOf = (file: string, { about }: Manifest): About => {
  if (isAbout(about)) return about
  throw new Error(`${file} is damaged: its manifest says nothing of a tenant`)
}

/** Reads the whole file once, verifies it, and finds every conflict. */
const inspect = async (ctx: Ctx, file: string): Promise<Inspected> => {
  const known = createKnownPeople()
  const { db } = inTenant(ctx, builtInTenant.id)
  let about: About | undefined
  let conflicts: Conflicts | undefined
  await readArchive(file, 'tenantry-tenant', {
    async begin(manifest) {
      about = aboutOf(file, manifest)
      const ofTenant = await conflictsOfTenant(db, manifest, about)
      // This version cannot read a newer format completely.
      if (ofTenant.some((text) => text.startsWith('the export is newer'))) throw new Refusal(ofTenant)
      conflicts = gatherConflicts(db, ofTenant, known)
    },
    async file(path, body) {
      if (!about) return
      const part = partOf(path)
      for await (const lines of rowsOf(file, part, body, about)) await conflicts?.add(part, lines)
    },
  })
  const found = conflicts?.list() ?? []
  if (found.length > 0) throw new Refusal(found)
  if (!about) throw new Error(`${file} is damaged: it has no manifest`)
  return { about, taken: known.emails() }
}

/** The rows of a part, as batches of lines with their derived columns. */
async function* rowsOf(file: string, part: PartName, body: AsyncIterable<Buffer>, { tenant }: About) {
  for await (const lines of batchesOf(linesOf(body))) {
    try {
      yield derive(part, lines, tenant)
    } catch (err) {
      throw refusedRow(file, part, err)
    }
  }
}

const partOf = (path: string) => path.replace(/\.ndjson$/, '') as PartName

/** Reads and verifies the file again, because it may have changed in between. */
const write = async (ctx: TransactionCtx, file: string, { about, taken }: Inspected): Promise<Imported> => {
  const { tenant } = about
  const known = createKnownPeople()
  known.addEmails(taken)
  await inTenantWithin(ctx, tenant.id, async (ctx) => {
    await readArchive(file, 'tenantry-tenant', {
      begin(manifest) {
        if (JSON.stringify(aboutOf(file, manifest)) !== JSON.stringify(about)) {
          throw new Error(`${file} has changed meanwhile`)
        }
      },
      file: (path, body) => writePart(ctx, file, about, { part: partOf(path), body, known }),
    })
    await raiseIds(ctx.db, tenant.id, [...known.people.keys()])
    const newest = await selectNewestLog(ctx.db, tenant.id)
    if (newest) await updateImportedTo(ctx.db, tenant.id, newest.id)
    await requireOwnNames(ctx)
    await markImported(ctx)
    await keepDeclared(ctx)
    await inviteKnown(ctx, [...known.people.values()])
  })
  record(ctx, {
    action: 'tenant.import',
    resourceId: tenant.id,
    detail: changesBetween({}, summaryOf(about)),
  })
  return { ...about, known: [...known.people.values()] }
}

/** Invites the enabled people who have an account here, with their earlier roles. */
const inviteKnown = async (ctx: TransactionCtx, people: KnownPerson[]): Promise<void> => {
  for (const { email, nickname, isEnabled, templates, ownRoles } of people) {
    if (!isEnabled) continue
    const roles = await selectTemplateIds(ctx.db, templates)
    const roleIds = [...roles.map(({ id }) => id), ...ownRoles]
    await inviteByOperator(ctx, { email, nickname, roleIds })
  }
}

/** Throws if a template has taken a role's name since the inspection. */
const requireOwnNames = async ({ db, tenantId }: TransactionCtx): Promise<void> => {
  lockCatalogueAgainstChange(db)
  const role = await selectShadowingRole(db, tenantId)
  if (role) throw new Error(`a role template here has the name of the role ${role.name}: import again`)
}

const writePart = async (
  { db }: TransactionCtx,
  file: string,
  about: About,
  { part, body, known }: { part: PartName; body: AsyncIterable<Buffer>; known: KnownPeople },
): Promise<void> => {
  const { tenant, counts } = about
  let count = 0
  let inserted = 0
  for await (const lines of rowsOf(file, part, body, about)) {
    count += lines.length
    const kept = known.keep(part, lines)
    inserted += lines.length - kept.length
    inserted += await insertPartRows(db, part, tenant.id, `[${kept.join(',')}]`).catch((err: unknown) => {
      throw sqlState(err) === undefined ? err : refusedRow(file, part, err)
    })
  }
  if (count === inserted && count === counts[part]) return
  throw new Error(
    `${file} is damaged: ${part} has ${counts[part]} rows, and ${inserted} of them fit together`,
  )
}

/** Names only the part: the error's detail quotes the row, but its message does not. */
const refusedRow = (file: string, part: PartName, err: unknown) =>
  new Error(`${file} cannot be imported: ${part}: ${(err as Error).message}`, { cause: err })
