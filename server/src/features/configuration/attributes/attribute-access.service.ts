/**
 * Decides whether a caller reads or writes an attribute. Every answer, filter and write asks `accessTo`. A directory and
 * a connection are in the hands of the tenant's administrators, so they write as administrators do.
 */
import { may, policies } from '../../../access/policies.ts'
import type { Actor } from '../../../access/actor.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import type { Subject } from './attributes.schemas.ts'
import type { StoredAttribute } from './attributes.sql.ts'

/** The capacity in which somebody reaches values. */
export type Capacity = 'platform' | 'administrator' | 'self'
type Access = 'none' | 'read' | 'write'

const accessTo = (
  { self, administrators }: Pick<StoredAttribute, 'self' | 'administrators'>,
  capacity: Capacity,
): Access => {
  if (capacity === 'platform') return 'write'
  return capacity === 'self' ? self : administrators
}

/** The capacity of a caller whom the route's permission lets reach values of others. */
export const capacityOf = (actor: Actor): Capacity =>
  may(actor, policies.reachAllAttributes, undefined) ? 'platform' : 'administrator'

export const isReadable = (attribute: StoredAttribute, capacity: Capacity): boolean =>
  accessTo(attribute, capacity) !== 'none'

/** The error of an attribute that is not declared, and of one that the caller may not read. */
const undeclared = (field: string): AppError => invalid(field, 'is no attribute')

/** The attribute of a key. Throws 400 if it is not declared or the caller may not read it. */
export const findReadable = (
  declared: Map<string, StoredAttribute>,
  key: string,
  capacity: Capacity,
  field = key,
): StoredAttribute => {
  const attribute = declared.get(key)
  if (!attribute || !isReadable(attribute, capacity)) throw undeclared(field)
  return attribute
}

/** The attribute of a key that the caller writes. Throws 403 if the caller may only read it. */
export const findWritable = (
  declared: Map<string, StoredAttribute>,
  key: string,
  capacity: Capacity,
): StoredAttribute => {
  const attribute = findReadable(declared, key, capacity)
  if (accessTo(attribute, capacity) === 'write') return attribute
  throw new AppError('permissionMissing', `You may read ${key}, but not change it`)
}

/** The capacities in which a caller reads values of a subject. */
const capacitiesFor = ({ actor }: Ctx, subject: Subject): Capacity[] => {
  const isReader =
    subject === 'user'
      ? may(actor, policies.readAttributesOfUsers, undefined)
      : may(actor, policies.readAttributesOfOwnTenant, undefined) ||
        may(actor, policies.readAttributesOfTenants, undefined)
  const isPerson = subject === 'user' && actor.key === undefined
  return [...(isReader ? [capacityOf(actor)] : []), ...(isPerson ? (['self'] as const) : [])]
}

/** Whether the caller may know that an attribute exists. */
export const isVisible = (ctx: Ctx, attribute: StoredAttribute): boolean =>
  may(ctx.actor, policies.declareAttributes, undefined) ||
  capacitiesFor(ctx, attribute.subject).some((capacity) => isReadable(attribute, capacity))
