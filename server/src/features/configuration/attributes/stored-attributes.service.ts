/** The stored values of an attribute in all tenants. */
import { setImmediate } from 'node:timers/promises'
import type { Parts, TransactionCtx } from '../../../context.ts'
import type { TransactionDb } from '../../../db/client.ts'
import { actAs } from '../../../db/scope.ts'
import { inBatches } from '../../../db/sweep.ts'
import { AppError, type FieldError } from '../../../errors/app-error.ts'
import { isValid } from '../../../values/schema-validator.ts'
import { foldedOf } from './attribute-values.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import * as store from './attributes.store.ts'

const shownMax = 20

const placeOf = ({ tenant_id: tenantId, user_id: userId }: store.StoredValue): string =>
  userId === 0 ? `tenant ${tenantId}` : `user ${tenantId} ${userId}`

const inAllTenants = async <T>(
  { db }: TransactionCtx,
  { key }: store.Place,
  work: (db: TransactionDb) => Promise<T>,
): Promise<T> => {
  store.enterAttribute(db, key)
  await actAs(db, 'tenantry_purge')
  const result = await work(db)
  await actAs(db, 'tenantry_app')
  return result
}

const markOf = (attribute: StoredAttribute, { value, ...place }: store.StoredValue): store.Mark => {
  const isInvalid = !isValid(attribute.schema, value)
  return { ...place, is_invalid: isInvalid, folded: attribute.indexed && !isInvalid ? foldedOf(value) : null }
}

interface Marking {
  refused: FieldError[]
  count: number
}

type Read = (after?: store.StoredValue) => Promise<store.StoredValue[]>

const markAll = async (db: TransactionDb, attribute: StoredAttribute, read: Read): Promise<Marking> => {
  const marking: Marking = { refused: [], count: 0 }
  for (let rows = await read(); rows.length > 0;) {
    const marks: store.Mark[] = []
    for (const row of rows) {
      // Lets other requests run between two values.
      await setImmediate()
      const mark = markOf(attribute, row)
      marks.push(mark)
      if (!mark.is_invalid) continue
      marking.count += 1
      if (marking.refused.length < shownMax) {
        marking.refused.push({ field: placeOf(row), message: 'has a value that the schema refuses' })
      }
    }
    await store.updateMarks(db, attribute, marks)
    rows = rows.length < store.batchRows ? [] : await read(rows.at(-1))
  }
  return marking
}

/**
 * Checks the stored values against a declaration, and stores which of them have an effect. Returns the number of those
 * without one. Throws 400 if there is any, unless forced.
 */
export const markValues = async (
  ctx: TransactionCtx,
  attribute: StoredAttribute,
  isForced: boolean,
): Promise<number> => {
  const { count, refused } = await inAllTenants(ctx, attribute, (db) =>
    markAll(db, attribute, (after) => store.selectValuesAfter(db, attribute, after)),
  )
  if (count === 0 || isForced) return count
  throw new AppError(
    'storedValuesRefused',
    `The schema refuses ${count} stored values. Change them first, or send force`,
    { fields: refused },
  )
}

/** Keeps the values of an imported tenant whose attributes are declared here. */
export const keepDeclared = async ({ db, tenantId }: TransactionCtx): Promise<void> => {
  store.lockAttributes(db)
  store.deleteUndeclared(db, tenantId)
  for (const attribute of await store.selectAttributes(db)) {
    await markAll(db, attribute, (after) => store.selectValuesOfTenantAfter(db, attribute, tenantId, after))
  }
}

/** Deletes what is left of an earlier attribute of this key, so that a new one has no values. */
export const deleteLeftovers = async (ctx: TransactionCtx, place: store.Place): Promise<void> => {
  if (!(await store.selectRemoval(ctx.db, place))) return
  await inAllTenants(ctx, place, async (db) => {
    while ((await store.deleteValues(db, place, 10_000)) > 0);
  })
  await store.deleteRemoval(ctx.db, place)
}

/** Deletes the values of deleted attributes, in batches. Interruption and several processes at once do no harm. */
export const sweepAttributes = async ({ store: database }: Parts): Promise<void> => {
  const removals = await database.transaction({}, store.selectRemovals, 'tenantry_purge')
  for (const place of removals) {
    await inBatches((limit) =>
      database.transaction(
        {},
        async (db) => {
          // A new attribute of this key deletes the rest, and then the removal.
          store.lockForWriting(db, place.subject, [place.key])
          if (!(await store.selectRemoval(db, place))) return 0
          store.enterAttribute(db, place.key)
          const count = await store.deleteValues(db, place, limit)
          if (count < limit) await store.deleteRemoval(db, place)
          return count
        },
        'tenantry_purge',
      ),
    )
  }
}
