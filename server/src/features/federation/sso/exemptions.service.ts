/** Break-glass users, who sign in without a connection even if the tenant requires one. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { endUnreaching } from '../../accounts/sessions/reach.service.ts'
import { getUser } from '../../accounts/users/users.service.ts'
import type { Exemption, PutExemption } from './exemptions.schemas.ts'
import * as store from './exemptions.store.ts'
import { notifyManagers } from './managers.service.ts'
import { changingSignIn } from './rank.service.ts'

/** docs/contract.md, "Enterprise sign-in". */
const exemptionsMax = 3

/** The break-glass users of the tenant in scope. */
export const listExemptions = ({ db, tenantId }: Ctx): Promise<Exemption[]> =>
  store.selectExemptions(db, tenantId)

const exempt = async (ctx: AuthorityCtx, userId: number): Promise<number> => {
  if (await store.selectPushed(ctx.db, ctx.tenantId, userId)) {
    throw invalid('exempt', 'must be false for a user of a directory')
  }
  const count = await store.insertExemption(ctx.db, ctx.tenantId, userId, ctx.parts.now())
  const exemptions = await store.selectExemptions(ctx.db, ctx.tenantId)
  if (exemptions.length > exemptionsMax) {
    throw new AppError(
      'exemptionsFull',
      `A tenant has at most ${exemptionsMax} break-glass users. Make one an ordinary user first`,
    )
  }
  if (!exemptions.some((one) => one.user_id === userId && one.has_factor)) {
    throw invalid('exempt', 'must be false for a user without a second factor')
  }
  return count
}

const strip = async (ctx: AuthorityCtx, userId: number): Promise<number> => {
  // Break-glass users do not count, and this one counts again.
  const count = await keepingWayIn(ctx, () =>
    withinLimit(ctx, 'users', () => store.deleteExemption(ctx.db, ctx.tenantId, userId)),
  )
  if (ctx.tenant.is_sso_required) await endUnreaching(ctx)
  return count
}

/**
 * Makes a user a break-glass user, or removes the exemption. Throws 400 for a user who cannot have it, and for the last
 * break-glass user.
 */
export const putExemption = (ctx: Ctx, userId: number, { exempt: isExempt }: PutExemption): Promise<null> =>
  changingSignIn(ctx, async (ctx) => {
    const { username } = await getUser(ctx, userId)
    const count = await (isExempt ? exempt(ctx, userId) : strip(ctx, userId))
    if (count === 0) return null
    record(ctx, {
      action: 'user.update',
      resourceId: userId,
      detail: { ...naming({ username }), sso_exempt: { from: !isExempt, to: isExempt } },
    })
    await notifyManagers(ctx, isExempt ? 'breakGlassAdded' : 'breakGlassRemoved', { user: username })
    return null
  })
