/** Reads secrets. Only keys of service accounts may read them. Each first read in an hour writes an audit record. */
import { inTenant, inTransaction, type Ctx, type Parts, type TransactionCtx } from '../../../context.ts'
import { actAs } from '../../../db/scope.ts'
import { sweep } from '../../../db/sweep.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { requireKey } from '../../../access/policies.ts'
import { secretsOff } from '../../../crypto/secrets.ts'
import { naming, recordEach } from '../../audit/audit/audit.service.ts'
import type { SecretValue } from './secrets.schemas.ts'
import { selectEffectiveDefinitions, type EffectiveDefinition } from './effective.store.ts'
import * as store from './secrets.store.ts'

/** Further reads by the same account within this time write no record. */
const quietMs = 3_600_000

type Sealed = ReadonlyMap<string, store.SealedSetting>

const byKey = (rows: store.SealedSetting[]): Sealed => new Map(rows.map((row) => [row.key, row]))

const open = (
  { parts, tenantId }: Ctx,
  { key, scopes, is_locked: isLocked }: EffectiveDefinition,
  stored: { tenant: Sealed; global: Sealed },
): SecretValue | undefined => {
  const ofTenant = !isLocked && scopes.includes('tenant') ? stored.tenant.get(key) : undefined
  if (ofTenant) {
    const value = parts.secrets.open(ofTenant.sealed, store.bindingOf({ tenantId, key }))
    return { key, value, origin: 'tenant' }
  }
  const ofAll = scopes.includes('global') ? stored.global.get(key) : undefined
  if (!ofAll) return undefined
  const value = parts.secrets.open(ofAll.sealed, store.bindingOf({ tenantId: undefined, key }))
  return { key, value, origin: 'global' }
}

/** Before it returns any value, writes an audit record of the keys that the account has not read within the hour. */
const recordReads = async (ctx: Ctx, keys: string[]): Promise<void> => {
  const now = ctx.parts.now()
  const reader = {
    tenantId: ctx.tenantId,
    accountId: ctx.actor.userId,
    since: new Date(now.getTime() - quietMs),
  }
  const noted = new Set((await store.selectReadKeys(ctx.db, reader)).map(({ key }) => key))
  const fresh = keys.filter((key) => !noted.has(key))
  if (fresh.length === 0) return
  await inTransaction(ctx, async (ctx) => {
    const first = await store.upsertReads(ctx.db, reader, fresh.toSorted(), now)
    const entries = first.map(({ key }) => ({
      action: 'setting.secret_read' as const,
      resourceId: key,
      detail: naming({ key }),
    }))
    if (entries.length > 0) recordEach(ctx, entries)
  })
}

/** Deletes the secrets of all tenants, because the key that encrypts them is lost. */
export const forgetSecretSettings = async (ctx: TransactionCtx): Promise<void> => {
  await actAs(ctx.db, 'tenantry_purge')
  store.deleteAllSecrets(ctx.db)
  await actAs(ctx.db, 'tenantry_app')
  ctx.changes.push({ kind: 'settings', tenantId: '', userId: 0 })
}

/** Deletes old versions, and the entries of old reads. */
export const sweepSettings = async ({ store: database }: Pick<Parts, 'store'>): Promise<void> => {
  for (const past of store.oldRows) await sweep(database, past)
}

/** Returns the values of those keys that are set, for the key of a service account. */
export const readSecrets = async (ctx: Ctx, asked: string[]): Promise<SecretValue[]> => {
  requireKey(ctx.actor)
  if (!ctx.parts.secrets.isOn) throw secretsOff()
  const keys = [...new Set(asked)]
  const filter = { prefix: undefined, keys, isPublicOnly: false }
  const [definitions, tenant, global] = await Promise.all([
    selectEffectiveDefinitions(ctx.db, filter),
    store.selectSecretsOfTenant(ctx.db, ctx.tenantId, keys),
    store.selectGlobalSecrets(inTenant(ctx, builtInTenant.id).db, keys),
  ])
  const stored = { tenant: byKey(tenant), global: byKey(global) }
  const values = definitions.filter((one) => one.is_secret).flatMap((one) => open(ctx, one, stored) ?? [])
  const found = values.map(({ key }) => key)
  if (found.length > 0) await recordReads(ctx, found)
  return values.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}
