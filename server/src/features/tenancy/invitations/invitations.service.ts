import { changingAuthority, requireHolding, type AuthorityCtx } from '../../../access/authority.ts'
import { readEnd } from '../../../access/ends.ts'
import {
  inTenant,
  type CallerlessCtx,
  type Ctx,
  type Parts,
  type TransactionCtx,
  type EarlyCtx,
} from '../../../context.ts'
import { adminTemplate } from '../../../access/built-in-templates.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { newTenantToken, readTenantToken } from '../../../crypto/tenant-tokens.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { sweep } from '../../../db/sweep.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { proofAsked } from '../../sign-in/auth/invited-account.service.ts'
import { linkDead } from '../../accounts/mail/links.service.ts'
import {
  countMail,
  countSource,
  isMailInFiles,
  isMailOn,
  queueInvitation,
} from '../../accounts/mail/mail.service.ts'
import { pageOfLink } from '../../accounts/mail/sender.service.ts'
import { findLivingAccount, isAddressOfUser } from '../../accounts/users/members.service.ts'
import type {
  CreateInvitation,
  Invitation,
  InvitationFound,
  InvitationQuery,
  LookUpInvitation,
  LookUpQuery,
} from './invitations.schemas.ts'
import { findInviter, operatorId, readGiving } from './giving.service.ts'
import * as store from './invitations.store.ts'

const dayMs = 24 * 3_600_000
/** docs/contract.md, "Invitations". */
const invitationMs = 7 * dayMs

/** Invitations of the tenant in scope, newest first. */
export const listInvitations = async (
  { db, parts, tenantId }: Ctx,
  query: InvitationQuery,
): Promise<CountedPage<Invitation>> => {
  const filter = { status: query.status, now: parts.now() }
  const [items, counted] = await Promise.all([
    store.selectInvitations(db, tenantId, filter, sliceOf(query)),
    store.countInvitations(db, tenantId, filter),
  ])
  return pageOf(
    items.map((item) => ({ ...item, link: '' })),
    counted?.count ?? 0,
    query.page,
    false,
  )
}

/** The tenant and the hash of a token. Throws 400 for any other text. */
export const readToken = (token: string): { tenantId: string; tokenHash: Buffer } => {
  const read = readTenantToken(token)
  if (!read) throw linkDead()
  return read
}

interface Link {
  token: string
  tokenHash: Buffer
  /** True if the link was sent only by e-mail, so that its use proves the mailbox. */
  isMailed: boolean
  now: Date
  expiresAt: Date
}

const newLink = ({ parts, tenantId }: Ctx): Link => {
  const token = newTenantToken(tenantId)
  const now = parts.now()
  const expiresAt = new Date(now.getTime() + invitationMs)
  const isMailed = isMailOn(parts) && !isMailInFiles(parts)
  return { token, tokenHash: sha256(token), isMailed, now, expiresAt }
}

/** The daily limit of a tenant from sign-up, in its first seven days. */
const invitationsPerDayOfNew = 20

/** Throws 429 if the tenant has sent all invitations of the day. The authority lock serialises invitations. */
const requireQuota = async ({ db, tenantId, parts }: AuthorityCtx): Promise<void> => {
  const now = parts.now()
  const { count: sent, is_new: isNew } = await store.selectSent(db, tenantId, now)
  const usual = parts.config.invitationsPerDay
  const max = isNew ? Math.min(usual, invitationsPerDayOfNew) : usual
  if (sent < max) return
  const retryAfterSeconds = Math.ceil((dayMs - (now.getTime() % dayMs)) / 1000)
  throw new AppError('tooManyRequests', `This tenant has sent ${max} invitations today. Go on tomorrow`, {
    retryAfterSeconds,
  })
}

/** The roles among the given ids that exist in the tenant in scope, and the templates that every new user gets. */
export const listGivenRoles = (
  { db, tenantId }: CallerlessCtx,
  roleIds: number[],
): Promise<store.GivenRole[]> => store.selectGivenRoles(db, tenantId, roleIds)

/**
 * Throws 404 for an unknown role. Throws 403 for a role with a permission that the caller lacks, or holds for a shorter
 * time. Roles of every new user have no end.
 */
const requireGiving = async (
  ctx: AuthorityCtx,
  roleIds: number[],
  expireAt: Date | undefined,
): Promise<store.GivenRole[]> => {
  const roles = await listGivenRoles(ctx, roleIds)
  if (roleIds.some((id) => !roles.some((role) => role.id === id))) {
    throw new AppError('roleUnknown', 'The role does not exist in this tenant')
  }
  for (const { is_starting: isStarting, is_given: isGiven, codes } of roles) {
    if (!isStarting) requireHolding(ctx, codes, isGiven ? undefined : expireAt)
  }
  return roles.filter(({ id }) => roleIds.includes(id))
}

const codesOf = (roles: store.GivenRole[]): string[] => [...new Set(roles.flatMap(({ codes }) => codes))]

const orOpen = (err: unknown): never => {
  throw violatesUnique(err, 'invitations_open_key')
    ? new AppError('invitationOpen', 'This address has an open invitation: send that one again')
    : err
}

/** Counts an e-mail to the address. False if the address has reached its limit. */
const mayMail = async (ctx: TransactionCtx, email: string): Promise<boolean> =>
  isMailOn(ctx.parts) && countMail(ctx, 'invitation', email)

/** The invitation in the answer that creates its link. It includes the link unless the link was mailed. */
const shown = (ctx: Ctx, invitation: store.ListedInvitation, { token, isMailed }: Link): Invitation => ({
  ...invitation,
  link: isMailed ? '' : pageOfLink(ctx.parts.config, 'invitation', token),
})

const mail = async (
  ctx: TransactionCtx,
  { id, email }: store.ListedInvitation,
  link: Link,
  language?: string,
): Promise<void> => {
  const { tenantId } = ctx
  const [tenant, inviter] = await Promise.all([store.selectTenant(ctx.db, tenantId), findInviter(ctx)])
  const { token, expiresAt } = link
  queueInvitation(ctx, {
    tenantId,
    invitationId: id,
    email,
    token,
    tenant: tenant?.name ?? '',
    inviter,
    language,
    expiresAt,
  })
}

/**
 * Invites an address to the tenant in scope. Reads no accounts of other tenants, so neither answer nor time reveals an
 * account. Throws 403 for a role that the caller cannot give, 404 for an unknown role, and 429 beyond the tenant's
 * daily limit. Throws 409 if the address is a user here or has an open invitation.
 */
export const createInvitation = (ctx: Ctx, input: CreateInvitation): Promise<Invitation> => {
  const rolesExpireAt = readEnd('roles_expire_at', input.roles_expire_at, ctx.parts.now())
  return changingAuthority(
    ctx,
    (ctx) => isAddressOfUser(ctx, input.email),
    async (ctx, isUser) => {
      const { email, nickname = '', role_ids: roleIds = [] } = input
      const roles = await requireGiving(ctx, roleIds, rolesExpireAt)
      if (isUser) throw new AppError('emailTaken', 'This address is a user of this tenant already')
      await requireQuota(ctx)
      const link = newLink(ctx)
      const { userId: invitedBy, tenantId: inviterTenantId } = ctx.actor
      store.updateExpired(ctx.db, ctx.tenantId, email, link.now)
      const by = { tenantId: ctx.tenantId, inviterTenantId, invitedBy }
      const row = { email, nickname, roleIds, rolesExpireAt, ...by, ...link }
      const invitation = await withinLimit(ctx, 'pending_invitations', () =>
        store.insertInvitation(ctx.db, row),
      )
      if (await mayMail(ctx, email)) await mail(ctx, invitation, link)
      record(ctx, {
        action: 'invitation.create',
        resourceId: invitation.id,
        detail: changesBetween(
          {},
          {
            email,
            nickname,
            roles: roles.map(({ name }) => name),
            roles_expire_at: rolesExpireAt?.toISOString(),
          },
        ),
        effect: { gives: codesOf(roles) },
      })
      return shown(ctx, invitation, link)
    },
  ).catch(orOpen)
}

/**
 * Invites the first administrator of the tenant in scope, which this transaction has created. The caller needs no
 * permission in that tenant.
 */
export const inviteFirstAdmin = async (
  ctx: TransactionCtx,
  { email, language }: { email: string; language: string | undefined },
): Promise<Invitation> => {
  const link = newLink(ctx)
  const { userId: invitedBy, tenantId: inviterTenantId } = ctx.actor
  const { tenantId } = ctx
  const row = {
    tenantId,
    email,
    nickname: '',
    roleIds: [adminTemplate.id],
    inviterTenantId,
    invitedBy,
    ...link,
  }
  const invitation = await withinLimit(ctx, 'pending_invitations', () =>
    store.insertInvitation(ctx.db, { ...row, isFounding: true }),
  )
  if (await mayMail(ctx, email)) await mail(ctx, invitation, link, language)
  record(ctx, {
    action: 'invitation.create',
    resourceId: invitation.id,
    detail: changesBetween({}, { email, roles: [adminTemplate.name] }),
  })
  return shown(ctx, invitation, link)
}

/**
 * Invites a person of an imported tenant in the tenant's name. If e-mail is off, the link is not shown: an
 * administrator must resend the invitation.
 */
export const inviteByOperator = async (
  ctx: TransactionCtx,
  { email, nickname, roleIds }: { email: string; nickname: string; roleIds: number[] },
): Promise<void> => {
  const link = newLink(ctx)
  const { tenantId } = ctx
  const by = { tenantId, inviterTenantId: tenantId, invitedBy: operatorId }
  const invitation = await store.insertInvitation(ctx.db, { email, nickname, roleIds, ...by, ...link })
  if (invitation && (await mayMail(ctx, email))) await mail(ctx, invitation, link)
}

const getOpen = async (ctx: EarlyCtx, id: number): Promise<store.ListedInvitation> => {
  const invitation = await store.selectOpenForUpdate(ctx.db, ctx.tenantId, id, ctx.parts.now())
  if (!invitation) throw new AppError('invitationUnknown', 'There is no open invitation with this id')
  return invitation
}

/**
 * Gives an open invitation a new link for seven days, and invalidates the earlier link. If the address has reached its
 * limit of e-mails, sends nothing, and the earlier link stays valid. Throws 403 unless the caller can give the roles,
 * because a shown link lets the caller give them.
 */
export const resendInvitation = (ctx: Ctx, id: number): Promise<Invitation> =>
  changingAuthority(
    ctx,
    (ctx) => getOpen(ctx, id),
    async (ctx, before) => {
      const known = await store.selectGivenRoles(ctx.db, ctx.tenantId, before.role_ids)
      const roles = await requireGiving(
        ctx,
        before.role_ids.filter((roleId) => known.some((role) => role.id === roleId)),
        before.roles_expire_at === '' ? undefined : new Date(before.roles_expire_at),
      )
      await requireQuota(ctx)
      const link = newLink(ctx)
      const isToMail = await mayMail(ctx, before.email)
      if (link.isMailed && !isToMail) return { ...before, link: '' }
      store.deleteMailsOfInvitation(ctx.db, ctx.tenantId, id)
      // An expired invitation takes a place again.
      const renewed = await withinLimit(ctx, 'pending_invitations', () =>
        store.updateLink(ctx.db, ctx.tenantId, id, link),
      )
      const invitation = renewed ?? before
      if (isToMail) await mail(ctx, invitation, link)
      record(ctx, {
        action: 'invitation.resend',
        resourceId: id,
        detail: naming({ email: before.email }),
        effect: { gives: codesOf(roles) },
      })
      return shown(ctx, invitation, link)
    },
  )

/** Revokes an open invitation. Its link becomes invalid, and its queued e-mail is dropped. */
export const revokeInvitation = (ctx: Ctx, id: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => getOpen(ctx, id),
    async (ctx, { email }) => {
      store.deleteMailsOfInvitation(ctx.db, ctx.tenantId, id)
      store.updateRevoked(ctx.db, ctx.tenantId, id, ctx.parts.now())
      record(ctx, { action: 'invitation.revoke', resourceId: id, detail: changesBetween({ email }, {}) })
      return null
    },
  )

/**
 * Revokes the open invitation of an address, and returns its id. The caller excludes the address's person, and writes
 * the audit record.
 */
export const revokeInvitationTo = async (ctx: AuthorityCtx, email: string): Promise<number | undefined> => {
  const { db, tenantId, parts } = ctx
  const open = await store.selectOpenOfAddress(db, tenantId, email)
  if (!open) return undefined
  store.deleteMailsOfInvitation(db, tenantId, open.id)
  store.updateRevoked(db, tenantId, open.id, parts.now())
  return open.id
}

/** The invitation of a link, for its holder. Throws 400 for a spent or expired link. */
export const lookUpInvitation = async (
  ctx: Ctx,
  { token }: LookUpInvitation,
  { include }: LookUpQuery,
): Promise<InvitationFound> => {
  await countSource(ctx)
  const { tenantId, tokenHash } = readToken(token)
  const found = await ctx.parts.store.transaction({ tenantId }, async (db) => {
    const inner = { ...inTenant(ctx, tenantId), db, changes: [], effects: [] }
    const [invitation, tenant] = await Promise.all([
      store.selectLiving(db, tenantId, tokenHash, ctx.parts.now()),
      store.selectTenant(db, tenantId),
    ])
    return invitation && tenant && (await readGiving(inner, invitation)) ? { invitation, tenant } : undefined
  })
  if (!found) throw linkDead()
  const { invitation, tenant } = found
  const account = await findLivingAccount(ctx, invitation.email)
  return {
    tenant: { id: tenant.id, name: tenant.name },
    email: invitation.email,
    account_exists: account !== undefined,
    ...(include === 'proof' && {
      nickname: invitation.nickname,
      proof: account ? await proofAsked(ctx, invitation) : 'password',
    }),
  }
}

/** Deletes invitations 90 days after they were closed. */
export const sweepInvitations = ({ store: database }: Pick<Parts, 'store'>): Promise<void> =>
  sweep(database, store.closedInvitations)
