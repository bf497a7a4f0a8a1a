import type { Manifest } from '../../archive.ts'
import { trustKeys } from '../../crypto/statements.ts'
import type { Db } from '../../db/client.ts'
import { ownNames } from '../../db/migrate.ts'
import { builtInTenant, isPlatformOnly, permissions, systemRoles } from '../../permissions.ts'
import type { About } from './transfer.schemas.ts'
import {
  partStores,
  selectTakenEmails,
  selectTenantsInTheWay,
  selectTombstone,
  type PartName,
} from './transfer.store.ts'

/** Conflicts named of each kind; of more only how many there are. */
const namedMax = 20

/** Gathers what is in the way of an import, part by part. */
export interface Conflicts {
  add: (part: PartName, lines: string[]) => Promise<void>
  /** A line for each; empty when nothing is in the way. */
  list: () => string[]
}

/** The tenant itself, and parts this program does not know. */
export const conflictsOfTenant = async (db: Db, { files }: Manifest, about: About): Promise<string[]> => {
  const { tenant } = about
  if (tenant.id === builtInTenant.id) return ['the built-in tenant belongs to its installation']
  const own = await ownNames()
  const unknown = [
    ...about.migrations.filter((name) => !own.includes(name)),
    ...files.map(({ path }) => path.replace(/\.ndjson$/, '')).filter((name) => !(name in partStores)),
  ]
  if (unknown.length > 0) return [`the export is newer than this program (${unknown.join(', ')})`]
  const inTheWay = await selectTenantsInTheWay(db, tenant)
  return [
    ...inTheWay.map(({ id, slug, is_removed: isRemoved }) => {
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

const codes = new Set<string>(permissions.filter(({ code }) => !isPlatformOnly(code)).map(({ code }) => code))
const tenantSystemRoles = new Set(
  systemRoles.filter(({ platformOnly }) => !platformOnly).map(({ name }) => name),
)

/** For each part that can be in conflict with this installation: what of a batch of its rows is. */
const finders: Partial<Record<PartName, (db: Db, rows: Row[]) => Promise<string[]> | string[]>> = {
  '02-accounts': async (db, rows) => {
    const taken = await selectTakenEmails(
      db,
      rows.map((row) => String(row['email_folded'])),
    )
    return taken.map(({ email }) => `the e-mail ${email} has an account here`)
  },
  // Who holds a system role named platform-admin administers the whole installation, in whichever tenant it is.
  '04-roles': (_db, rows) =>
    rows
      .filter((row) => row['is_system'] === true && !tenantSystemRoles.has(String(row['name'])))
      .map((row) => `the system role ${String(row['name'])} is none of a tenant here`),
  '05-role-permissions': (_db, rows) =>
    [...new Set(rows.map((row) => String(row['permission'])))]
      .filter((code) => !codes.has(code))
      .map((code) => `the permission ${code} is none of a tenant here`),
  // One that cannot be read, or bears the name of another, would stop the sealing of every tenant here.
  '13-audit-keys': async (_db, rows) => {
    const isTrusted = await trustKeys(rows.map(keyOf)).then(
      () => true,
      () => false,
    )
    return isTrusted ? [] : ['an audit key of the export is not what its name says']
  },
}

const keyOf = (row: Row) => {
  const { kid, public_jwk: jwk } = row as { kid?: unknown; public_jwk?: { x?: unknown; kid?: unknown } }
  return { kid: kid === jwk?.kid ? String(kid) : '', x: String(jwk?.x) }
}

export const gatherConflicts = (db: Db, found: string[]): Conflicts => {
  const byPart = new Map<PartName, Set<string>>()
  return {
    async add(part, lines) {
      const find = finders[part]
      if (!find) return
      const known = byPart.get(part) ?? new Set()
      for (const text of await find(db, lines.map(parse))) known.add(text)
      byPart.set(part, known)
    },
    list: () => [
      ...found,
      ...[...byPart.values()].flatMap((texts) => {
        const more = texts.size - namedMax
        return [...[...texts].slice(0, namedMax), ...(more > 0 ? [`and ${more} more of these`] : [])]
      }),
    ],
  }
}
