/** The safety of a user's account, as an administrator sees it and helps with it. */
import { changingAuthority, requireRankOverUser } from '../../access/authority.ts'
import { policies, requireMay } from '../../access/policies.ts'
import type { Ctx } from '../../context.ts'
import { naming, record } from '../audit/audit.service.ts'
import { listFactorsOfAccount } from '../factors/factors.service.ts'
import { countMail, countSource, queueLink, requireMail } from '../mail/mail.service.ts'
import type { UserDetails, UserDetailsQuery } from './users.schemas.ts'
import { getUser, readTarget, userUnknown } from './users.service.ts'
import { selectSecurity } from './users.store.ts'

/** A user of the tenant in scope, or 404. Throws 403 for `security` without user:update. */
export const getUserDetails = async (
  ctx: Ctx,
  id: number,
  { include }: UserDetailsQuery,
): Promise<UserDetails> => {
  if (include === undefined) return getUser(ctx, id)
  requireMay(ctx.actor, policies.readSecurityOfUser, undefined)
  const [user, found] = await Promise.all([getUser(ctx, id), selectSecurity(ctx.db, ctx.tenantId, id)])
  if (!found) throw userUnknown()
  const { account_id: accountId, ...security } = found
  return { ...user, security: { ...security, factors: await listFactorsOfAccount(ctx, accountId) } }
}

/**
 * Mails the link to a new password to a user who does not stand above the caller. The administrator never sees it. The sixth
 * e-mail within an hour is dropped, as when the person asks. Throws 503 where e-mail is off.
 */
export const sendPasswordReset = async (ctx: Ctx, id: number): Promise<null> => {
  await countSource(ctx)
  return changingAuthority(
    ctx,
    (ctx) => readTarget(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      requireMail(ctx)
      const { account_id: accountId, email, username } = user
      if (!(await countMail(ctx, 'reset', email))) return null
      queueLink(ctx, { kind: 'reset', accountId, email })
      record(ctx, { action: 'user.password_reset', resourceId: id, detail: naming({ username }) })
      return null
    },
  )
}
