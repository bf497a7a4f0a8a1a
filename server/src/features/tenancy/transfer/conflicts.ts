import type { Manifest } from '../../../archive.ts'
import { trustKeys } from '../../../crypto/statements.ts'
import type { Db } from '../../../db/client.ts'
import { ownNames } from '../../../db/migrate.ts'
import { builtInIdMax, builtInTenant } from '../../../access/permissions.ts'
import type { KnownPeople } from './known-people.ts'
import type { About } from './transfer.schemas.ts'
import {
  parts,
  selectArchiveFrom,
  selectKnownCodes,
  selectKnownTemplates,
  selectTakenEmails,
  selectConflictingTenants,
  selectTombstone,
  type PartName,
} from './transfer.store.ts'

/** The conflicts of a kind that are listed. Further conflicts are only counted. */
const namedMax = 20

/** Collects the conflicts of an import, part by part. */
export interface Conflicts {
  add: (part: PartName, lines: string[]) => Promise<void>
  list: () => string[]
}

/** Conflicts of the tenant itself, and parts of the file that this version does not know. */
export const conflictsOfTenant = async (db: Db, { files }: Manifest, about: About): Promise<string[]> => {
  const { tenant } = about
  if (tenant.id === builtInTenant.id) return ['the built-in tenant belongs to its installation']
  const own = await ownNames()
  const unknown = [
    ...about.migrations.filter((name) => !own.includes(name)),
    ...files.map(({ path }) => path.replace(/\.ndjson$/, '')).filter((name) => !(name in parts)),
  ]
  if (unknown.length > 0) return [`the export is newer than this program (${unknown.join(', ')})`]
  const conflicting = await selectConflictingTenants(db, tenant)
  return [
    ...conflicting.map(({ id, slug, is_removed: isRemoved }) => {
      if (isRemoved) return `the tenant ${id} is being purged here: try again in ten minutes`
      return id === tenant.id ? `the tenant ${id} is here already` : `the tenant ${id} has the slug ${slug}`
    }),
    ...((await selectTombstone(db, tenant.id)) ? [`the tenant ${tenant.id} was erased here for good`] : []),
  ]
}

interface Row {
  [column: string]: unknown
}

const parse = (line: string): Row => JSON.parse(line) as Row

const emailsOf = (rows: Row[]): string[] => rows.map((row) => String(row['email_folded']))

/** Notes people who have an account here: the import invites them instead. */
const noteKnownPeople = async (db: Db, rows: Row[], known: KnownPeople): Promise<string[]> => {
  known.addEmails((await selectTakenEmails(db, emailsOf(rows))).map(({ email }) => email))
  return []
}

/**
 * Refuses users whose address has an account here but not in the file: such a forged user would refer to another
 * tenant's account.
 */
const findForgedUsers = async (db: Db, rows: Row[], known: KnownPeople): Promise<string[]> => {
  const unknown = emailsOf(rows).filter((email) => !known.hasEmail(email))
  const taken = await selectTakenEmails(db, unknown)
  return taken.map(({ email }) => `the e-mail ${email} has an account here`)
}

/** The distinct texts of a column, without empty ones. */
const textsOf = (rows: Row[], column: string): string[] => [
  ...new Set(
    rows
      .map((row) => row[column] ?? undefined)
      .filter((text) => text !== undefined)
      .map(String),
  ),
]

const findForeignRoles = async (db: Db, rows: Row[]): Promise<string[]> => {
  const ofTemplate = rows.find((row) => Number(row['id']) <= builtInIdMax)
  if (ofTemplate) return [`the role ${String(ofTemplate['name'])} has the id of a role template`]
  const taken = await selectKnownTemplates(db, textsOf(rows, 'name_folded'))
  return taken.map(({ name }) => `a role template here has the name of the role ${name}`)
}

/** Searches for conflicts in a batch of rows. Only parts that can have conflicts have a finder. */
type ConflictFinder = (db: Db, rows: Row[], known: KnownPeople) => Promise<string[]> | string[]
const finders: Partial<Record<PartName, ConflictFinder>> = {
  '02-accounts': noteKnownPeople,
  '03-users': findForgedUsers,
  '04-roles': findForeignRoles,
  '05-role-permissions': async (db, rows) => {
    const codes = textsOf(rows, 'permission')
    const known = new Set((await selectKnownCodes(db, codes)).map(({ code }) => code))
    return codes
      .filter((code) => !known.has(code))
      .map((code) => `the permission ${code} is none of a tenant here`)
  },
  '06-user-roles': async (db, rows) => {
    const names = textsOf(rows, 'template')
    const known = new Set((await selectKnownTemplates(db, names)).map(({ name }) => name))
    return names
      .filter((name) => !known.has(name))
      .map((name) => `the role template ${name} is none of a tenant here`)
  },
  '09-audit-logs': async (db, rows) => {
    const archive = await selectArchiveFrom(db, Math.min(...rows.map(({ id }) => Number(id))))
    return archive
      ? [
          `audit records belong into the archive ${archive.name}: first run tenantry audit move --back ${archive.name}`,
        ]
      : []
  },
  // An unreadable key, or a key under the kid of another one, would stop the sealing of every tenant here.
  '13-audit-keys': async (_db, rows) => {
    const isTrusted = await trustKeys(rows.map(keyOf)).then(
      () => true,
      () => false,
    )
    return isTrusted ? [] : ['an audit key of the export is not what its name says']
  },
}

const keyOf = (row: Row) => {
  const { kid, public_jwk: jwk } = row as { kid: string; public_jwk: { x: string } }
  return { kid, x: jwk.x }
}

export const gatherConflicts = (db: Db, found: string[], people: KnownPeople): Conflicts => {
  const byPart = new Map<PartName, Set<string>>()
  return {
    async add(part, lines) {
      const find = finders[part]
      if (!find) return
      const known = byPart.get(part) ?? new Set()
      for (const text of await find(db, lines.map(parse), people)) known.add(text)
      byPart.set(part, known)
    },
    list: () => {
      const lines = [...byPart.values()].flatMap((texts) => {
        const more = texts.size - namedMax
        return [...[...texts].slice(0, namedMax), ...(more > 0 ? [`and ${more} more of these`] : [])]
      })
      return [...found, ...new Set(lines)]
    },
  }
}
