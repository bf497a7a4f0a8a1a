import { changingAuthority, requireRankOverUser } from '../../../access/authority.ts'
import { may, policies } from '../../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { resetFactor, resetFactors } from '../factors/factors.service.ts'
import { listUsersOfAccount } from '../accounts/accounts.service.ts'
import { lockUserWithCodes } from './users.service.ts'

interface Person {
  accountId: number
  actorId: number
}

/**
 * Removes all factors of a user who does not rank above the caller, and ends the person's sessions in all tenants.
 * Refuses the caller's own person: removing one's own factors needs the password and a session with `mfa`.
 */
export const resetUserFactors = (ctx: Ctx, id: number): Promise<null> =>
  changingFactors(ctx, id, resetFactors)

/** Removes one factor of a user, as `resetUserFactors` does. Throws 404 when the user has no such factor. */
export const resetUserFactor = (ctx: Ctx, id: number, factorId: string): Promise<null> =>
  changingFactors(ctx, id, (ctx, person) => resetFactor(ctx, person, factorId))

const changingFactors = (
  ctx: Ctx,
  id: number,
  change: (ctx: TransactionCtx, person: Person) => Promise<void>,
): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      if (user.account_id === ctx.actor.accountId) {
        throw new AppError('ownAccount', 'You remove your own factors on your profile, by your password')
      }
      await refuseOfPerson(ctx, user.account_id)
      await change(ctx, { accountId: user.account_id, actorId: ctx.actor.userId })
      return null
    },
  )

/** Throws 403 for a person of several tenants, whom administrators of one tenant may not change. */
const refuseOfPerson = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  if (may(ctx.actor, policies.resetFactorsOfPerson, undefined)) return
  if ((await listUsersOfAccount(ctx, accountId)).length > 1) {
    throw new AppError(
      'emailOfPerson',
      'This person is a user of other tenants as well. Ask a platform administrator to remove their factors',
    )
  }
}
