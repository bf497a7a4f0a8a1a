import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { nobody } from '../../../access/actor.ts'
import { inTenant, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError, connectionNeeded, tenantDisabled } from '../../../errors/app-error.ts'
import { changesBetween, recordAs } from '../../audit/audit/audit.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import * as accounts from '../../sign-in/auth/invited-account.service.ts'
import { linkDead } from '../../accounts/mail/links.service.ts'
import { countSource } from '../../accounts/mail/mail.service.ts'
import { addMember } from '../../accounts/users/members.service.ts'
import { tieToResource } from '../../accounts/users/pushed.service.ts'
import { emailTaken, freeEmail } from '../../accounts/users/users.service.ts'
import { earliest, readGiving } from './giving.service.ts'
import { readToken } from './invitations.service.ts'
import type { AcceptInvitation } from './invitations.schemas.ts'
import * as store from './invitations.store.ts'
import {
  issueJoined,
  openJoinedSession,
  signInJoined,
  untilJoined,
  type Joined,
  type OpenJoined,
} from './link-sign-in.service.ts'

/**
 * Makes the holder of a link a user of the inviting tenant, and signs the holder in there. An error never spends the
 * link. Throws 400 for a spent or expired link and for a missing password, 401 for a wrong password. Throws 403 for a
 * caller with another address, a disabled tenant, or a person whom the directory disabled. Throws 409 for a taken
 * username, and for an account without an owner if the link was not mailed.
 */
export const acceptInvitation = async (ctx: Ctx, input: AcceptInvitation): Promise<TokenPair> =>
  issueJoined(ctx, await acceptInvitationTo(ctx, input, openJoinedSession))

/** The input of the API, or with the person whom a provider brought. */
type Acceptance = AcceptInvitation & { brought?: accounts.BroughtPerson | undefined }

/** The address of a living invitation. Throws 400 for a spent or expired link. */
export const getInvited = async (ctx: Ctx, token: string): Promise<accounts.Invited> => {
  const { tenantId, tokenHash } = readToken(token)
  const { db } = inTenant(ctx, tenantId)
  const invitation = await store.selectLiving(db, tenantId, tokenHash, ctx.parts.now())
  if (!invitation) throw linkDead()
  return { email: invitation.email, isMailed: invitation.is_mailed }
}

/** Accepts an invitation, and opens a session of the API or the sign-in of a browser. Throws as `acceptInvitation` does. */
export const acceptInvitationTo = async <T>(
  ctx: Ctx,
  input: Acceptance,
  open: OpenJoined<T>,
): Promise<Joined<T>> => {
  ctx.parts.hasher.requireRoom()
  await countSource(ctx)
  return untilJoined(() => accept(ctx, input, open))
}

const accept = async <T>(caller: Ctx, input: Acceptance, open: OpenJoined<T>): Promise<Joined<T>> => {
  const { tenantId, tokenHash } = readToken(input.token)
  const ctx = inTenant({ ...caller, actor: nobody }, tenantId)
  const [invitation, tenant] = await Promise.all([
    store.selectLiving(ctx.db, tenantId, tokenHash, ctx.parts.now()),
    store.selectTenant(ctx.db, tenantId),
  ])
  if (!invitation || !tenant) throw linkDead()
  if (tenant.status !== 1) throw tenantDisabled()
  await freeEmail(ctx, invitation.email)
  const proof = await accounts.proveInvited(
    caller,
    {
      email: invitation.email,
      isMailed: invitation.is_mailed,
      tenantId,
      names: [input.username, input.nickname ?? invitation.nickname],
    },
    input,
  )
  return changingAuthority(
    ctx,
    ({ db, parts }) => store.updateAccepted(db, tenantId, tokenHash, parts.now()),
    async (ctx, spent) => {
      if (!spent) throw linkDead()
      return join(ctx, spent, { input, proof, open })
    },
  )
    .catch(emailTaken)
    .catch((err: unknown) => {
      // The tenant was removed meanwhile.
      throw err instanceof AppError && err.status === 404 ? linkDead() : err
    })
}

const join = async <T>(
  ctx: AuthorityCtx,
  invitation: store.InvitationRow,
  { input, proof, open }: { input: Acceptance; proof: accounts.Proof; open: OpenJoined<T> },
): Promise<Joined<T>> => {
  // Only users can be break-glass users, so the exemption does not apply yet.
  if (ctx.tenant.is_sso_required) throw connectionNeeded()
  const roles = await rolesToGive(ctx, invitation)
  const { username, nickname = invitation.nickname } = input
  const account = await accounts.createOrLockInvited(ctx, proof, {
    email: invitation.email,
    isMailed: invitation.is_mailed,
  })
  const user = await addMember(ctx, { ...account, username, nickname }, roles)
  await tieToResource(ctx, user)
  store.deleteMailsOfInvitation(ctx.db, ctx.tenantId, invitation.id)
  const detail = { email: account.email, username, nickname, roles: roles.map(({ name }) => name) }
  recordAs(
    ctx,
    { userId: user.id, username },
    {
      action: 'invitation.accept',
      resourceId: invitation.id,
      aboutUserId: user.id,
      detail: changesBetween({}, { ...detail, user_id: user.id, invited_by: invitation.invited_by }),
    },
  )
  return signInJoined(ctx, { userId: user.id, ...account }, proof, open)
}

/**
 * The roles that the inviter can still give, each until the inviter's own end at the latest. Throws 400 if the inviter
 * may no longer invite.
 */
const rolesToGive = async (ctx: TransactionCtx, invitation: store.InvitationRow) => {
  const giving = await readGiving(ctx, invitation)
  if (!giving) throw linkDead()
  const { invited_by: inviterId, inviter_tenant_id: home, roles_expire_at: end } = invitation
  const roles = await store.selectGivenRoles(ctx.db, ctx.tenantId, invitation.role_ids)
  return roles.flatMap((role) => {
    const until = giving.until(role)
    if (until === undefined) return []
    const { id, name, is_given: isGiven } = role
    const expiresAt = isGiven ? until : earliest([until, end])
    if (expiresAt !== null && expiresAt <= ctx.parts.now()) return []
    const source = isGiven ? ('default' as const) : ('invitation' as const)
    const elsewhere = home === ctx.tenantId ? null : home
    return {
      name,
      role_id: id,
      source,
      assigned_by: inviterId,
      assigned_by_tenant: elsewhere,
      assigned_by_account: giving.accountId,
      expires_at: expiresAt,
    }
  })
}
