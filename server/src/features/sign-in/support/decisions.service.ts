/** Decisions about questions for a support session: by the user, or by somebody of the tenant who may allow support. */
import { changingAuthority, requireRankOverUser, type AuthorityCtx } from '../../../access/authority.ts'
import {
  isOwnUser,
  requireAllowed,
  requireFullSession,
  requireOwnSession,
  requireOwnUser,
} from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { rulesOf, supportRefused } from './rules.service.ts'
import { getWithin, statusWrong, supportUnknown } from './support.service.ts'
import type { SupportSession } from './support.schemas.ts'
import * as store from './support.store.ts'

/** Throws 403 unless the caller holds `support:allow` by somebody else than the actor, and ranks above the user. */
const requireAllower = async (
  ctx: AuthorityCtx,
  facts: store.SupportFacts,
  codes: string[],
): Promise<void> => {
  const { actor, db, tenantId } = ctx
  requireFullSession(actor)
  requireAllowed(actor, 'support:allow')
  const own = { tenantId, userId: actor.userId, sessionId: actor.credential?.id ?? '' }
  const { holds } = await store.selectHoldsApart(db, own, facts.actor_account_id, 'support:allow')
  if (!holds) throw supportRefused('You may allow support only by a role that the asking person gave you')
  requireRankOverUser(ctx, facts.user.id, codes)
}

const requireDecider = async (
  ctx: AuthorityCtx,
  facts: store.SupportFacts,
  codes: string[],
): Promise<void> => {
  const { actor, tenantId } = ctx
  requireOwnUser(actor, tenantId)
  if (actor.accountId === facts.actor_account_id) throw supportRefused('You ask, so somebody else decides')
  if (isOwnUser(actor, { tenant_id: tenantId, user_id: facts.user.id })) return requireOwnSession(actor)
  await requireAllower(ctx, facts, codes)
}

/** Throws 403 if the tenant has meanwhile switched this kind of support off. */
const requireSwitchedOn = async (ctx: AuthorityCtx, facts: store.SupportFacts): Promise<void> => {
  if ((await rulesOf(ctx, facts.actor_tenant_id)) === 'off') {
    throw supportRefused('This tenant has switched this kind of support off')
  }
}

/**
 * Allows or refuses a waiting question. Throws 403 as `requireDecider` does, 404 for an unknown one, and 409 if it does
 * not wait.
 */
export const decideSupport = (outer: Ctx, id: string, isAllowed: boolean): Promise<SupportSession> =>
  changingAuthority(
    outer,
    async (ctx) => {
      const facts = await store.selectFactsForUpdate(ctx.db, ctx.tenantId, id)
      return facts && { facts, ...(await lockUserWithCodes(ctx, facts.user.id)) }
    },
    async (ctx, found) => {
      if (!found) throw supportUnknown()
      const { facts, codes } = found
      const { actor, db, tenantId } = ctx
      await requireDecider(ctx, facts, codes)
      if (facts.status !== 'waiting') throw statusWrong(facts.status)
      if (isAllowed) await requireSwitchedOn(ctx, facts)
      const status = isAllowed ? 'ready' : 'refused'
      store.updateDecided(db, { tenantId, id }, { status, userId: actor.userId, name: actor.name })
      record(ctx, {
        action: isAllowed ? 'support.allow' : 'support.refuse',
        resourceId: id,
        aboutUserId: facts.user.id,
        detail: naming({ username: facts.user.name, actor_name: facts.actor.name, kind: facts.kind }),
      })
      return getWithin(ctx, id)
    },
  )
