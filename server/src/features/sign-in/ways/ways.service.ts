/** Which ways prove an account: the setting `auth.ways`. Each request checks it (access/reach.sql.ts). */
import { codesOfTenant, requireRankOverTenant } from '../../../access/authority.ts'
import { requireMfa } from '../../../access/policies.ts'
import { selectTenantId } from '../../../access/tenancy.store.ts'
import {
  inTenant,
  inTenantWithin,
  type CallerlessCtx,
  type Ctx,
  type TransactionCtx,
} from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { endUnreaching, endUnreachingEverywhere, reachesOwn } from '../../accounts/sessions/reach.service.ts'
import type { Ways, WaysValue } from './ways.schemas.ts'
import * as store from './ways.store.ts'

/** The slugs that every value names; null if no value names any. */
const namedProviders = (values: unknown[]): string[] | null => {
  const lists = values
    .map((value) => (value as Partial<WaysValue> | undefined)?.providers)
    .filter((list) => Array.isArray(list))
  const [first, ...others] = lists
  return first ? first.filter((slug) => others.every((list) => list.includes(slug))) : null
}

/** The ways that every value leaves open. */
export const openWays = (values: unknown[]): WaysValue => {
  const isOpen = (way: 'password' | 'passkey') =>
    values.every((value) => (value as Partial<WaysValue> | undefined)?.[way] !== false)
  return { password: isOpen('password'), passkey: isOpen('passkey'), providers: namedProviders(values) }
}

/** The open ways, with the active providers among them. */
const withProviders = async ({ db }: Pick<Ctx, 'db'>, open: WaysValue): Promise<Ways> => ({
  ...open,
  providers: await store.selectActiveProviders(db, open.providers),
})

const readGlobal = async ({ db }: Pick<Ctx, 'db'>): Promise<unknown> =>
  (await store.selectGlobalWays(db))?.value

const readTenant = async ({ db, tenantId }: CallerlessCtx): Promise<unknown> =>
  (await store.selectTenantWays(db, tenantId))?.value

/** The ways that are open in a tenant, by its id or slug. For an unknown tenant, those of the installation. */
export const readWays = async (ctx: Ctx, named = ''): Promise<Ways> => {
  const tenant = named === '' ? undefined : await selectTenantId(ctx.db, named.toLowerCase())
  const values = await Promise.all([readGlobal(ctx), tenant && readTenant(inTenant(ctx, tenant.id))])
  return withProviders(ctx, openWays(values))
}

const noWayLeft = () => invalid('value', 'must leave a way open, in this tenant and in the installation')

const isAnyOpen = async (ctx: Pick<Ctx, 'db'>, values: unknown[]): Promise<boolean> => {
  const { password, passkey, providers } = await withProviders(ctx, openWays(values))
  return password || passkey || providers.length > 0
}

/** Throws 400 if the installation has no way open. */
export const requireGlobalWay = async (ctx: TransactionCtx): Promise<void> => {
  if (await isAnyOpen(ctx, [await readGlobal(ctx)])) return
  throw new AppError(
    'lastProvider',
    'This provider is the last open way to sign in. Open another one in auth.ways first',
  )
}

const closesOwn = () =>
  new AppError('ownWay', 'This would end your own session. First sign in by a way that stays open')

/** Throws 400 if the caller's own session would end. */
const requireOwnOpen = async (ctx: TransactionCtx): Promise<void> => {
  if (ctx.actor.tenantId === '') return
  if (!(await inTenantWithin(ctx, ctx.actor.tenantId, reachesOwn))) throw closesOwn()
}

/**
 * Checks a change of the setting, and ends all sessions of closed ways. Throws 403 for a caller without a second factor
 * or without rank over the tenant. Throws 400 if no way would be open, or if the caller's own session would end. The
 * operator's commands need no second factor and no rank.
 */
export const applyWays = async (ctx: TransactionCtx, scope: 'global' | 'tenant'): Promise<void> => {
  const { actor, tenantId } = ctx
  const isGlobal = scope === 'global'
  if (actor.credential) {
    requireMfa(actor)
    if (!isGlobal) requireRankOverTenant({ ...ctx, isLocked: true }, await codesOfTenant(ctx))
  }
  const values = [await readGlobal(ctx), isGlobal ? undefined : await readTenant(ctx)]
  if (!(await isAnyOpen(ctx, values))) throw noWayLeft()
  if (isGlobal || actor.tenantId === tenantId) await requireOwnOpen(ctx)
  await (isGlobal ? endUnreachingEverywhere(ctx) : endUnreaching(ctx))
}
