import {
  changingAuthority,
  codesOfTenant,
  requireRankOverTenant,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'

/**
 * Runs a change that decides who can sign in to the tenant. Throws 403 unless the caller has every permission that a
 * user of the tenant can have.
 */
export const changingSignIn = <T>(ctx: Ctx, change: (ctx: AuthorityCtx) => Promise<T>): Promise<T> =>
  changingAuthority(ctx, codesOfTenant, async (ctx, codes) => {
    requireRankOverTenant(ctx, codes)
    return change(ctx)
  })
