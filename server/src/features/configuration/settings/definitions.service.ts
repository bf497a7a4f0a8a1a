/** Declarations: which settings exist, of which type, with which default. */
import { inTenant, inTransactionAfter, type Ctx, type TransactionCtx } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { actAs } from '../../../db/scope.ts'
import { AppError, invalid, type FieldError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { builtInDeclarations, isReserved } from './declared.service.ts'
import type { Definition, DefinitionQuery, PutDefinition } from './definitions.schemas.ts'
import type { StoredDefinition } from './definitions.sql.ts'
import * as store from './definitions.store.ts'
import { faultOfSecretSchema, faultsOfSchema, type SchemaObject } from '../../../values/schema-subset.ts'
import { faultsOf } from '../../../values/schema-validator.ts'
import { markInvalid, requireNoValue } from './stored-values.service.ts'
import { toJson } from './writes.service.ts'

/** The most declarations. A replica reads all of them at once. */
const definitionsMax = 1000
const bytesMax = 4_194_304

/** Throws 403 for the key of a built-in setting. */
const requireUnreserved = ({ parts }: Ctx, key: string): void => {
  if (isReserved(parts, key)) {
    throw new AppError('settingReserved', `${key} belongs to Tenantry: nobody declares or locks it`)
  }
}

const undeclared = () => new AppError('settingUnknown', 'Nobody has declared this setting')

export type NewDefinition = Omit<StoredDefinition, 'is_locked' | 'updated_at'>

const dtoOf = ({ parts }: Ctx, definition: StoredDefinition, invalidCount: number): Definition => ({
  key: definition.key,
  schema: definition.schema,
  default: definition.default_value,
  scopes: definition.scopes,
  secret: definition.is_secret,
  public: definition.is_public,
  label: definition.label,
  description: definition.description,
  group: definition.group_name,
  is_builtin: parts.builtInSettings.has(definition.key),
  is_locked: definition.is_locked,
  invalid: invalidCount,
  updated_at: definition.updated_at,
})

/** Counts the stored values that the schema refuses, by key. */
const countInvalid = async ({ parts, db }: Ctx, keys: string[]): Promise<Map<string, number>> => {
  const [inTenants, ofInstallation] = await Promise.all([
    parts.store.transaction({}, (db) => store.countInvalid(db, keys), 'tenantry_purge'),
    store.selectInvalidGlobal(db),
  ])
  const counts = new Map(inTenants.map(({ key, count }) => [key, count]))
  for (const { key } of ofInstallation) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Lists declarations in the order of their keys, including those of built-in settings. */
export const listDefinitions = async (ctx: Ctx, query: DefinitionQuery): Promise<CountedPage<Definition>> => {
  const { prefix = '' } = query
  const all = [...(await store.selectDefinitions(ctx.db)), ...builtInDeclarations(ctx.parts)]
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const { offset, limit } = sliceOf(query)
  const shown = all.slice(offset, offset + limit)
  const counts = await countInvalid(
    ctx,
    shown.map(({ key }) => key),
  )
  const items = shown.map((one) => dtoOf(ctx, one, counts.get(one.key) ?? 0))
  return pageOf(items, all.length, query.page, false)
}

const requireSoundSchema = (schema: unknown): SchemaObject => {
  const faults = faultsOfSchema(schema)
  const [first] = faults
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields: faults })
  return schema as SchemaObject
}

const requireSecretRules = ({ is_public: isPublic, ...definition }: NewDefinition): void => {
  const fault = faultOfSecretSchema(definition.schema as SchemaObject)
  if (fault !== undefined) throw invalid('schema', fault)
  if (isPublic) throw invalid('public', 'must be false, for a secret')
  if (definition.default_value !== null) throw invalid('default', 'must be null, for a secret')
  if (definition.scopes.includes('user')) {
    throw invalid('scopes', 'must be global and tenant only, for a secret')
  }
}

/** Defaults of omitted fields. */
const omittedFields = {
  default: null as unknown,
  secret: false,
  public: false,
  label: '',
  description: '',
  group: '',
}

/** The definition in a request. Throws 400 if it is invalid. */
export const definitionOf = (key: string, input: PutDefinition): NewDefinition => {
  const schema = requireSoundSchema(input.schema)
  const complete = { ...omittedFields, ...input }
  const definition = {
    key,
    schema,
    default_value: complete.default,
    scopes: (['global', 'tenant', 'user'] as const).filter((scope) => input.scopes.includes(scope)),
    is_secret: complete.secret,
    is_public: complete.public,
    label: complete.label,
    description: complete.description,
    group_name: complete.group,
  }
  if (definition.is_secret) requireSecretRules(definition)
  if (definition.default_value !== null) requireDefault(schema, definition.default_value)
  return definition
}

const requireDefault = (schema: SchemaObject, value: unknown): void => {
  toJson(value, 'default')
  const fields = faultsOf(schema, value).map(({ field, message }): FieldError => ({
    field: field.replace(/^value/, 'default'),
    message,
  }))
  const [first] = fields
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields })
}

/** The fields that an audit record compares. */
const recorded = (definition: NewDefinition | undefined) =>
  definition
    ? {
        schema: definition.schema,
        default: definition.default_value,
        scopes: definition.scopes,
        encrypted: definition.is_secret,
        public: definition.is_public,
        label: definition.label,
        description: definition.description,
        group: definition.group_name,
      }
    : {}

/** The names of the fields in which two definitions differ. */
export const differencesOf = (before: NewDefinition | undefined, after: NewDefinition): string[] =>
  Object.keys(changesBetween(recorded(before), recorded(after)))

const changing = <T>(
  ctx: Ctx,
  key: string,
  change: (ctx: TransactionCtx, before: StoredDefinition | undefined) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    ({ db }) => {
      store.lockDeclaration(db, key)
      return store.selectDefinition(db, key)
    },
    async (ctx, before) => {
      ctx.changes.push({ kind: 'settings', tenantId: '', userId: 0 })
      return change(ctx, before)
    },
  )

/**
 * Declares a setting, or replaces its declaration. Throws 400 if the new schema refuses stored values. With `force` it
 * marks those values instead, and they have no effect.
 */
export const putDefinition = async (ctx: Ctx, key: string, input: PutDefinition): Promise<Definition> => {
  requireUnreserved(ctx, key)
  const definition = definitionOf(key, input)
  return changing(ctx, key, async (ctx, before) => {
    if (before && before.is_secret !== definition.is_secret) {
      throw invalid('secret', 'never changes. Delete the declaration first')
    }
    if (before && differencesOf(before, definition).length === 0) {
      return dtoOf(ctx, before, (await countMarked(ctx, before)).count)
    }
    return declare(ctx, before, { definition, isForced: input.force ?? false })
  })
}

const countMarked = (ctx: TransactionCtx, { key }: StoredDefinition) =>
  withPurgeRole(ctx, async () => {
    const [inTenants] = await store.countInvalid(ctx.db, [key])
    return inTenants
  }).then(async (inTenants) => {
    const global = await store.selectInvalidGlobal(ctx.db)
    return { count: (inTenants?.count ?? 0) + global.filter((one) => one.key === key).length }
  })

const withPurgeRole = async <T>({ db }: TransactionCtx, work: () => Promise<T>): Promise<T> => {
  await actAs(db, 'tenantry_purge')
  const result = await work()
  await actAs(db, 'tenantry_app')
  return result
}

const declare = async (
  ctx: TransactionCtx,
  before: StoredDefinition | undefined,
  { definition, isForced }: { definition: NewDefinition; isForced: boolean },
): Promise<Definition> => {
  const { key } = definition
  if (definition.is_secret && !before) await requireNoValue(ctx, key)
  const marked = definition.is_secret ? 0 : await markInvalid(ctx, definition, isForced)
  const after = await store.upsertDefinition(ctx.db, definition, ctx.parts.now())
  const { count, bytes } = await store.measureDefinitions(ctx.db)
  if (count > definitionsMax || bytes > bytesMax) {
    throw new AppError(
      'definitionsFull',
      `There is room for ${definitionsMax} declarations and 4 MiB of them. Delete one first`,
    )
  }
  record(ctx, {
    action: 'setting_definition.update',
    resourceId: key,
    detail: {
      ...naming({ key }),
      ...changesBetween(recorded(before), recorded(after)),
      ...(marked > 0 && { invalid: { from: null, to: marked } }),
    },
  })
  return dtoOf(ctx, after, marked)
}

/** Deletes a declaration, with its secrets, their history and the values of users. Plain values stay, undeclared. */
export const deleteDefinition = (ctx: Ctx, key: string): Promise<null> => {
  requireUnreserved(ctx, key)
  return changing(ctx, key, async (ctx, before) => {
    if (!before) throw undeclared()
    const { db } = ctx
    store.deleteDefinitionRow(db, key)
    store.markGlobal(db, key, false)
    store.enterDeclared(db, key)
    await withPurgeRole(ctx, async () => {
      store.unmarkOfTenants(db, key)
      store.deleteRowsOfKey(db, key, 'user_settings')
      if (before.is_secret) {
        store.deleteRowsOfKey(db, key, 'tenant_setting_secrets', 'global_setting_secrets')
        store.deleteRowsOfKey(db, key, 'tenant_setting_versions', 'global_setting_versions')
      }
    })
    record(ctx, {
      action: 'setting_definition.delete',
      resourceId: key,
      detail: { ...naming({ key }), ...changesBetween(recorded(before), {}) },
    })
    return null
  })
}

const setLock = (ctx: Ctx, key: string, isLocked: boolean): Promise<null> => {
  requireUnreserved(ctx, key)
  return changing(ctx, key, async (ctx, before) => {
    if (!before) throw undeclared()
    if (before.is_locked === isLocked) return null
    store.updateLock(ctx.db, key, isLocked)
    record(ctx, {
      action: isLocked ? 'setting.lock' : 'setting.unlock',
      resourceId: key,
      detail: { ...naming({ key }), locked: { from: before.is_locked, to: isLocked } },
    })
    return null
  })
}

/** Prevents tenants and users from setting the key. Their stored values stay, but have no effect. */
export const lockSettingKey = (ctx: Ctx, key: string): Promise<null> => setLock(ctx, key, true)

export const unlockSettingKey = (ctx: Ctx, key: string): Promise<null> => setLock(ctx, key, false)
