/**
 * Signs in the people whom a provider describes: known, linked or new people (docs/contract.md, "Enterprise sign-in").
 */
import { nobody } from '../../../access/actor.ts'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { platformAdminId } from '../../../access/permissions.ts'
import { inTenant, type Ctx } from '../../../context.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { changesBetween, naming, recordAs } from '../../audit/audit/audit.service.ts'
import { freeUsername } from '../../tenancy/imports/usernames.service.ts'
import { linkPushedUser } from '../../tenancy/scim/pushed-users.service.ts'
import { addMember, defaultRole } from '../../accounts/users/members.service.ts'
import { addUser, freeEmail } from '../../accounts/users/users.service.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import { nicknameOf } from './nickname.service.ts'
import { noteOutcome } from './outcomes.service.ts'
import type { Claim, ProvidedPerson, PersonMatch } from './persons.service.ts'
import { resolve, type AccountToProve, type Verdict } from './resolve.service.ts'
import { updateProfile, updateMappedRoles } from './provider-updates.service.ts'
import * as store from './linking.store.ts'

/** A person from a provider's accepted answer, and the connection. */
export interface ProviderSignIn {
  tenantId: string
  connectionId: string
  person: ProvidedPerson
  /** The claims that administrators see. Empty when the person returns with a proof. */
  claims: Claim[]
}

/** The user of a person who signs in, and the limits of the sign-in. The transaction has locked account and user. */
export interface SignedInPerson {
  userId: number
  username: string
  account: { id: number; email: string }
  /** The methods of RFC 8176, including `sso`. */
  amr: readonly string[]
  connection: { id: string; tenantId: string; latestExpiresAt: Date }
}

/** Opens a session or sign-in for the person, in the transaction. */
export type PersonOpener<T> = (ctx: AuthorityCtx, admitted: SignedInPerson) => Promise<T>

export type LinkingResult<T> =
  | { kind: 'signed_in'; how: PersonMatch; opened: T }
  | { kind: 'proof'; account: AccountToProve }
  | Extract<Verdict, { kind: 'refused' }>

/** Runs a change under the authority lock of the tenant, with the present connection. */
const withConnection = <T>(
  ctx: Ctx,
  { tenantId, connectionId }: ProviderSignIn,
  change: (ctx: AuthorityCtx, connection: store.SignInConnection | undefined) => Promise<T>,
): Promise<T> =>
  changingAuthority(
    inTenant({ ...ctx, actor: nobody }, tenantId),
    ({ db }) => store.selectSignInConnection(db, tenantId, connectionId),
    change,
  )

const recordOutcome = async <T>(
  ctx: AuthorityCtx,
  { connectionId, person, claims }: ProviderSignIn,
  outcome: LinkingResult<T>,
): Promise<LinkingResult<T>> => {
  const reason = outcome.kind === 'signed_in' ? outcome.how : outcome.kind === 'refused' ? outcome.reason : ''
  noteOutcome(ctx, connectionId, { outcome: outcome.kind, reason, person, claims })
  if (outcome.kind !== 'refused' || !outcome.user) return outcome
  recordAs(ctx, outcome.user, {
    action: 'sso.refused',
    resourceId: connectionId,
    aboutUserId: outcome.user.userId,
    detail: naming({ username: outcome.user.username, reason: outcome.reason }),
  })
  return outcome
}

const inactive = { kind: 'refused', reason: 'connection_inactive' } as const

/** Returns the decision about a person, and changes nothing. */
export const previewSignIn = (ctx: Ctx, brought: ProviderSignIn): Promise<Verdict> =>
  withConnection(ctx, brought, async (ctx, connection) =>
    connection && connection.status !== 'disabled' ? resolve(ctx, connection, brought.person) : inactive,
  )

const admitWithin = async <T>(
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  brought: ProviderSignIn,
  open: PersonOpener<T>,
): Promise<LinkingResult<T>> => {
  const verdict = await resolve(ctx, connection, brought.person)
  if (verdict.kind === 'refused' || verdict.kind === 'proof') return verdict
  const user = verdict.kind === 'created' ? await create(ctx, connection, brought.person) : verdict.user
  if (verdict.kind !== 'known') link(ctx, connection, { ...brought, user, proof: proofs[verdict.kind] })
  return {
    kind: 'signed_in',
    how: verdict.kind,
    opened: await signInLinked(ctx, connection, { brought, user }, open),
  }
}

/** Notes the refusal of a person for whom the tenant has no room, after the rollback of the sign-in. */
const refuseFull =
  <T>(ctx: Ctx, brought: ProviderSignIn) =>
  (err: unknown): Promise<LinkingResult<T>> => {
    if (!(err instanceof AppError && err.code === errorCodes.limitReached)) throw err
    return withConnection(ctx, brought, (ctx) =>
      recordOutcome<T>(ctx, brought, { kind: 'refused', reason: 'limit_reached' }),
    )
  }

/** Signs the person in, requests a proof of an account, or refuses the person. */
export const admit = async <T>(
  ctx: Ctx,
  brought: ProviderSignIn,
  open: PersonOpener<T>,
): Promise<LinkingResult<T>> => {
  // Releases the address of an account whose tenants are all removed.
  if (brought.person.email !== '') await freeEmail(ctx, brought.person.email)
  return withConnection(ctx, brought, async (ctx, connection) =>
    connection?.status === 'active'
      ? recordOutcome(ctx, brought, await admitWithin(ctx, connection, brought, open))
      : inactive,
  ).catch(refuseFull<T>(ctx, brought))
}

const proofs = { linked: 'only_here', created: 'created' } as const

const noPassword = { password_hash: '', password_scheme: 'none' } as const

const givable = async ({ db, tenantId }: AuthorityCtx, { default_role_ids: ids }: store.SignInConnection) =>
  ids.length === 0 ? [] : store.selectGivable(db, tenantId, ids, platformAdminId)

/** Creates an account without a password, and its user with the connection's roles. */
const create = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { email, name }: ProvidedPerson,
): Promise<store.LinkedUser> => {
  const [username, roles] = [await freeUsername(ctx, email), await givable(ctx, connection)]
  const { user } = await addUser(ctx, { email, username, nickname: nicknameOf(name) }, noPassword)
  store.insertRoles(
    ctx.db,
    ctx.tenantId,
    user.id,
    roles.map(({ id }) => id),
  )
  const created = { email, username, nickname: user.nickname, status: 1, roles: roles.map((one) => one.name) }
  recordAs(
    ctx,
    { userId: user.id, username },
    {
      action: 'user.create',
      resourceId: user.id,
      detail: { ...changesBetween({}, created), source: { from: null, to: 'jit' } },
    },
  )
  const { account_id: accountId } = await store.selectAccountOf(ctx.db, ctx.tenantId, user.id)
  return { user_id: user.id, account_id: accountId, username, status: 1, email }
}

interface LinkToAdd extends Pick<ProviderSignIn, 'person'> {
  user: Pick<store.LinkedUser, 'user_id' | 'username'>
  /** How the person proved the account. */
  proof: string
}

const link = (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { person, user, proof }: LinkToAdd,
): void => {
  const { user_id: userId, username } = user
  const row = { tenantId: ctx.tenantId, connectionId: connection.id, subject: person.subject, userId, proof }
  store.insertLink(ctx.db, { ...row, now: ctx.parts.now() })
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'sso.link',
      resourceId: connection.id,
      aboutUserId: userId,
      detail: { ...naming({ username, connection: connection.name }), ...changesBetween({}, { proof }) },
    },
  )
}

/** Signs a linked user in, after an update of address, nickname and roles from the provider. */
const signInLinked = async <T>(
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { brought, user, amr = [] }: { brought: ProviderSignIn; user: store.LinkedUser; amr?: readonly string[] },
  open: PersonOpener<T>,
): Promise<T> => {
  const { person, claims: _, ...origin } = brought
  const { user_id: userId, account_id: accountId, username } = user
  const email = await updateProfile(ctx, connection, { user, person })
  const roles = await updateMappedRoles(ctx, connection, { userId, groups: person.groups })
  store.updateUsed(ctx.db, { ...origin, subject: person.subject, now: ctx.parts.now() })
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'auth.login',
      resourceId: userId,
      detail: { ...naming({ username, connection: connection.name }), ...roles },
    },
  )
  return open(ctx, {
    userId,
    username,
    account: { id: accountId, email },
    amr: [...new Set(['sso', ...amr, ...(connection.trust_mfa ? ['mfa'] : [])])].toSorted(),
    connection: {
      id: connection.id,
      tenantId: ctx.tenantId,
      latestExpiresAt: endOf(ctx, connection, person),
    },
  })
}

const endOf = (
  { parts }: AuthorityCtx,
  { session_seconds: seconds }: store.SignInConnection,
  { sessionEndsAt }: ProvidedPerson,
): Date => {
  const own = parts.now().getTime() + seconds * 1000
  return new Date(sessionEndsAt === undefined ? own : Math.min(own, Date.parse(sessionEndsAt)))
}

export interface AccountProof {
  kind: 'password' | 'passkey' | 'link'
  /** The methods of RFC 8176, without the password. */
  amr: readonly string[]
  /** Locks the account and uses up the proof. Returns whether the proof is still valid. */
  consume: (ctx: AuthorityCtx, account: AccountToProve) => Promise<boolean>
}

const proofDead = () =>
  new AppError('stepWrong', 'The account was changed meanwhile. Begin the sign-in again')

interface ProvedBy {
  accountId: number
  proof: AccountProof
}

const linkProved = async <T>(
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { brought, accountId, proof }: ProvedBy & { brought: ProviderSignIn },
  open: PersonOpener<T>,
): Promise<LinkingResult<T>> => {
  const verdict = await resolve(ctx, connection, brought.person)
  if (verdict.kind === 'refused') return verdict
  if (verdict.kind !== 'proof' || verdict.account.accountId !== accountId) throw proofDead()
  const { account } = verdict
  const isEnough = proof.kind === 'link' || !account.isUnowned
  if (!isEnough || !(await proof.consume(ctx, account))) throw proofDead()
  const { userId, username } =
    account.user ?? (await addToTenant(ctx, connection, { account, person: brought.person }))
  const user = { user_id: userId, username, account_id: accountId, email: account.email, status: 1 as const }
  link(ctx, connection, { ...brought, user, proof: proof.kind })
  queueNotice(ctx, 'sso_linked', { accountId, email: account.email }, { tenant: connection.tenant_name })
  const opened = await signInLinked(ctx, connection, { brought, user, amr: proof.amr }, open)
  return { kind: 'signed_in', how: 'proved', opened }
}

/**
 * Links the account that a person has proved, and signs the person in. Throws 400 if the person's address now has
 * another account.
 */
export const admitProved = <T>(
  ctx: Ctx,
  { brought, ...proved }: ProvedBy & { brought: ProviderSignIn },
  open: PersonOpener<T>,
): Promise<LinkingResult<T>> =>
  withConnection(ctx, brought, async (ctx, connection) =>
    connection?.status === 'active'
      ? recordOutcome(ctx, brought, await linkProved(ctx, connection, { brought, ...proved }, open))
      : inactive,
  ).catch(refuseFull<T>(ctx, brought))

/** Makes the person of an account of other tenants a user of the tenant. */
const addToTenant = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { account: { accountId, email }, person }: { account: AccountToProve; person: ProvidedPerson },
): Promise<{ userId: number; username: string }> => {
  const [username, roles] = [await freeUsername(ctx, email), await givable(ctx, connection)]
  const nickname = nicknameOf(person.name)
  const member = { accountId, email, username, nickname }
  const { id: userId } = await addMember(ctx, member, roles.map(defaultRole))
  const attributes = connection.has_directory ? await linkPushedUser(ctx, userId, email) : {}
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'user.create',
      resourceId: userId,
      detail: {
        ...changesBetween({}, { email, username, nickname, status: 1, roles: roles.map((one) => one.name) }),
        ...attributes,
        source: { from: null, to: connection.has_directory ? 'scim' : 'jit' },
      },
    },
  )
  return { userId, username }
}
