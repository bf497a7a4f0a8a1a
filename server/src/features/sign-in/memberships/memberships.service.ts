import { nobody } from '../../../access/actor.ts'
import { changingAuthority } from '../../../access/authority.ts'
import { requireMfa, requireOwnSignIn, requireUnrestricted } from '../../../access/policies.ts'
import { lockTenantAuthority } from '../../../access/tenancy.store.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type EarlyCtx } from '../../../context.ts'
import { orElsewhere } from '../../accounts/sessions/reach.service.ts'
import { AppError } from '../../../errors/app-error.ts'
import { naming, recordAs } from '../../audit/audit/audit.service.ts'
import { listUsersOfAccount, recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { notifyingBrokenGlass } from '../../delivery/notifications/break-glass.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import { passwordWrong, requireOwnPassword } from '../../accounts/accounts/credentials.service.ts'
import { isPasswordStill } from '../auth/invited-account.service.ts'
import { noteSignIn } from '../auth/sign-in.service.ts'
import { needsSecondStep, readSecondStep } from '../../accounts/factors/factors.service.ts'
import {
  issueTokens,
  openSwitchedSession,
  ownSession,
  requireLivingSession,
} from '../../accounts/sessions/sessions.service.ts'
import { leaveAsMember, removeMember } from '../../accounts/users/members.service.ts'
import type { DeleteAccount, Membership, SwitchTenant } from './memberships.schemas.ts'
import * as store from './memberships.store.ts'

const membershipUnknown = () => new AppError('membershipUnknown', 'You are not a user of this tenant')

/** The caller's users in all tenants. */
export const listMemberships = async ({ actor, parts }: Ctx): Promise<Membership[]> => {
  const { accountId } = ownSession(actor)
  const rows = await store.selectMemberships(parts.store.scoped({ accountId }), accountId)
  const { connectionId, tenantId } = actor
  const shown = connectionId === undefined ? rows : rows.filter((row) => row.tenant_id === tenantId)
  return shown.map(({ tenant_id: id, name, slug, tenant_status: status, ...user }) => ({
    ...user,
    tenant: { id, name, slug, status },
    is_current: id === actor.tenantId,
  }))
}

/**
 * The request with another tenant of the person in scope. The token is for a user of one tenant, so the caller has no
 * user there. The transaction therefore checks the session itself, with the account locked.
 */
const elsewhere = (ctx: Ctx, tenantId: string): Ctx =>
  inTenant({ ...ctx, actor: nobody }, tenantId.toLowerCase())

/** Gives an unknown tenant the same answer as a tenant in which the caller has no user. */
const orUnknown = (err: unknown): never => {
  throw err instanceof AppError && err.status === 404 ? membershipUnknown() : err
}

/**
 * Locks the caller's account and then the caller's user in the tenant in scope. Throws 401 for an ended session, and
 * 404 if there is no such user.
 */
const lockMember = async (ctx: EarlyCtx, session: { accountId: number; sessionId: string }) => {
  await requireLivingSession(ctx, session)
  const member = await store.selectMemberForUpdate(ctx.db, ctx.tenantId, session.accountId)
  if (!member) throw membershipUnknown()
  return member
}

/**
 * Signs the caller in to another tenant of the person, with a session of the same sign-in. Throws 403 for a disabled
 * user or tenant, and 404 if the caller has no user there.
 */
export const switchTenant = async (ctx: Ctx, { tenant_id: tenantId }: SwitchTenant): Promise<TokenPair> => {
  requireOwnSignIn(ctx.actor)
  const session = ownSession(ctx.actor)
  const claims = await inTransaction(elsewhere(ctx, tenantId), async (ctx) => {
    const member = await lockMember(ctx, session)
    if (member.status !== 1 || member.tenant_status !== 1) {
      throw new AppError(
        'membershipDisabled',
        'You are disabled in this tenant, or the tenant is disabled. Ask an administrator there',
      )
    }
    noteSignIn(ctx, member.id)
    const { id, username } = member
    recordAs(
      ctx,
      { userId: id, username },
      { action: 'auth.switch', resourceId: id, detail: naming({ username }) },
    )
    const who = { userId: member.id, tenantId: ctx.tenantId }
    return notifyingBrokenGlass(ctx, await openSwitchedSession(ctx, who, session))
  })
    .catch(orUnknown)
    .catch(orElsewhere)
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, claims)
}

/**
 * Ends the caller's membership of a tenant with its sessions. The sessions in other tenants continue. Throws 400 for
 * the last membership and for the last platform administrator, and 404 if the caller has no user there.
 */
export const leaveTenant = async (ctx: Ctx, tenantId: string): Promise<null> => {
  const session = ownSession(ctx.actor)
  const { accountId } = session
  const userId = await changingAuthority(
    elsewhere(ctx, tenantId),
    (ctx) => lockMember(ctx, session),
    async (ctx, { id, username }) => {
      if ((await listUsersOfAccount(ctx, accountId)).length < 2) {
        throw new AppError('lastMembership', 'This is your last tenant. Delete your account instead')
      }
      recordAs(
        ctx,
        { userId: id, username },
        { action: 'auth.leave', resourceId: id, detail: naming({ username }) },
      )
      await leaveAsMember(ctx, { id, account_id: accountId })
      return id
    },
  ).catch(orUnknown)
  await ctx.parts.cache.forgetPresence(tenantId.toLowerCase(), userId)
  return null
}

/**
 * Erases the caller's account, and its user in every tenant. Throws 401 for a wrong password, and 400 for the last
 * platform administrator. Throws 403 in a restricted session, and in a session without the account's second factor.
 * Locks tenant after tenant; PostgreSQL ends a deadlock, and the transaction runs again.
 */
export const deleteAccount = async (ctx: Ctx, { password }: DeleteAccount): Promise<null> => {
  const { accountId } = ownSession(ctx.actor)
  const account = await requireOwnPassword(ctx, password)
  const erased = await changingAuthority(
    ctx,
    (ctx) => isPasswordStill(ctx, account),
    async (ctx, isStill) => {
      if (!isStill) throw passwordWrong()
      requireUnrestricted(ctx.actor, undefined, ctx.tenant)
      if (needsSecondStep(await readSecondStep(ctx, accountId))) requireMfa(ctx.actor)
      const users = await listUsersOfAccount(ctx, accountId)
      await recordForAccount(ctx, accountId, { action: 'auth.account_delete' })
      for (const { tenant_id: tenantId, user_id: id } of users) {
        await inTenantWithin(ctx, tenantId, async (within) => {
          const tenant = await lockTenantAuthority(ctx.db, tenantId)
          if (!tenant) return
          await removeMember({ ...within, tenant, isLocked: true }, { id, account_id: accountId })
        })
      }
      return users
    },
  )
  for (const { tenant_id: tenantId, user_id: id } of erased) {
    await ctx.parts.cache.forgetPresence(tenantId, id)
  }
  return null
}
