/** Organizations that people create: strangers with a mailed link, and signed-in people. */
import { nobody } from '../../../access/actor.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { requireOwnSignIn, requireUnrestricted } from '../../../access/policies.ts'
import type { Limit } from '../../../cache/cache.ts'
import { inTenant, inTransaction, tokenInvalid, type Ctx, type TransactionCtx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { sourceOf } from '../../../values/source.ts'
import { requireSignUp } from '../../sign-in/auth/auth.service.ts'
import {
  proofAsked,
  proveInvited,
  createOrLockInvited,
  type BroughtPerson,
  type Invited,
  type Proof,
} from '../../sign-in/auth/invited-account.service.ts'
import { noteSignIn } from '../../sign-in/auth/sign-in.service.ts'
import {
  issueJoined,
  openJoinedSession,
  signInJoined,
  untilJoined,
  type Joined,
  type OpenJoined,
} from '../invitations/link-sign-in.service.ts'
import { linkDead } from '../../accounts/mail/links.service.ts'
import {
  countMail,
  countSource,
  newLinkToken,
  queueSignUp,
  requireMail,
} from '../../accounts/mail/mail.service.ts'
import type { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'
import {
  issueTokens,
  openSwitchedSession,
  ownSession,
  requireLivingSession,
} from '../../accounts/sessions/sessions.service.ts'
import { findLivingAccount } from '../../accounts/users/members.service.ts'
import { emailTaken, freeEmail } from '../../accounts/users/users.service.ts'
import { beginFounding, findSlug, foundTenant, requireRoomForFounder } from './founding.service.ts'
import { requireFreeSlug, requirePlainName } from './names.ts'
import type {
  ConfirmSignUp,
  CreateOrganization,
  LookUpSignUp,
  LookUpSignUpQuery,
  SignUp,
  SignUpFound,
} from './sign-up.schemas.ts'
import * as store from './sign-up.store.ts'

/** docs/contract.md, "Sign-up of organizations". */
const linkMs = 24 * 3_600_000
const perSource: Limit = { name: 'sign-ups', points: 5, windowSeconds: 3600 }

const countSignUp = async ({ parts, origin }: Ctx): Promise<void> => {
  if (!parts.config.rateLimit) return
  const { allowed, retryAfterSeconds } = await parts.cache.consume(perSource, sourceOf(origin.ip))
  if (!allowed) {
    throw new AppError('tooManyRequests', 'Too many sign-ups from here within an hour. Try again later', {
      retryAfterSeconds,
    })
  }
}

/**
 * The service never shows the link: only a reader of the mailbox, or of the files that replace e-mails, has it
 * (decision 0103).
 */
const mailed = { isMailed: true }

/** The creation of a tenant runs in the built-in tenant, which gets the audit record. The caller has no user there. */
const inBuiltIn = (ctx: Ctx): Ctx => inTenant({ ...ctx, actor: nobody }, builtInTenant.id)

/**
 * Mails the link that creates an organization, and creates nothing else. Reads nothing about the address, so that
 * answer and time are the same for every address. `applicationId` names the application that requested the sign-in.
 */
export const askSignUp = async (ctx: Ctx, input: SignUp, applicationId?: number): Promise<null> => {
  await requireSignUp(ctx)
  requireMail(ctx)
  requirePlainName(input.organization)
  requireFreeSlug(input.slug)
  await countSignUp(ctx)
  await inTransaction(inBuiltIn(ctx), async (ctx) => {
    if (await countMail(ctx, 'sign_up', input.email)) mailLink(ctx, input, applicationId)
  })
  return null
}

const mailLink = (
  ctx: TransactionCtx,
  { organization, slug = '', email }: SignUp,
  applicationId: number | undefined,
): void => {
  const link = newLinkToken()
  const expiresAt = new Date(ctx.parts.now().getTime() + linkMs)
  store.insertSignUp(ctx.db, { ...link, organization, slug, email, applicationId, expiresAt })
  queueSignUp(ctx, { ...link, email, expiresAt })
}

/** The sign-up of a link. Throws 400 for a spent or expired link. */
const getSignUp = async ({ db, parts }: Ctx, token: string): Promise<store.SignUpRow> => {
  const found = await store.selectSignUp(db, sha256(token), parts.now())
  if (!found) throw linkDead()
  return found
}

/** The address of an open sign-up, whose link is always mailed. Throws 400 for a spent or expired link. */
export const getSigningUp = async (ctx: Ctx, token: string): Promise<Invited> => {
  await requireSignUp(ctx)
  return { email: (await getSignUp(ctx, token)).email, ...mailed }
}

/** The input of the API, or with the person whom a provider brought. */
type Confirmation = ConfirmSignUp & { brought?: BroughtPerson | undefined }

/** The application whose sign-in began an open sign-up. Undefined for the token of another kind of link. */
export const findSignUpHome = async (
  { db, parts }: Ctx,
  token: string,
): Promise<{ applicationId: number | undefined } | undefined> => {
  const found = await store.selectSignUp(db, sha256(token), parts.now())
  return found && { applicationId: found.application_id ?? undefined }
}

/** The sign-up of a link, for its holder. Throws 400 for a spent or expired link. */
export const lookUpSignUp = async (
  ctx: Ctx,
  { token }: LookUpSignUp,
  { include }: LookUpSignUpQuery,
): Promise<SignUpFound> => {
  await requireSignUp(ctx)
  await countSource(ctx)
  const { organization, slug, email } = await getSignUp(ctx, token)
  const account = await findLivingAccount(ctx, email)
  return {
    organization,
    slug: slug || (await findSlug(ctx.db, organization)),
    email,
    account_exists: account !== undefined,
    ...(include === 'proof' && {
      proof: account ? await proofAsked(ctx, { email, is_mailed: true }) : 'password',
    }),
  }
}

/**
 * Creates the organization of a link, and signs its holder in there, as administrator and as owner of the account. An
 * error never spends the link. Throws 400 for a spent or expired link and for a missing password, 401 for a wrong
 * password. Throws 403 for a caller with another address and for one organization too many. Throws 409 for a taken
 * slug, and 429 beyond the limit per hour.
 */
export const confirmSignUp = async (ctx: Ctx, input: ConfirmSignUp): Promise<TokenPair> =>
  issueJoined(ctx, await confirmSignUpTo(ctx, input, openJoinedSession))

/** Creates the organization, and opens a session of the API or the sign-in of a browser. Throws as `confirmSignUp` does. */
export const confirmSignUpTo = async <T extends object>(
  ctx: Ctx,
  input: Confirmation,
  open: OpenJoined<T>,
): Promise<Joined<T>> => {
  await requireSignUp(ctx)
  ctx.parts.hasher.requireRoom()
  await countSource(ctx)
  return untilJoined(() => confirm(ctx, input, open))
}

const confirm = async <T extends object>(
  caller: Ctx,
  input: Confirmation,
  open: OpenJoined<T>,
): Promise<Joined<T>> => {
  const { email, organization, slug } = await getSignUp(caller, input.token)
  await freeEmail(caller, email)
  const names = [input.username, input.nickname ?? '', organization, input.slug ?? slug]
  const proof = await proveInvited(caller, { email, ...mailed, tenantId: undefined, names }, input)
  return inTransaction(inBuiltIn(caller), (ctx) => create(ctx, { input, proof, open })).catch(emailTaken)
}

const create = async <T extends object>(
  ctx: TransactionCtx,
  { input, proof, open }: { input: Confirmation; proof: Proof; open: OpenJoined<T> },
): Promise<Joined<T>> => {
  await beginFounding(ctx)
  const spent = await store.deleteSignUp(ctx.db, sha256(input.token), ctx.parts.now())
  if (!spent) throw linkDead()
  const account = await createOrLockInvited(ctx, proof, { email: spent.email, ...mailed })
  await requireRoomForFounder(ctx, account.accountId)
  const { username, nickname = '' } = input
  const slug = input.slug ?? (spent.slug || undefined)
  const founding = { organization: spent.organization, slug, account, username, nickname }
  return foundTenant(ctx, founding, (ctx, userId) => signInJoined(ctx, { userId, ...account }, proof, open))
}

const ownerNeeded = () =>
  new AppError(
    'ownerNeeded',
    'First prove your mailbox: choose a password by the link of “Forgot your password?”',
  )

/**
 * Creates an organization for a signed-in person, and opens a session of the same sign-in there. Throws 403 in sessions
 * of applications, in restricted sessions, for an account without an owner, and for one organization too many. Throws
 * 409 for a taken slug, and 429 beyond the limit per hour.
 */
export const createOrganization = async (ctx: Ctx, input: CreateOrganization): Promise<TokenPair> => {
  requireOwnSignIn(ctx.actor)
  requireUnrestricted(ctx.actor, undefined, { is_factor_required: false })
  await requireSignUp(ctx)
  requirePlainName(input.organization)
  const session = ownSession(ctx.actor)
  const { accountId } = session
  const subject = await inTransaction(inBuiltIn(ctx), async (ctx) => {
    await beginFounding(ctx)
    await requireLivingSession(ctx, session)
    const founder = await store.selectFounderForUpdate(ctx.db, accountId)
    if (!founder) throw tokenInvalid()
    if (!founder.is_owned) throw ownerNeeded()
    await requireRoomForFounder(ctx, accountId)
    const account = { accountId, email: founder.email }
    return foundTenant(ctx, { nickname: '', ...input, slug: input.slug, account }, (ctx, userId) => {
      noteSignIn(ctx, userId)
      return openSwitchedSession(ctx, { userId, tenantId: ctx.tenantId }, session)
    })
  })
  ctx.parts.cache.touch(subject.tenantId, subject.userId)
  return issueTokens(ctx, subject)
}
