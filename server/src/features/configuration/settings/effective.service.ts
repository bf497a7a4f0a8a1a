/** The value that counts: of the user, else the tenant, else the installation, else the default. */
import { createHash } from 'node:crypto'
import { inTenant, type Ctx } from '../../../context.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { may, policies, requireMay } from '../../../access/policies.ts'
import { getUser } from '../../accounts/users/users.service.ts'
import { builtInDefinitions } from './built-in-definitions.ts'
import type { Effective, EffectiveQuery } from './effective.schemas.ts'
import * as store from './effective.store.ts'
import type { RememberedAnswer, SettingsMemory } from './settings-memory.service.ts'
import { settingUnknown } from './writes.service.ts'

type Rows = ReadonlyMap<string, store.EffectiveRow>
type Scope = 'user' | 'tenant' | 'global'

const order: Scope[] = ['user', 'tenant', 'global']

const byKey = <T extends { key: string }>(rows: T[]): Map<string, T> =>
  new Map(rows.map((row) => [row.key, row]))

/** Whether a stored value counts under its declaration. */
const counts = (definition: store.EffectiveDefinition, scope: Scope, row: store.EffectiveRow): boolean =>
  definition.scopes.includes(scope) &&
  !(definition.is_locked && scope !== 'global') &&
  !row.is_invalid &&
  row.is_secret === definition.is_secret

const firstOf = (
  key: string,
  stored: Record<Scope, Rows>,
  definition: store.EffectiveDefinition | undefined,
): { scope: Scope; row: store.EffectiveRow } | undefined => {
  for (const scope of order) {
    const row = stored[scope].get(key)
    if (row && (!definition || counts(definition, scope, row))) return { scope, row }
  }
  return undefined
}

const undeclared = { default_value: null, is_locked: false, is_secret: false }

const effectiveOf = (
  key: string,
  stored: Record<Scope, Rows>,
  definition: store.EffectiveDefinition | undefined,
): Effective => {
  const first = firstOf(key, stored, definition)
  const { default_value: byDefault, is_locked, is_secret } = definition ?? undeclared
  return first
    ? {
        key,
        value: first.row.value,
        origin: first.scope,
        is_locked,
        is_secret,
        is_set: true,
        updated_at: first.row.updated_at,
      }
    : { key, value: byDefault, origin: 'default', is_locked, is_secret, is_set: false, updated_at: '' }
}

const builtInMatching = ({ prefix = '', keys, isPublicOnly }: store.KeyFilter) =>
  isPublicOnly
    ? []
    : [...builtInDefinitions.values()].filter(
        ({ key }) => key.startsWith(prefix) && (keys === undefined || keys.includes(key)),
      )

/** Reads the effective values of a user of the tenant in scope; 0 for no user. */
const readEffective = async (ctx: Ctx, userId: number, filter: store.KeyFilter): Promise<Effective[]> => {
  const { db, tenantId } = ctx
  const [declared, global, tenant, user] = await Promise.all([
    store.selectEffectiveDefinitions(db, filter),
    store.selectGlobalRows(inTenant(ctx, builtInTenant.id).db, filter),
    store.selectTenantRows(db, tenantId, filter),
    userId === 0 ? [] : store.selectUserRows(db, tenantId, userId, filter),
  ])
  const definitions = byKey<store.EffectiveDefinition>([...declared, ...builtInMatching(filter)])
  const stored = { user: byKey(user), tenant: byKey(tenant), global: byKey(global) }
  const keys = new Set([...definitions.keys(), ...stored.tenant.keys(), ...stored.global.keys()])
  return [...keys]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((key) => effectiveOf(key, stored, definitions.get(key)))
}

/** The user whose values are asked for; 0 for none. Throws 403 for another user without `user:read`. */
const subjectOf = ({ actor, tenantId }: Ctx, userId: number | undefined): number => {
  const isHome = actor.key === undefined && actor.tenantId === tenantId
  if (userId === undefined) return isHome ? actor.userId : 0
  if (!isHome || userId !== actor.userId) requireMay(actor, policies.readSettingsOfUser, undefined)
  return userId
}

/** A question can name a hundred keys. */
const shortened = (question: string): string =>
  question.length < 500 ? question : createHash('sha256').update(question).digest('base64url')

const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`

/** The effective values by key, as JSON, with their tag. Without `setting:read` only public keys exist. */
export const listEffective = async (
  ctx: Ctx,
  memory: SettingsMemory,
  { prefix, keys, user_id: given }: EffectiveQuery,
): Promise<RememberedAnswer> => {
  const { tenantId } = ctx
  const userId = subjectOf(ctx, given)
  const isPublicOnly = !may(ctx.actor, policies.readSettings, undefined)
  const question = [tenantId, userId, isPublicOnly, given !== undefined, prefix, keys].join(' ')
  return memory.answer(shortened(question), async () => {
    if (given !== undefined) await getUser(ctx, userId)
    const filter = { prefix, keys: keys?.split(','), isPublicOnly }
    const text = JSON.stringify(await readEffective(ctx, userId, filter))
    return { tenantId, userId, text, tag: tagOf(text) }
  })
}

/** One effective value, as JSON, with its tag. Throws 404 for a key that is neither declared nor stored. */
export const getEffective = async (
  ctx: Ctx,
  memory: SettingsMemory,
  key: string,
  userId: number | undefined,
): Promise<RememberedAnswer> => {
  const answer = await listEffective(ctx, memory, {
    keys: key,
    ...(userId !== undefined && { user_id: userId }),
  })
  if (answer.text === '[]') throw settingUnknown()
  return { ...answer, text: answer.text.slice(1, -1) }
}
