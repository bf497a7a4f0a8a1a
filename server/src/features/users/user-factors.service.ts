import { changingAuthority, requireRankOverUser } from '../../access/authority.ts'
import { may, policies } from '../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { resetFactors } from '../factors/factors.service.ts'
import { listUsersOfAccount, readTarget } from './users.service.ts'

/**
 * Removes all factors of a user who does not stand above the caller, and ends the sessions of the person in all tenants. The
 * own factors take the password and a session with `mfa`, so they are refused here, under whichever user of the person.
 */
export const resetUserFactors = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => readTarget(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      if (user.account_id === ctx.actor.accountId) {
        throw new AppError('ownAccount', 'You remove your own factors on your profile, by your password')
      }
      await refuseOfPerson(ctx, user.account_id)
      await resetFactors(ctx, user.account_id, ctx.actor.userId)
      return null
    },
  )

/** A person of several tenants is beyond the administrators of one. */
const refuseOfPerson = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  if (may(ctx.actor, policies.resetFactorsOfPerson, undefined)) return
  if ((await listUsersOfAccount(ctx, accountId)).length > 1) {
    throw new AppError(
      'emailOfPerson',
      'This person is a user of other tenants as well. Ask a platform administrator to remove their factors',
    )
  }
}
