/** The security of a user's account, as administrators see it. */
import { changingAuthority, codesAbove, requireRankOverUser } from '../../../access/authority.ts'
import { policies, requireMay } from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import { listFactorsOfAccount } from '../factors/factors.service.ts'
import { countMail, countSource, queueLink, requireMail } from '../mail/mail.service.ts'
import type { Profile, ProfileQuery, UserDetails, UserDetailsQuery } from './users.schemas.ts'
import { getUser, lockUserWithCodes, refuseOfPerson, userUnknown } from './users.service.ts'
import { selectPersonsOfUsers, selectSecurity, updatePasswordExpired } from './users.store.ts'

/**
 * A user of the tenant in scope. Throws 404 for an unknown id, and 403 for `security` without `user:update` or `person`
 * without `tenant:enter`.
 */
export const getUserDetails = async (
  ctx: Ctx,
  id: number,
  { include }: UserDetailsQuery,
): Promise<UserDetails> => {
  const extras = include?.split(',') ?? []
  const [showsSecurity, showsPerson] = [extras.includes('security'), extras.includes('person')]
  if (showsSecurity) requireMay(ctx.actor, policies.readSecurityOfUser, undefined)
  if (showsPerson) requireMay(ctx.actor, policies.readPersons, undefined)
  const [user, security, person] = await Promise.all([
    getUser(ctx, id),
    showsSecurity ? readSecurity(ctx, id) : undefined,
    showsPerson ? readPerson(ctx, id) : undefined,
  ])
  return { ...user, ...security, ...person }
}

const readPerson = async ({ db, tenantId }: Ctx, id: number): Promise<Pick<UserDetails, 'person'>> => {
  const [found] = await selectPersonsOfUsers(db, tenantId, [id])
  if (!found) throw userUnknown()
  return { person: found.person }
}

const readSecurity = async (ctx: Ctx, id: number): Promise<Pick<UserDetails, 'security'>> => {
  const [found, missing_permissions] = await Promise.all([
    selectSecurity(ctx.db, ctx.tenantId, id),
    codesAbove(ctx, id),
  ])
  if (!found) throw userUnknown()
  const { account_id: accountId, ...security } = found
  return {
    security: { ...security, factors: await listFactorsOfAccount(ctx, accountId), missing_permissions },
  }
}

export const getProfile = async (ctx: Ctx, { include }: ProfileQuery): Promise<Profile> => {
  const { userId: id, hasMfa } = ctx.actor
  const own = include?.includes('has_factor') ? { has_factor: hasMfa } : {}
  if (!include?.includes('email_confirmed')) return { ...(await getUser(ctx, id)), ...own }
  const [user, found] = await Promise.all([getUser(ctx, id), selectSecurity(ctx.db, ctx.tenantId, id)])
  if (!found) throw userUnknown()
  return { ...user, email_confirmed: found.email_confirmed, ...own }
}

/**
 * Mails a link for a new password to a user who does not rank above the caller. The administrator never sees the link.
 * The sixth e-mail within an hour is dropped, as it is for a request of the person. Throws 503 where e-mail is off.
 */
export const sendPasswordReset = async (ctx: Ctx, id: number): Promise<null> => {
  await countSource(ctx)
  return changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
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

/**
 * Demands another password of a user who does not rank above the caller. The next session that the present password
 * opens is restricted until it is changed. Throws 403 for a person of several tenants.
 */
export const expirePassword = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, { user: { account_id: accountId, username }, codes }) => {
      requireRankOverUser(ctx, id, codes)
      await refuseOfPerson(ctx, accountId, 'password')
      updatePasswordExpired(ctx.db, accountId, ctx.parts.now())
      record(ctx, { action: 'user.password_expire', resourceId: id, detail: naming({ username }) })
      return null
    },
  )
