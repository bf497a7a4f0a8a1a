/** People whom a directory has pushed, and whose first sign-in creates their user. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { Detail } from '../../audit/audit/audit.service.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { fillAttributes } from './filling.service.ts'
import { mapDirectoryRoles } from './groups.service.ts'
import { nicknameOf } from './user-values.ts'
import * as store from './pushed-users.store.ts'

export const findPushed = (
  { db, tenantId }: AuthorityCtx,
  email: string,
): Promise<store.PushedUser | undefined> => store.selectPushed(db, tenantId, email)

/**
 * Links a new user of the tenant to the resource with the same address. Gives the user the roles of its groups, and the
 * attributes that it fills. Returns the detail of the attributes for a record.
 */
export const linkPushedUser = async (ctx: AuthorityCtx, userId: number, email: string): Promise<Detail> => {
  const pushed = await findPushed(ctx, email)
  if (!pushed || pushed.user_id !== null) return {}
  await store.updateLinked(ctx.db, ctx.tenantId, { id: pushed.id, userId })
  const { user } = await lockUserWithCodes(ctx, userId)
  const nickname = nicknameOf({ displayName: pushed.display_name, name: pushed.name }) || user.nickname
  await applyPush(ctx, user, { nickname, isActive: pushed.active })
  await mapDirectoryRoles(ctx, [userId])
  const { external_id: externalId, display_name: displayName, name, extension, texts } = pushed
  return fillAttributes(ctx, userId, { after: { externalId, displayName, name, extension, texts } })
}
