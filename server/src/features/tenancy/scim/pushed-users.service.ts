/** People whom a directory has pushed, and whose first sign-in creates their user. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { mapDirectoryRoles } from './groups.service.ts'
import { nicknameOf } from './user-values.ts'
import * as store from './pushed-users.store.ts'

export const findPushed = (
  { db, tenantId }: AuthorityCtx,
  email: string,
): Promise<store.PushedUser | undefined> => store.selectPushed(db, tenantId, email)

/** Links a new user of the tenant to the resource with the same address, and gives the user the roles of its groups. */
export const linkPushedUser = async (ctx: AuthorityCtx, userId: number, email: string): Promise<void> => {
  const pushed = await findPushed(ctx, email)
  if (!pushed || pushed.user_id !== null) return
  await store.updateLinked(ctx.db, ctx.tenantId, { id: pushed.id, userId })
  const { user } = await lockUserWithCodes(ctx, userId)
  const nickname = nicknameOf({ displayName: pushed.display_name, name: pushed.name }) || user.nickname
  await applyPush(ctx, user, { nickname, isActive: pushed.active })
  await mapDirectoryRoles(ctx, [userId])
}
