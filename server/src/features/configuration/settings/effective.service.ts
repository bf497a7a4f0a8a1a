/** The effective value is the user's, else the tenant's, else the installation's, else the default. */
import { inTenant, type BuiltInSetting, type Ctx, type Parts } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { builtInDeclarations } from './declared.service.ts'
import type { Effective } from './effective.schemas.ts'
import * as store from './effective.store.ts'

export type KeyFilter = store.KeyFilter

type Rows = ReadonlyMap<string, store.EffectiveRow>
type Scope = 'user' | 'tenant' | 'global'

const order: Scope[] = ['user', 'tenant', 'global']

const byKey = <T extends { key: string }>(rows: T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.key, row]))

/** True if the stored value has an effect under its declaration. */
const counts = (definition: store.EffectiveDefinition, scope: Scope, row: store.EffectiveRow): boolean =>
  definition.scopes.includes(scope) &&
  !(definition.is_locked && scope !== 'global') &&
  !row.is_invalid &&
  row.is_secret === definition.is_secret

/** The stored values that count, the strongest first. */
const countingOf = (
  key: string,
  stored: Record<Scope, Rows>,
  definition: store.EffectiveDefinition | undefined,
): { scope: Scope; row: store.EffectiveRow }[] =>
  order.flatMap((scope) => {
    const row = stored[scope].get(key)
    return row && (!definition || counts(definition, scope, row)) ? [{ scope, row }] : []
  })

const undeclared = { default_value: null, is_locked: false, is_secret: false }

interface Declared {
  definition: store.EffectiveDefinition | undefined
  merge: BuiltInSetting['merge']
}

const effectiveOf = (
  key: string,
  stored: Record<Scope, Rows>,
  { definition, merge }: Declared,
): Effective => {
  const counting = countingOf(key, stored, definition)
  const [first] = counting
  const { default_value: byDefault, is_locked, is_secret } = definition ?? undeclared
  return first
    ? {
        key,
        value: merge
          ? merge(Object.fromEntries(counting.map(({ scope, row }) => [scope, row.value])))
          : first.row.value,
        origin: first.scope,
        is_locked,
        is_secret,
        is_set: true,
        updated_at: first.row.updated_at,
      }
    : { key, value: byDefault, origin: 'default', is_locked, is_secret, is_set: false, updated_at: '' }
}

const builtInMatching = (parts: Parts, { prefix = '', keys, isPublicOnly }: KeyFilter) =>
  isPublicOnly
    ? []
    : builtInDeclarations(parts).filter(
        ({ key }) => key.startsWith(prefix) && (keys === undefined || keys.includes(key)),
      )

/** Reads the effective values for a user of the tenant in scope. With `userId` 0 it reads the tenant's. */
export const readEffective = async (ctx: Ctx, userId: number, filter: KeyFilter): Promise<Effective[]> => {
  const { db, tenantId, parts } = ctx
  const [declared, global, tenant, user] = await Promise.all([
    store.selectEffectiveDefinitions(db, filter),
    store.selectGlobalRows(inTenant(ctx, builtInTenant.id).db, filter),
    store.selectTenantRows(db, tenantId, filter),
    userId === 0 ? [] : store.selectUserRows(db, tenantId, userId, filter),
  ])
  const definitions = byKey<store.EffectiveDefinition>([...declared, ...builtInMatching(parts, filter)])
  const stored = { user: byKey(user), tenant: byKey(tenant), global: byKey(global) }
  const keys = new Set([...definitions.keys(), ...stored.tenant.keys(), ...stored.global.keys()])
  return [...keys]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) =>
      effectiveOf(key, stored, {
        definition: definitions.get(key),
        merge: parts.builtInSettings.get(key)?.merge,
      }),
    )
}
