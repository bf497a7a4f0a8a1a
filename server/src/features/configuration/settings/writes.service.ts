/** Writes a value. Checks its declaration and the limits of its scope; adds a version and an audit record. */
import { actingIn } from '../../../access/actor.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { refuseSupport } from '../../../access/policies.ts'
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
import {
  declarationFor,
  findDeclaration,
  isReserved,
  requireDeclared,
  type SecretKeys,
} from './declared.service.ts'
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
 * Writers of values up to this length share a scope that is at most half full. 500 concurrent writers add at most 500
 * entries and 2 MiB (docs/decisions/0281-settings.md).
 */
const smallLength = 4096

const isFarFromFull = ({ entries, length, grown }: Written): boolean =>
  entries <= entriesMax / 2 && length <= lengthMax / 2 && grown <= smallLength

/**
 * Thrown to roll back a write that must count its scope. The write then runs again and excludes other writers of the
 * scope.
 */
class Crowded extends Error {}

const scopeOf = ({ tenantId }: SettingPlace) => (tenantId === undefined ? 'global' : 'tenant')

/** Redacts a value by its key's name, because the name can suggest a secret. */
const valueChange = (key: string, from: unknown, to: unknown) => ({
  ...naming({ key }),
  value: { from: loggable(key, from), to: loggable(key, to) },
})

/** Shows that a secret is set, never its value. */
const secretChange = (key: string, wasSet: boolean, isSet: boolean) => ({
  ...naming({ key }),
  value: { from: wasSet ? '[secret]' : null, to: isSet ? '[secret]' : null },
})

const effectOf = ({ tenantId }: SettingPlace) => ({ isEverywhere: tenantId === undefined })

const invalidationOf = ({ tenantId = '' }: SettingPlace) =>
  ({ kind: 'settings', tenantId, userId: 0 }) as const

/** If the request has If-Match, reads the present version behind the lock. */
const readPresentVersion = async ({ db }: EarlyCtx, { place, ifMatch }: Pick<Write, 'place' | 'ifMatch'>) =>
  ifMatch === undefined ? undefined : (await store.selectPresentVersion(db, place))?.version

/** A written value. */
interface Written extends Pick<store.WrittenSetting, 'existed' | 'before' | 'grown' | 'entries' | 'length'> {
  isSecret: boolean
}

const recordPut = (
  ctx: TransactionCtx,
  { place, value, revertedFrom }: Write,
  { existed, before, isSecret }: Written,
): void => {
  ctx.changes.push(invalidationOf(place))
  const { key } = place
  const detail = isSecret ? secretChange(key, existed, true) : valueChange(key, before, value)
  if (revertedFrom === undefined) {
    const action = existed ? 'setting.update' : 'setting.create'
    return record(ctx, { action, resourceId: key, detail, effect: effectOf(place) })
  }
  const reverted = { ...detail, reverted_from: { from: null, to: revertedFrom } }
  record(ctx, { action: 'setting.revert', resourceId: key, detail: reverted, effect: effectOf(place) })
}

const changeBy = ({ actor, parts }: Ctx, { revertedFrom }: Pick<Input, 'revertedFrom'>) => ({
  changedBy: actingIn(actor).userId,
  now: parts.now(),
  revertedFrom,
})

/** Writes no value if the key is declared secret. */
const writePlain = (ctx: Ctx, write: Write) =>
  store.upsertSetting(ctx.db, write.place, { valueJson: write.json, ...changeBy(ctx, write) })

/** A secret has up to 8 KiB. */
const secretBytesMax = 8192

/** Every write of a secret counts as a change, so that nobody can test a guess of its value. */
const writeSecret = async (ctx: TransactionCtx, write: Write): Promise<Written> => {
  const { db, parts } = ctx
  const { place } = write
  const text = String(write.value)
  if (Buffer.byteLength(text) > secretBytesMax) throw invalid('value', 'must have at most 8 KiB, as a secret')
  const sealed = parts.secrets.seal(text, secrets.bindingOf(place))
  const [written, size] = await Promise.all([
    secrets.upsertSecret(db, place, sealed, parts.now()),
    store.measureSettings(db, place.tenantId),
  ])
  insertVersion(db, place, { ...changeBy(ctx, write), version: written.version, isDeleted: false })
  return { ...written, ...size, before: undefined, grown: sealed.length, isSecret: true }
}

const readDeclaration = async (ctx: Ctx, key: string, plain: store.WrittenSetting | undefined) =>
  plain ? declarationFor(ctx.parts, key, plain.declaration) : findDeclaration(ctx, key)

/**
 * Stores the value in the table that its declaration requires, unless `plain` has stored it. Returns undefined for no
 * change.
 */
const storeDeclared = async (
  ctx: TransactionCtx,
  write: Write,
  plain: store.WrittenSetting | undefined,
): Promise<Written | undefined> => {
  const { place, value } = write
  const declaration = await readDeclaration(ctx, place.key, plain)
  if (declaration?.is_secret && write.revertedFrom !== undefined) {
    throw invalid('version', 'is that of a secret, whose earlier values are gone')
  }
  requireDeclared(declaration, scopeOf(place), value)
  if (declaration?.is_secret) {
    refuseSupport(ctx.actor)
    return writeSecret(ctx, write)
  }
  const { version, ...written } = plain ?? (await writePlain(ctx, write))
  return version === null ? undefined : { ...written, isSecret: false }
}

/**
 * Writes a value in a transaction of its own. If the replica has not cached the key as secret, the plain write is one
 * of the first statements. It also reads the declaration, and has no effect for a declared secret.
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
        write.isKnownSecret ? undefined : writePlain({ ...ctx, db: early.db }, write),
      ])
    },
    async (ctx, [present, plain]) => {
      requireVersion(write.ifMatch, present)
      const written = await storeDeclared(ctx, write, plain)
      // A caller without the permission is refused even if the value is unchanged.
      await builtIn?.apply?.(ctx, scopeOf(place))
      if (!written) return null
      if (isExclusive) requireRoom(written)
      else if (!isFarFromFull(written)) throw new Crowded()
      recordPut(ctx, write, written)
      return null
    },
    builtIn?.lock,
  )
}

const ofInstallation = (ctx: Ctx): Ctx => inTenant(ctx, builtInTenant.id)

/** Throws 403 in a support session for a setting that Tenantry reads. It reaches only settings of the product. */
const refuseOwnOfTenantry = ({ actor, parts }: Ctx, key: string): void => {
  if (isReserved(parts, key)) refuseSupport(actor)
}

/** Waits only for writers of the same key, unless the scope is more than half full. */
const put = async (ctx: Ctx, secretKeys: SecretKeys, place: SettingPlace, input: Input): Promise<null> => {
  refuseOwnOfTenantry(ctx, place.key)
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
  insertVersion(ctx.db, place, { ...changeBy(ctx, {}), version: removed.version + 1, isDeleted: true })
  ctx.changes.push(invalidationOf(place))
  const { key } = place
  const isSecret = !('value' in removed)
  record(ctx, {
    action: 'setting.delete',
    resourceId: key,
    detail: isSecret ? secretChange(key, true, false) : valueChange(key, removed.value, null),
    effect: effectOf(place),
  })
}

const removeValue = (ctx: Ctx, place: SettingPlace, ifMatch: string | undefined): Promise<null> => {
  refuseOwnOfTenantry(ctx, place.key)
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
      if (secret) refuseSupport(ctx.actor)
      requireVersion(ifMatch, present)
      await builtIn?.apply?.(ctx, scopeOf(place))
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
