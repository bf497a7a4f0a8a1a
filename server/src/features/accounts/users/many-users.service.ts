import { changingAuthority } from '../../../access/authority.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx } from '../../../context.ts'
import { AppError, orRefusal } from '../../../errors/app-error.ts'
import { allowedOf, changedUsers, inOrder } from './outcomes.service.ts'
import type { ChangedUsers, ChangeStatus } from './users.schemas.ts'
import { decideUpdate, lockUserWithCodes, makeUpdate } from './users.service.ts'

/**
 * Enables or disables users in one transaction, by the rules of `updateUser`. A refusal concerns one user. Throws 400 if
 * the changes together remove the last administrator or sign-in method of a kind.
 */
export const changeStatus = async (ctx: Ctx, { user_ids, status }: ChangeStatus): Promise<ChangedUsers> => {
  const ids = inOrder(user_ids)
  const decisions = await changingAuthority(
    ctx,
    (ctx) => Promise.all(ids.map((id) => orRefusal(lockUserWithCodes(ctx, id)))),
    async (ctx, found) => {
      const decide = async (one: (typeof found)[number]) =>
        one instanceof AppError ? one : decideUpdate(ctx, one, { status })
      const decided = await Promise.all(found.map((one) => orRefusal(decide(one))))
      const updates = allowedOf(decided)
      await keepingWayIn(ctx, () => Promise.all(updates.map((update) => makeUpdate(ctx, update))))
      return decided
    },
  )
  if (status === 0) {
    await Promise.all(
      allowedOf(decisions).map(({ before }) => ctx.parts.cache.forgetPresence(ctx.tenantId, before.id)),
    )
  }
  return changedUsers(ids, decisions)
}
