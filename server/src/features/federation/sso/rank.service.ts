import {
  changingAuthority,
  codesOfTenant,
  requireGivingTenant,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'

/**
 * Runs a change that decides who can sign in to the tenant. Throws 403 unless the caller has every permission that a
 * user of the tenant can have, without an end. For a guest the maker of the setup link needs them, and `readGuest` has checked that.
 */
export const changingSignIn = <T>(ctx: Ctx, change: (ctx: AuthorityCtx) => Promise<T>): Promise<T> =>
  changingAuthority(ctx, codesOfTenant, async (ctx, codes) => {
    if (!ctx.actor.guest) requireGivingTenant(ctx, codes)
    return change(ctx)
  })
