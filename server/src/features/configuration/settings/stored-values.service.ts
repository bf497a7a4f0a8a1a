/** Checks the stored values of a key in all tenants against a declaration. */
import { setImmediate } from 'node:timers/promises'
import type { TransactionCtx } from '../../../context.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { actAs } from '../../../db/scope.ts'
import { AppError, invalid, type FieldError } from '../../../errors/app-error.ts'
import { Refusal } from '../../../errors/refusal.ts'
import type { StoredDefinition } from './definitions.sql.ts'
import * as store from './definitions.store.ts'
import { isValid } from '../../../values/schema-validator.ts'

const shownMax = 20

type Read = (db: Db, key: string, after?: store.StoredValue) => Promise<store.StoredValue[]>

/** Reads the values of a scope in batches. */
async function* valuesOf(db: Db, key: string, read: Read): AsyncGenerator<store.StoredValue> {
  for (let rows = await read(db, key); rows.length > 0; rows = await read(db, key, rows.at(-1))) {
    for (const row of rows) {
      // Lets other requests run between two values.
      await setImmediate()
      yield row
    }
    if (rows.length < store.batchRows) return
  }
}

const placeOf = ({ tenant_id: tenantId, user_id: userId }: store.StoredValue): string => {
  if (tenantId === '') return 'global'
  return userId === 0 ? `tenant ${tenantId}` : `user ${tenantId} ${userId}`
}

interface Marking {
  refused: FieldError[]
  count: number
}

type Mark = (db: TransactionDb, key: string, place: store.StoredValue, isInvalid: boolean) => void

const scopes: { read: Read; mark: Mark }[] = [
  { read: store.selectTenantValuesAfter, mark: store.markOfTenant },
  { read: store.selectUserValuesAfter, mark: store.markOfUser },
]

const markScope = async (
  ctx: TransactionCtx,
  { key, schema }: Pick<StoredDefinition, 'key' | 'schema'>,
  { read, mark }: { read: Read; mark: Mark },
  marking: Marking,
): Promise<void> => {
  for await (const row of valuesOf(ctx.db, key, read)) {
    const isInvalid = !isValid(schema, row.value)
    if (isInvalid !== row.is_invalid) mark(ctx.db, key, row, isInvalid)
    if (!isInvalid) continue
    marking.count += 1
    if (marking.refused.length < shownMax) {
      marking.refused.push({ field: placeOf(row), message: 'has a value that the schema refuses' })
    }
  }
}

/**
 * Marks the stored values that the schema refuses, and returns their number. Without `force` it throws 400 if there is
 * any.
 */
export const markInvalid = async (
  ctx: TransactionCtx,
  definition: Pick<StoredDefinition, 'key' | 'schema'>,
  isForced: boolean,
): Promise<number> => {
  const { db } = ctx
  const marking: Marking = { refused: [], count: 0 }
  const global = {
    read: (_db: Db, key: string, after?: store.StoredValue) =>
      after ? Promise.resolve([]) : store.selectGlobalValue(db, key),
    mark: (_db: TransactionDb, key: string, _place: store.StoredValue, isInvalid: boolean) =>
      store.markGlobal(db, key, isInvalid),
  }
  await markScope(ctx, definition, global, marking)
  store.enterDeclared(db, definition.key)
  await actAs(db, 'tenantry_purge')
  for (const scope of scopes) await markScope(ctx, definition, scope, marking)
  await actAs(db, 'tenantry_app')
  if (marking.count > 0 && !isForced) {
    throw new AppError(
      'storedValuesRefused',
      `The schema refuses ${marking.count} stored values. Change them first, or send force`,
      { fields: marking.refused },
    )
  }
  return marking.count
}

/**
 * Marks the values of an imported tenant that this installation's declarations refuse. Throws a Refusal for a plain
 * value of a key that is secret here.
 */
export const markImported = async ({ db, tenantId }: TransactionCtx): Promise<void> => {
  store.lockDeclarations(db)
  const definitions = new Map((await store.selectDefinitions(db)).map((one) => [one.key, one]))
  const found = await store.selectKeysOfTenant(db, tenantId)
  const declared = found.flatMap(({ key }) => definitions.get(key) ?? [])
  const secret = declared.filter((one) => one.is_secret)
  if (secret.length > 0) {
    throw new Refusal(
      secret.map(({ key }) => `the setting ${key} is a secret here, and a plain value in the file`),
    )
  }
  for (const { key, schema } of declared) {
    for (const row of await store.selectValuesOfTenant(db, tenantId, key)) {
      await setImmediate()
      if (isValid(schema, row.value)) continue
      if (row.user_id === 0) store.markOfTenant(db, key, row, true)
      else store.markOfUser(db, key, row, true)
    }
  }
}

/**
 * Throws 400 if any scope has a value for the key, because a plain value cannot become a secret. Deletes the history of
 * earlier values.
 */
export const requireNoValue = async ({ db }: TransactionCtx, key: string): Promise<void> => {
  const global = await store.selectGlobalValue(db, key)
  store.enterDeclared(db, key)
  await actAs(db, 'tenantry_purge')
  const found = await store.selectAnyValue(db, key)
  store.deleteRowsOfKey(db, key, 'tenant_setting_versions', 'global_setting_versions')
  await actAs(db, 'tenantry_app')
  if (global.length > 0 || found) {
    throw invalid('secret', 'must be false: the key has values already. Delete them first')
  }
}
