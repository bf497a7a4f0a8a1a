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
import { isMailOn } from '../../accounts/mail/mail.service.ts'
import { endUnreaching, endUnreachingEverywhere, reachesOwn } from '../../accounts/sessions/reach.service.ts'
import type { Ways, WaysValue } from './ways.schemas.ts'
import * as store from './ways.store.ts'

/** The values of the setting that count. */
interface StoredWays {
  global?: unknown
  tenant?: unknown
}

const membersOf = (value: unknown): Partial<WaysValue> => value ?? {}

/** The slugs that both values name; null if none names any. */
const namedIn = (all: string[] | null | undefined, own: string[] | null | undefined): string[] | null =>
  (all && own ? all.filter((slug) => own.includes(slug)) : (all ?? own)) ?? null

/** A way is open if both values open it. */
export const openWays = (stored: StoredWays): WaysValue => {
  const [all, own] = [membersOf(stored.global), membersOf(stored.tenant)]
  return {
    password: all.password !== false && own.password !== false,
    passkey: all.passkey !== false && own.passkey !== false,
    email_code: all.email_code === true && own.email_code !== false,
    offer_passkey: all.offer_passkey === true && own.offer_passkey !== false,
    providers: namedIn(all.providers, own.providers),
  }
}

/** The ways that people can use: providers that are active, and a code only with mail. */
const usableWays = async ({ db, parts }: Pick<Ctx, 'db' | 'parts'>, stored: StoredWays): Promise<Ways> => {
  const { providers, ...open } = openWays(stored)
  return {
    ...open,
    email_code: open.email_code && isMailOn(parts),
    providers: await store.selectActiveProviders(db, providers),
  }
}

const readGlobal = async ({ db }: Pick<Ctx, 'db'>): Promise<unknown> =>
  (await store.selectGlobalWays(db))?.value

const readTenant = async ({ db, tenantId }: CallerlessCtx): Promise<unknown> =>
  (await store.selectTenantWays(db, tenantId))?.value

/** The ways that are open in a tenant, by its id or slug. For an unknown tenant, those of the installation. */
export const readWays = async (ctx: Ctx, named = ''): Promise<Ways> => {
  const found = named === '' ? undefined : await selectTenantId(ctx.db, named.toLowerCase())
  const [global, tenant] = await Promise.all([readGlobal(ctx), found && readTenant(inTenant(ctx, found.id))])
  return usableWays(ctx, { global, tenant })
}

/** Whether the sign-ins of the tenant in scope offer a passkey. */
export const offersPasskey = async (ctx: CallerlessCtx): Promise<boolean> => {
  const [global, tenant] = await Promise.all([readGlobal(ctx), readTenant(ctx)])
  const ways = openWays({ global, tenant })
  return ways.passkey && ways.offer_passkey
}

const isAnyOpen = async (ctx: TransactionCtx, stored: StoredWays): Promise<boolean> => {
  const ways = await usableWays(ctx, stored)
  return ways.password || ways.passkey || ways.email_code || ways.providers.length > 0
}

const requireWayLeft = async (ctx: TransactionCtx, stored: StoredWays): Promise<void> => {
  if (await isAnyOpen(ctx, stored)) return
  throw invalid('value', 'must leave a way open, in this tenant and in the installation')
}

/** Throws 400 if the installation has no way open. */
export const requireGlobalWay = async (ctx: TransactionCtx): Promise<void> => {
  if (await isAnyOpen(ctx, { global: await readGlobal(ctx) })) return
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
  await requireWayLeft(ctx, {
    global: await readGlobal(ctx),
    tenant: isGlobal ? undefined : await readTenant(ctx),
  })
  if (isGlobal || actor.tenantId === tenantId) await requireOwnOpen(ctx)
  await (isGlobal ? endUnreachingEverywhere(ctx) : endUnreaching(ctx))
}
