import { changingAuthority, requireRankOverUser } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import type { Session } from '../sessions/sessions.schemas.ts'
import { endSessions, listSessionsOfUser } from '../sessions/sessions.service.ts'
import { getUser, lockUserWithCodes } from './users.service.ts'

/** The sessions of a user in the tenant in scope. Throws 404 for an unknown user. */
export const listUserSessions = async (ctx: Ctx, id: number): Promise<Session[]> => {
  const [, sessions] = await Promise.all([getUser(ctx, id), listSessionsOfUser(ctx, id)])
  return sessions
}

/** Ends the sessions of a user who does not rank above the caller. */
export const endUserSessions = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      await endSessions(ctx, user)
      record(ctx, {
        action: 'user.sessions_end',
        resourceId: id,
        detail: naming({ username: user.username }),
      })
      return null
    },
  )
