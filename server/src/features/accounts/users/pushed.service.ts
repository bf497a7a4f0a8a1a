/** Users that a directory pushes. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { endSessions } from '../sessions/sessions.service.ts'
import * as store from './pushed.store.ts'
import type { User } from './users.schemas.ts'
import type { UserForUpdate } from './users.store.ts'

/**
 * Gives a locked user the directory's nickname and active state. An inactive state ends every session. Returns the
 * resulting status. Throws 400 for the last platform administrator, and 403 beyond the limit of users.
 */
export const applyPush = async (
  ctx: AuthorityCtx,
  user: UserForUpdate,
  { nickname, isActive }: { nickname: string; isActive: boolean },
): Promise<number> =>
  keepingWayIn(ctx, async () => {
    const push = () => store.updatePushed(ctx.db, { ...user, nickname }, isActive, ctx.parts.now())
    const mayEnable = isActive && user.status === 0
    const { status } = await (mayEnable ? withinLimit(ctx, 'users', push) : push())
    if (!isActive) await endSessions(ctx, user)
    return status
  })

export const userShutOut = () =>
  new AppError('userShutOut', 'The directory of the organization shut this user out. Enable the person there')

/**
 * Links a new user to the directory's resource with the same address. Throws 403 if the directory has disabled that
 * resource.
 */
export const tieToResource = async ({ db }: TransactionCtx, user: User): Promise<void> => {
  const resource = await store.updateResource(db, user)
  if (resource?.active === false) throw userShutOut()
}

/** Stores that an administrator also disables a user whom the directory has disabled. */
export const keepShut = (ctx: TransactionCtx, id: number): void =>
  store.updateStatusBehind(ctx.db, ctx.tenantId, id)

/**
 * Deletes up to `limit` active states of a directory during its removal. Returns their number. Users that the directory
 * disabled stay disabled.
 */
export const endSwitches = ({ db, tenantId }: TransactionCtx, limit: number): Promise<number> =>
  store.deleteSwitches(db, tenantId, limit)
