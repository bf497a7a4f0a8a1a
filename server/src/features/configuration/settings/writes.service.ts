/** Writing a value: the rules of its declaration, the bound of its scope, its version and its record. */
import { inTransactionAfter, type Ctx, type EarlyCtx, type TransactionCtx } from '../../../context.ts'
import { requireVersion } from '../../../values/entity-tags.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { loggable, naming, record } from '../../audit/audit/audit.service.ts'
import { lockFor, settleBuiltIn } from './built-in-effects.service.ts'
import { selectDefinition, type StoredDefinition } from './definitions.store.ts'
import { insertVersion } from './history.store.ts'
import { faultsOf } from './schema-validator.ts'
import * as secrets from './secrets.store.ts'
import type { SettingPlace } from './setting-places.sql.ts'
import * as store from './settings.store.ts'

export const settingUnknown = () => new AppError('settingUnknown', 'The setting does not exist')

/** The new value of a setting. */
export interface Write {
  place: SettingPlace
  value: unknown
  /** The value as JSON text. */
  json: string
  /** The header If-Match. */
  ifMatch: string | undefined
  /** The version whose value is written again. */
  revertedFrom: number | undefined
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

/** Thrown to roll back a write that must count the scope, and therefore hold it alone. */
class Crowded extends Error {}

/** Thrown to roll back a write whose declaration has become or ceased to be that of a secret. */
class Redeclared extends Error {}

/** Throws 403 when the key is locked for a tenant, and 400 for a scope or a value that its declaration refuses. */
export const requireDeclared = (
  definition: StoredDefinition | undefined,
  scope: 'global' | 'tenant' | 'user',
  value: unknown,
): void => {
  if (!definition) return
  if (definition.is_locked && scope !== 'global') {
    throw new AppError(
      'settingLocked',
      'The installation has locked this setting. Ask a platform administrator',
    )
  }
  if (!definition.scopes.includes(scope)) {
    throw invalid('key', `is declared for the scopes ${definition.scopes.join(', ')} only`)
  }
  const fields = faultsOf(definition.schema, value)
  const [first] = fields
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields })
}

const scopeOf = ({ tenantId }: SettingPlace) => (tenantId === undefined ? 'global' : 'tenant')

/** The key decides whether the log may show the value. */
const valueChange = (key: string, from: unknown, to: unknown) => ({
  ...naming({ key }),
  value: { from: loggable(key, from), to: loggable(key, to) },
})

/** Tells that a secret has been set, and never to which value. */
const secretChange = (key: string, wasSet: boolean, isSet: boolean) => ({
  ...naming({ key }),
  value: { from: wasSet ? '[secret]' : null, to: isSet ? '[secret]' : null },
})

const toldOf = ({ tenantId = '' }: SettingPlace) => ({ kind: 'settings', tenantId, userId: 0 }) as const

/** The present version behind the lock, where a header asks for it. */
const presentFor = async ({ db }: EarlyCtx, { place, ifMatch }: Pick<Write, 'place' | 'ifMatch'>) =>
  ifMatch === undefined ? undefined : (await store.selectPresentVersion(db, place))?.version

const recordPut = (
  ctx: TransactionCtx,
  { place, value, json, revertedFrom }: Write,
  { existed, before, version }: store.WrittenSetting,
): void => {
  insertVersion(ctx.db, place, {
    version,
    valueJson: json,
    isDeleted: false,
    changedBy: ctx.actor.userId,
    now: ctx.parts.now(),
    revertedFrom,
  })
  const detail = valueChange(place.key, before, value)
  if (revertedFrom === undefined) {
    const action = existed ? 'setting.update' : 'setting.create'
    return record(ctx, { action, resourceId: place.key, detail })
  }
  const reverted = { ...detail, reverted_from: { from: null, to: revertedFrom } }
  record(ctx, { action: 'setting.revert', resourceId: place.key, detail: reverted })
}

const writePlain = (ctx: Ctx, write: Write, alone: boolean): Promise<void> => {
  const { place, json } = write
  return inTransactionAfter(
    ctx,
    (early) => {
      const { db, parts } = early
      store.lockSetting(db, place, alone)
      return Promise.all([
        presentFor(early, write),
        selectDefinition(db, place.key),
        store.writeSetting(db, place, json, parts.now()),
        store.measureSettings(db, place.tenantId),
      ])
    },
    async (ctx, [present, definition, written, size]) => {
      if (definition?.is_secret) throw new Redeclared()
      requireVersion(write.ifMatch, present)
      requireDeclared(definition, scopeOf(place), write.value)
      // A caller who may not change the setting is refused for its present value too.
      await settleBuiltIn(ctx, place)
      if (!written || !size) return
      if (alone) requireRoom(size)
      else if (!isFarFromFull(size, written.length)) throw new Crowded()
      ctx.changes.push(toldOf(place))
      recordPut(ctx, write, written)
    },
    lockFor(place),
  )
}

/** A secret has up to 8 KiB. */
const secretBytesMax = 8192

const requireSecretValue = (definition: StoredDefinition, { place, value, revertedFrom }: Write): string => {
  if (revertedFrom !== undefined) {
    throw invalid('version', 'is that of a secret, whose earlier values are gone')
  }
  requireDeclared(definition, scopeOf(place), value)
  const text = String(value)
  if (Buffer.byteLength(text) > secretBytesMax) throw invalid('value', 'must have at most 8 KiB, as a secret')
  return text
}

/** Stores a secret. Every write is a change: an equal value must not be told from another one. */
const writeSecret = (ctx: Ctx, write: Write): Promise<void> => {
  const { place } = write
  return inTransactionAfter(
    ctx,
    ({ db }) => {
      store.lockSetting(db, place, true)
      return Promise.all([
        secrets.selectSecretVersion(db, place),
        selectDefinition(db, place.key),
        store.measureSettings(db, place.tenantId),
      ])
    },
    async (ctx, [present, definition, size]) => {
      if (!definition?.is_secret || !size) throw new Redeclared()
      requireVersion(write.ifMatch, present?.version)
      const text = requireSecretValue(definition, write)
      const sealed = ctx.parts.secrets.seal(text, secrets.bindingOf(place))
      const isNew = present === undefined
      requireRoom({ entries: size.entries + Number(isNew), length: size.length + sealed.length })
      await storeSecret(ctx, place, sealed, isNew)
    },
  )
}

const storeSecret = async (
  ctx: TransactionCtx,
  place: SettingPlace,
  sealed: Buffer,
  isNew: boolean,
): Promise<void> => {
  const { db, parts, actor } = ctx
  const now = parts.now()
  const { version } = await secrets.upsertSecret(db, place, sealed, now)
  const row = { version, valueJson: undefined, isDeleted: false, revertedFrom: undefined }
  insertVersion(db, place, { ...row, changedBy: actor.userId, now })
  ctx.changes.push(toldOf(place))
  record(ctx, {
    action: isNew ? 'setting.create' : 'setting.update',
    resourceId: place.key,
    detail: secretChange(place.key, !isNew, true),
  })
}

/** Creates or replaces a setting. Waits only for writers of the same key, unless the scope is more than half full. */
export const writeValue = async (ctx: Ctx, write: Write, isSecret: boolean): Promise<null> => {
  const attempt = (secret: boolean): Promise<void> =>
    secret
      ? writeSecret(ctx, write)
      : writePlain(ctx, write, false).catch((err: unknown) => {
          if (!(err instanceof Crowded)) throw err
          return writePlain(ctx, write, true)
        })
  await attempt(isSecret).catch((err: unknown) => {
    if (!(err instanceof Redeclared)) throw err
    return attempt(!isSecret)
  })
  return null
}

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
  ctx.changes.push(toldOf(place))
  const { key } = place
  const isSecret = !('value' in removed)
  record(ctx, {
    action: 'setting.delete',
    resourceId: key,
    detail: isSecret ? secretChange(key, true, false) : valueChange(key, removed.value, null),
  })
}

/** Deletes a setting or a secret. */
export const removeValue = (ctx: Ctx, { place, ifMatch }: Pick<Write, 'place' | 'ifMatch'>): Promise<null> =>
  inTransactionAfter(
    ctx,
    (early) => {
      const { db } = early
      store.lockSetting(db, place, false)
      return Promise.all([
        presentFor(early, { place, ifMatch }),
        store.deleteSettingRow(db, place),
        secrets.deleteSecretRow(db, place),
      ])
    },
    async (ctx, [present, plain, secret]) => {
      const removed = plain ?? secret
      if (!removed) throw settingUnknown()
      requireVersion(ifMatch, present)
      await settleBuiltIn(ctx, place)
      recordRemoval(ctx, place, removed)
      return null
    },
    lockFor(place),
  )
