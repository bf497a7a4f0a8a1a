/** People whom a directory has pushed, and who become users by their first sign-in. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { mapDirectoryRoles } from './groups.service.ts'
import { nicknameOf } from './user-values.ts'
import * as store from './joining.store.ts'

/** The resource of an address in the directory of the tenant. */
export const findPushed = (
  { db, tenantId }: AuthorityCtx,
  email: string,
): Promise<store.Pushed | undefined> => store.selectPushed(db, tenantId, email)

/** Gives a new user of the tenant the resource of their address, with the roles of its groups. */
export const joinPushed = async (ctx: AuthorityCtx, userId: number, email: string): Promise<void> => {
  const pushed = await findPushed(ctx, email)
  if (!pushed || pushed.user_id !== null) return
  await store.updateJoined(ctx.db, ctx.tenantId, { id: pushed.id, userId })
  const { user } = await lockUserWithCodes(ctx, userId)
  const nickname = nicknameOf({ displayName: pushed.display_name, name: pushed.name }) || user.nickname
  await applyPush(ctx, user, { nickname, isActive: pushed.active })
  await mapDirectoryRoles(ctx, [userId])
}
