/** The directory whose key a request uses. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { CallerlessCtx, Ctx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { invalidValue, ScimError, uniqueness } from '../../../errors/scim-error.ts'
import { domainOf } from '../../../values/text.ts'
import { readFilter } from './grammar.ts'
import { predicateOf, type Columns } from './predicates.ts'
import type { PageQuery } from './scim.schemas.ts'
import type { Directory } from './users.store.ts'
import * as store from './users.store.ts'

/**
 * The directory of the caller's service account. Throws 403 for an account that no connection names, and for one that a
 * guest has created and nobody activated.
 */
export const requireDirectory = async ({ db, tenantId, actor }: Ctx): Promise<Directory> => {
  const directory = await store.selectDirectory(db, tenantId, actor.userId)
  if (!directory) {
    throw new ScimError(
      403,
      'No connection of this tenant names the service account of this key as its directory',
    )
  }
  return directory
}

/** Keeps the refusal of a directory's change for the page of its connection. Its messages name no person. */
export const keepRefusalOf = async ({ db, tenantId, actor, parts }: Ctx, message: string): Promise<void> => {
  await store.updateRefusal(db, tenantId, actor.userId, { message, now: parts.now() })
}

/** Throws 400 unless the address's domain is verified and assigned to the connection of the caller's account. */
export const requireOwnDomain = async ({ db, tenantId, actor }: Ctx, email: string): Promise<void> => {
  const domain = domainOf(email)
  if (await store.selectAssignedDomain(db, tenantId, actor.userId, domain)) return
  throw invalidValue(`The domain ${domain} is not verified for this connection`)
}

const taken: [string, string][] = [
  ['scim_users_user_name_key', 'Another user of the directory has this userName'],
  ['scim_users_external_id_key', 'Another user of the directory has this externalId'],
  ['scim_users_email_key', 'Another user of the directory has this e-mail address'],
  ['scim_users_user_id_key', 'This user belongs to another resource already'],
  ['scim_groups_external_id_key', 'Another group of the directory has this externalId'],
]

/** Throws 409 for the constraint of a unique attribute. Throws any other error unchanged. */
export const asUniqueness = (err: unknown): never => {
  const [, message] = taken.find(([name]) => violatesUnique(err, name)) ?? []
  throw message === undefined ? err : uniqueness(message)
}

export const notFree = () => uniqueness('The user with this e-mail address is not free for a resource')

export const resourceUnknown = (id: string) => new ScimError(404, `Resource ${id} not found`)

/** Throws 403 for a break-glass user, whom no directory may change. */
export const requireNoBreakGlass = async ({ db, tenantId }: CallerlessCtx, userId: number): Promise<void> => {
  if (!(await store.selectExemption(db, tenantId, userId))) return
  throw new ScimError(403, 'This user signs in when connections fail: no directory changes or deletes them')
}

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The id of a resource in the form of the database. Throws 404 for any other text. */
export const idOf = (text: string): string => {
  if (!isUuid(text)) throw new ScimError(404, 'No resource has this id: it is a UUID')
  return text.toLowerCase()
}

const pageMax = 200
const pageDefault = 100

const numberOf = (name: string, text: string | undefined, missing: number): number => {
  if (text === undefined || text === '') return missing
  if (!/^-?\d{1,15}$/.test(text)) throw invalidValue(`${name} must be an integer`)
  return Number(text)
}

/** The requested page. A value outside its range becomes the nearest bound (RFC 7644, 3.4.2.4). */
export const pageOf = ({ startIndex, count, filter }: PageQuery, columns: Columns) => {
  const start = Math.max(1, numberOf('startIndex', startIndex, 1))
  const limit = Math.min(pageMax, Math.max(0, numberOf('count', count, pageDefault)))
  const predicate = filter ? predicateOf(columns, readFilter(filter)) : undefined
  return { start, slice: { limit, offset: start - 1 }, filter: predicate }
}

/** The source in audit records of a directory's changes. */
export const ofDirectory = { source: { from: null, to: 'scim' } }

/** Makes every replica forget users with changed roles. Names each user, or the whole tenant for more than 50 users. */
export const announceUsers = (ctx: AuthorityCtx, userIds: number[]): void => {
  const { tenantId } = ctx
  if (userIds.length > 50) ctx.changes.push({ kind: 'tenant', tenantId })
  else for (const userId of userIds) ctx.changes.push({ kind: 'user', tenantId, userId, sessionId: '' })
}
