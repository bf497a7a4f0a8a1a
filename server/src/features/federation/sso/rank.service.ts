import {
  changingAuthority,
  codesOfTenant,
  requireRankOverTenant,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'

/**
 * Runs a change that decides who signs in to the tenant. Throws 403 unless the caller holds every permission that a user
 * of the tenant can hold.
 */
export const changingSignIn = <T>(ctx: Ctx, change: (ctx: AuthorityCtx) => Promise<T>): Promise<T> =>
  changingAuthority(ctx, codesOfTenant, async (ctx, codes) => {
    requireRankOverTenant(ctx, codes)
    return change(ctx)
  })
