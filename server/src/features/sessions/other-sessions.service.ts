import { inTransaction, type Ctx } from '../../context.ts'
import { recordForAccount } from '../auth/account-records.service.ts'
import { endAccountSessions, ownSession } from './sessions.service.ts'

/** Ends all sessions of the caller but the one in use, with a record in each tenant of the person. */
export const endOtherSessions = (ctx: Ctx): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const { accountId, sessionId } = ownSession(ctx.actor)
    endAccountSessions(ctx, accountId, sessionId)
    await recordForAccount(ctx, accountId, { action: 'auth.other_sessions_end' })
    return null
  })
