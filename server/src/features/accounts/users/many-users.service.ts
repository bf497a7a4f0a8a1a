import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx } from '../../../context.ts'
import {
  enterRoom,
  limitReached,
  requireRoom,
  spaceIn,
  type Room,
} from '../../configuration/limits/limits.service.ts'
import { AppError, orRefusal } from '../../../errors/app-error.ts'
import { allowedOf, changedUsers, inOrder } from './outcomes.service.ts'
import type { ChangedUsers, ChangeStatus } from './users.schemas.ts'
import { decideUpdate, isEnabled, lockUserWithCodes, makeUpdate } from './users.service.ts'

type Decided = Awaited<ReturnType<typeof decideUpdate>> | AppError

/** Refuses the users that would be beyond the limit of users. */
const refusedBeyond = (ctx: AuthorityCtx, room: Room, wanted: Decided[]): Decided[] => {
  let space = spaceIn(room)
  return wanted.map((one) => {
    if (one === undefined || one instanceof AppError || !isEnabled(one.before, one.after)) return one
    if (space === 0) return limitReached(ctx, room)
    space -= 1
    return one
  })
}

/**
 * Enables or disables users in one transaction, by the rules of `updateUser`. A refusal concerns one user. Throws 400 if
 * the changes together remove the last administrator or sign-in method of a kind.
 */
export const changeStatus = async (ctx: Ctx, { user_ids, status }: ChangeStatus): Promise<ChangedUsers> => {
  const ids = inOrder(user_ids)
  const decisions = await changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        status === 1 ? enterRoom(ctx, 'users') : undefined,
        Promise.all(ids.map((id) => orRefusal(lockUserWithCodes(ctx, id)))),
      ]),
    async (ctx, [room, found]) => {
      const decide = async (one: (typeof found)[number]) =>
        one instanceof AppError ? one : decideUpdate(ctx, one, { status })
      const wanted = await Promise.all(found.map((one) => orRefusal(decide(one))))
      const decided = room ? refusedBeyond(ctx, room, wanted) : wanted
      const updates = allowedOf(decided)
      await keepingWayIn(ctx, () => Promise.all(updates.map((update) => makeUpdate(ctx, update))))
      if (room) await requireRoom(ctx, room, updates.length)
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
