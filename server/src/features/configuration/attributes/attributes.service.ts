/** Declarations of attributes: which facts about users and tenants exist, and who reads and writes them. */
import { builtInTenant } from '../../../access/permissions.ts'
import { inTenant, inTransactionAfter, type Ctx, type TransactionCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { isVisible } from './attribute-access.service.ts'
import { attributeOf } from './attribute-rules.ts'
import type { Attribute, AttributeQuery, PutAttribute } from './attributes.schemas.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import * as store from './attributes.store.ts'
import { deleteLeftovers, markValues } from './stored-attributes.service.ts'

const attributesMax = 100
const indexedMax = 10
const claimsMax = 20

/** The attributes that the caller may read in any way: those of users first, by key. */
export const listAttributes = async (ctx: Ctx, { subject }: AttributeQuery): Promise<Attribute[]> =>
  (await store.selectAttributes(ctx.db, subject)).filter((attribute) => isVisible(ctx, attribute))

/** The fields that an audit record compares. */
const recorded = ({ subject: _subject, key: _key, ...fields }: StoredAttribute) => fields

/** The names of the fields in which two declarations differ. */
export const differencesOf = (before: StoredAttribute | undefined, after: StoredAttribute): string[] =>
  Object.keys(changesBetween(before ? recorded(before) : {}, recorded(after)))

const changing = <T>(
  ctx: Ctx,
  place: store.Place,
  change: (ctx: TransactionCtx, before: StoredAttribute | undefined) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    ({ db }) => {
      store.lockAttribute(db, place)
      return store.selectAttribute(db, place)
    },
    change,
  )

const claimTaken = (err: unknown): never => {
  throw violatesUnique(err, 'attributes_claim_key') ? invalid('claim', 'belongs to another attribute') : err
}

const requireRoom = async ({ db }: TransactionCtx, { subject }: StoredAttribute): Promise<void> => {
  const { count, indexed, claims } = await store.measureAttributes(db, subject)
  if (count > attributesMax || indexed > indexedMax || claims > claimsMax) {
    throw new AppError(
      'attributesFull',
      `There is room for ${attributesMax} attributes of users and of tenants each, ${indexedMax} of them indexed, and ${claimsMax} claims. Delete one first`,
    )
  }
}

const requireSameType = (before: StoredAttribute | undefined, { schema }: StoredAttribute): void => {
  if (before && before.schema.type !== schema.type) {
    throw invalid('schema', `must have the type ${String(before.schema.type)}: the type never changes`)
  }
}

/**
 * Declares an attribute, or replaces its declaration. Throws 400 if the new schema refuses stored values. With `force`
 * it marks those values instead, and they have no effect. `invalid` is their number.
 */
export const declareAttribute = (
  ctx: Ctx,
  place: store.Place,
  { force, ...input }: PutAttribute,
): Promise<{ attribute: Attribute; invalid: number }> => {
  const wanted = attributeOf(place, input)
  return changing(ctx, place, async (ctx, before) => {
    requireSameType(before, wanted)
    if (before && differencesOf(before, wanted).length === 0) return { attribute: before, invalid: 0 }
    if (!before) await deleteLeftovers(ctx, place)
    const marked = before ? await markValues(ctx, wanted, force ?? false) : 0
    const attribute = await store.upsertAttribute(ctx.db, wanted).catch(claimTaken)
    await requireRoom(ctx, wanted)
    record(ctx, {
      action: 'attribute.update',
      resourceId: `${place.subject}/${place.key}`,
      detail: {
        ...naming({ key: place.key }),
        ...changesBetween(before ? recorded(before) : {}, recorded(attribute)),
        ...(marked > 0 && { invalid: { from: null, to: marked } }),
      },
    })
    return { attribute, invalid: marked }
  })
}

export const putAttribute = async (ctx: Ctx, place: store.Place, input: PutAttribute): Promise<Attribute> =>
  (await declareAttribute(ctx, place, input)).attribute

/** Deletes a declaration. Its values have no effect from the answer on, and maintenance deletes them. */
export const deleteAttribute = (ctx: Ctx, place: store.Place): Promise<null> =>
  changing(ctx, place, async (ctx, before) => {
    if (!before) throw new AppError('attributeUnknown', 'Nobody has declared this attribute')
    store.deleteAttributeRow(ctx.db, place)
    record(ctx, {
      action: 'attribute.delete',
      resourceId: `${place.subject}/${place.key}`,
      detail: { ...naming({ key: place.key }), ...changesBetween(recorded(before), {}) },
    })
    return null
  })
