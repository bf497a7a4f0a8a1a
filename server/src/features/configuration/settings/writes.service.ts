/** Writes a value: checks its declaration and the bound of its scope, and adds its version and its audit record. */
import { builtInTenant } from '../../../access/permissions.ts'
import {
  inTenant,
  inTransactionAfter,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
} from '../../../context.ts'
import { requireVersion } from '../../../values/entity-tags.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { loggable, naming, record } from '../../audit/audit/audit.service.ts'
import { findDeclaration, requireDeclared, type Declaration, type SecretKeys } from './declared.service.ts'
import { insertVersion } from './history.store.ts'
import * as secrets from './secrets.store.ts'
import type { SettingPlace } from './setting-places.sql.ts'
import * as store from './settings.store.ts'

export const settingUnknown = () => new AppError('settingUnknown', 'The setting does not exist')

/** A value has up to 64 KiB (docs/contract.md, "Settings"). */
const valueBytesMax = 65_536

/** Serialises a field. Throws 400 if the JSON is too large. */
export const toJson = (value: unknown, field = 'value'): string => {
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > valueBytesMax) throw invalid(field, 'must have at most 64 KiB as JSON')
  return json
}

/** The value and conditions of a write, without its key and scope. */
export interface Input {
  value: unknown
  /** The header If-Match. */
  ifMatch: string | undefined
  /** The version whose value is written again. */
  revertedFrom?: number | undefined
}

/** The new value of a setting. */
interface Write extends Input {
  place: SettingPlace
  /** The value as JSON text. */
  json: string
  /** True if this replica has cached the key as secret. */
  isKnownSecret: boolean
}

/**
 * Lists of settings have no pages, so a scope is bounded: 1,000 entries, and 4,194,304 characters of values as JSON.
 */
const entriesMax = 1000
const lengthMax = 4_194_304

const requireRoom = ({ entries, length }: store.SettingsSize): void => {
  if (entries > entriesMax || length > lengthMax) {
    throw new AppError(
      'settingsFull',
      `There is room for ${entriesMax} settings and 4 MiB of values. Delete what is not needed`,
    )
  }
}

/**
 * Writers of values up to this length share a scope that is at most half full. 500 concurrent ones add at most 500
 * entries and 2 MiB (docs/decisions/0281-settings.md).
 */
const smallLength = 4096

const isFarFromFull = ({ entries, length }: store.SettingsSize, own: number): boolean =>
  entries <= entriesMax / 2 && length <= lengthMax / 2 && own <= smallLength

/** Thrown to roll back a write that must count its scope, and therefore exclude other writers of it. */
class Crowded extends Error {}

const scopeOf = ({ tenantId }: SettingPlace) => (tenantId === undefined ? 'global' : 'tenant')

/** Redacts a value by its key's name, because such a key can name a secret. */
const valueChange = (key: string, from: unknown, to: unknown) => ({
  ...naming({ key }),
  value: { from: loggable(key, from), to: loggable(key, to) },
})

/** Shows that a secret was set, never its value. */
const secretChange = (key: string, wasSet: boolean, isSet: boolean) => ({
  ...naming({ key }),
  value: { from: wasSet ? '[secret]' : null, to: isSet ? '[secret]' : null },
})

const invalidationOf = ({ tenantId = '' }: SettingPlace) =>
  ({ kind: 'settings', tenantId, userId: 0 }) as const

/** The present version, read behind the lock, if the request has If-Match. */
const readPresentVersion = async ({ db }: EarlyCtx, { place, ifMatch }: Pick<Write, 'place' | 'ifMatch'>) =>
  ifMatch === undefined ? undefined : (await store.selectPresentVersion(db, place))?.version

interface Written extends store.WrittenSetting {
  isSecret: boolean
}

const recordPut = (
  ctx: TransactionCtx,
  { place, value, json, revertedFrom }: Write,
  { existed, before, version, isSecret }: Written,
): void => {
  insertVersion(ctx.db, place, {
    version,
    valueJson: isSecret ? undefined : json,
    isDeleted: false,
    changedBy: ctx.actor.userId,
    now: ctx.parts.now(),
    revertedFrom,
  })
  ctx.changes.push(invalidationOf(place))
  const { key } = place
  const detail = isSecret ? secretChange(key, existed, true) : valueChange(key, before, value)
  if (revertedFrom === undefined) {
    const action = existed ? 'setting.update' : 'setting.create'
    return record(ctx, { action, resourceId: key, detail })
  }
  const reverted = { ...detail, reverted_from: { from: null, to: revertedFrom } }
  record(ctx, { action: 'setting.revert', resourceId: key, detail: reverted })
}

/** The written setting (undefined if unchanged), and the size of its scope afterwards. */
type Outcome = [Written | undefined, store.SettingsSize]

/** Writes no value of a key that is declared secret. */
const writePlain = async (ctx: EarlyCtx, { place, json }: Write): Promise<Outcome> => {
  const { db, parts } = ctx
  const [written, size] = await Promise.all([
    store.upsertSetting(db, place, json, parts.now()),
    store.measureSettings(db, place.tenantId),
  ])
  return [written && { ...written, isSecret: false }, size]
}

/** A secret has up to 8 KiB. */
const secretBytesMax = 8192

/** Every write of a secret counts as a change, so that nobody can test a guess of its value. */
const writeSecret = async ({ db, parts }: TransactionCtx, { place, value }: Write): Promise<Outcome> => {
  const text = String(value)
  if (Buffer.byteLength(text) > secretBytesMax) throw invalid('value', 'must have at most 8 KiB, as a secret')
  const sealed = parts.secrets.seal(text, secrets.bindingOf(place))
  const [written, size] = await Promise.all([
    secrets.upsertSecret(db, place, sealed, parts.now()),
    store.measureSettings(db, place.tenantId),
  ])
  return [{ ...written, before: undefined, length: sealed.length, isSecret: true }, size]
}

/**
 * Stores the value as plain or secret, as its declaration requires. `plain` is the outcome of the write that has
 * already run.
 */
const storeDeclared = async (
  ctx: TransactionCtx,
  write: Write,
  declaration: Declaration | undefined,
  plain: Outcome | undefined,
): Promise<Outcome> => {
  const isSecret = declaration?.is_secret ?? false
  if (isSecret && write.revertedFrom !== undefined) {
    throw invalid('version', 'is that of a secret, whose earlier values are gone')
  }
  requireDeclared(declaration, scopeOf(write.place), write.value)
  return isSecret ? writeSecret(ctx, write) : (plain ?? writePlain(ctx, write))
}

/**
 * Writes a value in a transaction of its own. Without a cached secret key, the plain write leaves with the first
 * statements, which also read the declaration. If that declares a secret, the plain write has no effect.
 */
const writeOnce = (ctx: Ctx, write: Write, isExclusive: boolean): Promise<null> => {
  const { place } = write
  const builtIn = ctx.parts.builtInSettings.get(place.key)
  return inTransactionAfter(
    ctx,
    (early) => {
      store.lockSetting(early.db, place, isExclusive)
      return Promise.all([
        readPresentVersion(early, write),
        findDeclaration(early, place.key),
        write.isKnownSecret ? undefined : writePlain(early, write),
      ])
    },
    async (ctx, [present, declaration, plain]) => {
      requireVersion(write.ifMatch, present)
      const [written, size] = await storeDeclared(ctx, write, declaration, plain)
      // A caller without the permission is refused even if the value is unchanged.
      await builtIn?.settle?.(ctx, scopeOf(place))
      if (!written) return null
      if (isExclusive) requireRoom(size)
      else if (!isFarFromFull(size, written.length)) throw new Crowded()
      recordPut(ctx, write, written)
      return null
    },
    builtIn?.lock,
  )
}

const ofInstallation = (ctx: Ctx): Ctx => inTenant(ctx, builtInTenant.id)

/** Waits only for writers of the same key, unless the scope is more than half full. */
const put = async (ctx: Ctx, secretKeys: SecretKeys, place: SettingPlace, input: Input): Promise<null> => {
  const json = toJson(input.value)
  const write = { ...input, place, json, isKnownSecret: await secretKeys.has(ctx.db, place.key) }
  return writeOnce(ctx, write, false).catch((err: unknown) => {
    if (!(err instanceof Crowded)) throw err
    return writeOnce(ctx, write, true)
  })
}

/** Creates or replaces a global setting, recorded in the built-in tenant. */
export const putGlobalSetting = (
  ctx: Ctx,
  secretKeys: SecretKeys,
  key: string,
  input: Input,
): Promise<null> => put(ofInstallation(ctx), secretKeys, { tenantId: undefined, key }, input)

/** Creates or replaces a setting of the tenant in scope. */
export const putTenantSetting = (
  ctx: Ctx,
  secretKeys: SecretKeys,
  key: string,
  input: Input,
): Promise<null> => put(ctx, secretKeys, { tenantId: ctx.tenantId, key }, input)

const recordRemoval = (
  ctx: TransactionCtx,
  place: SettingPlace,
  removed: { value?: unknown; version: number },
): void => {
  insertVersion(ctx.db, place, {
    version: removed.version + 1,
    valueJson: undefined,
    isDeleted: true,
    changedBy: ctx.actor.userId,
    now: ctx.parts.now(),
    revertedFrom: undefined,
  })
  ctx.changes.push(invalidationOf(place))
  const { key } = place
  const isSecret = !('value' in removed)
  record(ctx, {
    action: 'setting.delete',
    resourceId: key,
    detail: isSecret ? secretChange(key, true, false) : valueChange(key, removed.value, null),
  })
}

const removeValue = (ctx: Ctx, place: SettingPlace, ifMatch: string | undefined): Promise<null> => {
  const builtIn = ctx.parts.builtInSettings.get(place.key)
  return inTransactionAfter(
    ctx,
    (early) => {
      const { db } = early
      store.lockSetting(db, place, false)
      return Promise.all([
        readPresentVersion(early, { place, ifMatch }),
        store.deleteSettingRow(db, place),
        secrets.deleteSecretRow(db, place),
      ])
    },
    async (ctx, [present, plain, secret]) => {
      const removed = plain ?? secret
      if (!removed) throw settingUnknown()
      requireVersion(ifMatch, present)
      await builtIn?.settle?.(ctx, scopeOf(place))
      recordRemoval(ctx, place, removed)
      return null
    },
    builtIn?.lock,
  )
}

/** Deletes a global setting or secret, recorded in the built-in tenant. */
export const deleteGlobalSetting = (ctx: Ctx, key: string, ifMatch: string | undefined): Promise<null> =>
  removeValue(ofInstallation(ctx), { tenantId: undefined, key }, ifMatch)

/** Deletes a setting or secret of the tenant in scope. */
export const deleteTenantSetting = (ctx: Ctx, key: string, ifMatch: string | undefined): Promise<null> =>
  removeValue(ctx, { tenantId: ctx.tenantId, key }, ifMatch)
