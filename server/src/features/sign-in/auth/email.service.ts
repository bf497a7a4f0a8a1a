import { inTenant, inTransaction, tokenInvalid, type Ctx, type TransactionCtx } from '../../../context.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { AppError } from '../../../errors/app-error.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import { passkeysAreOn } from '../../../config/relying-party.ts'
import { changesBetween, naming, record, recordAs } from '../../audit/audit/audit.service.ts'
import { getLink, linkDead, revokeLinks, spendLink, type Link } from '../../accounts/mail/links.service.ts'
import {
  countMail,
  countSource,
  isMailInFiles,
  isMailOn,
  queueLink,
  queueNotice,
  requireMail,
} from '../../accounts/mail/mail.service.ts'
import { deleteFactors, listFactorsOfAccount } from '../../accounts/factors/factors.service.ts'
import { dropMfa, endAccountSessions } from '../../accounts/sessions/sessions.service.ts'
import { emailTaken, freeEmail, replaceEmail } from '../../accounts/users/users.service.ts'
import { hashChosen, readPasswordRules } from '../../accounts/passwords/passwords.service.ts'
import { recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { readRobots } from '../robots/robots.service.ts'
import { deleteIdentities } from '../../accounts/identities/identities.service.ts'
import { readWays } from '../ways/ways.service.ts'
import { getRegistration } from './auth.service.ts'
import type {
  AuthOptions,
  AuthOptionsQuery,
  ChangeEmail,
  ForgotPassword,
  ResetPassword,
  VerifyEmail,
} from './email.schemas.ts'
import {
  findLogin,
  findUserToSignIn,
  passwordWrong,
  requireOwnPassword,
  type KnownLogin,
} from '../../accounts/accounts/credentials.service.ts'
import { lockAccountWithPassword } from './auth.store.ts'
import * as store from './ownership.store.ts'

/** The sign-up and sign-in methods that the installation offers to anonymous visitors. */
export const getAuthOptions = async (ctx: Ctx, { tenant }: AuthOptionsQuery): Promise<AuthOptions> => {
  const { parts } = ctx
  const mail = isMailOn(parts)
  return {
    registration: (await getRegistration(ctx)).open,
    sign_up: parts.config.signUp,
    password_reset: mail,
    mail,
    mail_in_files: isMailInFiles(parts),
    passkeys: passkeysAreOn(parts.config),
    ways: await readWays(ctx, tenant),
    passwords: await readPasswordRules(ctx, tenant),
    robots: await readRobots(ctx),
  }
}

/** The tenant was removed meanwhile, together with the account. */
const isRemoved = (err: unknown): boolean => err instanceof AppError && err.code === 40402

/**
 * Mails a link for a new password. For an unknown address it runs the same statements and commits one row, so neither
 * answer nor time reveals whether the address has an account. `applicationId` names the application that requested the
 * sign-in.
 */
export const forgotPassword = async (
  ctx: Ctx,
  { email }: ForgotPassword,
  applicationId?: number,
): Promise<null> => {
  requireMail(ctx)
  await countSource(ctx)
  const known = await findLogin(ctx, email)
  await inTransaction(inTenant(ctx, known?.user.tenant_id ?? builtInTenant.id), async (ctx) => {
    if (await countMail(ctx, 'reset', email)) mailReset(ctx, known, { email, applicationId })
  }).catch((err: unknown) => {
    if (!isRemoved(err)) throw err
  })
  return null
}

const unknownUser = { user_id: 0, username: '' }

const mailReset = (
  ctx: TransactionCtx,
  known: KnownLogin | undefined,
  { email, applicationId }: { email: string; applicationId: number | undefined },
): void => {
  const { id: accountId, email: to } = known?.account ?? { id: 0, email }
  queueLink(ctx, { kind: 'reset', accountId, email: to, applicationId })
  store.beginRehearsal(ctx.db)
  const { user_id: userId, username } = known?.user ?? unknownUser
  const detail = naming({ username })
  recordAs(ctx, { userId, username }, { action: 'auth.password_forgot', resourceId: userId, detail })
  if (known) store.keepRehearsed(ctx.db)
  else store.undoRehearsed(ctx.db)
}

/** Sets a new password by a link, and ends every session of the account. Throws 400 for a spent or expired link. */
export const resetPassword = async (ctx: Ctx, input: ResetPassword): Promise<null> => {
  await countSource(ctx)
  const { accountId } = await getLink(ctx, input.token, ['reset'])
  const user = await findUserToSignIn(ctx, accountId)
  if (!user) throw linkDead()
  const chosen = { field: 'new_password', password: input.new_password }
  const next = await hashChosen(ctx, chosen, { accountId })
  await inTransaction(inTenant(ctx, user.tenant_id), async (ctx) => {
    const account = await store.selectAccountForUpdate(ctx.db, accountId)
    if (!account) throw linkDead()
    await spendLink(ctx, input.token, { kinds: ['reset'], account })
    // The factors of an account with an owner stay: otherwise a stolen mailbox would open the account.
    if (account.is_proved) endOthers(ctx, accountId)
    else await startClean(ctx, { accountId, email: account.email })
    store.updatePasswordByOwner(ctx.db, accountId, next, ctx.parts.now())
    queueNotice(ctx, 'password_changed', { accountId, email: account.email })
    await recordForAccount(ctx, accountId, { action: 'auth.password_reset' })
  }).catch((err: unknown) => {
    throw isRemoved(err) ? linkDead() : err
  })
  return null
}

const endOthers = (ctx: TransactionCtx, accountId: number, keptId?: string): void => {
  endAccountSessions(ctx, accountId, keptId)
  revokeLinks(ctx, accountId)
}

/**
 * The first proof of an account's mailbox: the account now has an owner. Removes everything that another person could
 * have prepared: password, sessions, factors, identities, recovery codes, challenges, open links and pending changes.
 * `keptId` names the caller's session, which stays. The owner and the audit log learn of removed factors.
 */
export const startClean = async (
  ctx: TransactionCtx,
  { accountId, email }: { accountId: number; email: string },
  keptId?: string,
): Promise<void> => {
  const names = (await listFactorsOfAccount(ctx, accountId)).map(({ name }) => name)
  store.deletePassword(ctx.db, accountId, ctx.parts.now())
  deleteFactors(ctx, accountId)
  deleteIdentities(ctx, accountId)
  endOthers(ctx, accountId, keptId)
  if (keptId !== undefined) dropMfa(ctx)
  if (names.length === 0) return
  for (const factor of names) queueNotice(ctx, 'factor_removed', { accountId, email }, { factor })
  const detail = changesBetween({ factors: names }, { factors: [] })
  await recordForAccount(ctx, accountId, { action: 'factor.reset', detail })
}

const linkOfAnother = () =>
  new AppError(
    'linkOfAnother',
    'This link is for another account. Sign in to that account, then open it again',
  )

/**
 * Confirms an address by the link that was mailed to it: the present address, or one that replaces it. The first proof
 * ends the password, and `new_password` is the next one. Throws 400 for a
 * spent or expired link, 403 in a session of another account, and 409 if another account has the address.
 */
export const verifyEmail = async (
  ctx: Ctx,
  { token, new_password: password }: VerifyEmail,
): Promise<null> => {
  const link = await getLink(ctx, token, ['verification', 'change'])
  if (link.accountId !== ctx.actor.accountId) throw linkOfAnother()
  if (link.kind === 'change') await freeEmail(ctx, link.email)
  const { accountId } = link
  const chosen = password === undefined ? undefined : { field: 'new_password', password }
  const next = chosen && (await hashChosen(ctx, chosen, { accountId }))
  await inTransaction(ctx, (ctx) => confirmEmail(ctx, accountId, { token, next })).catch(emailTaken)
  return null
}

const confirmEmail = async (
  ctx: TransactionCtx,
  accountId: number,
  { token, next }: { token: string; next: StoredPassword | undefined },
): Promise<void> => {
  const account = await store.selectAccountForUpdate(ctx.db, accountId)
  if (!account) throw linkDead()
  const link = await spendLink(ctx, token, { kinds: ['verification', 'change'], account })
  if (link.kind === 'change') await moveAccount(ctx, account, link)
  if (account.is_proved) store.updateProved(ctx.db, accountId)
  else await proveFirst(ctx, { ...account, email: link.email }, next)
  const detail = changesBetween({ email: account.email }, { email: link.email })
  const action = link.kind === 'change' ? 'auth.email_change' : 'auth.email_verify'
  await recordForAccount(ctx, accountId, { action, detail })
}

/** A stranger can have had access before the first proof, so only the session of this proof stays. */
const proveFirst = async (
  ctx: TransactionCtx,
  { id, email, has_password: hasPassword }: store.OwnedAccount,
  next: StoredPassword | undefined,
): Promise<void> => {
  await startClean(ctx, { accountId: id, email }, ctx.actor.credential?.id)
  if (next) store.updatePasswordByOwner(ctx.db, id, next, ctx.parts.now())
  if (hasPassword) queueNotice(ctx, 'password_changed', { accountId: id, email })
}

/** Whether a link is the first proof of its account's mailbox, and ends a password. */
export const endsPassword = async ({ db }: Ctx, { kind, accountId }: Link): Promise<boolean> => {
  const account = kind === 'reset' ? undefined : await store.selectIsProved(db, accountId)
  return account?.is_proved === false && account.has_password
}

/** Gives the account its new address. Invalidates links to the old address, and notifies its mailbox. */
const moveAccount = async (ctx: TransactionCtx, account: store.OwnedAccount, link: Link): Promise<void> => {
  await replaceEmail(ctx, account.id, link.email)
  revokeLinks(ctx, account.id)
  queueNotice(ctx, 'email_changed', { accountId: account.id, email: account.email })
}

/**
 * Mails the confirmation link for the caller's address again. Does nothing for a confirmed address. `applicationId`
 * names the application that requested the sign-in.
 */
export const sendVerification = async (ctx: Ctx, applicationId?: number): Promise<null> => {
  requireMail(ctx)
  await inTransaction(ctx, async (ctx) => {
    const { accountId, userId, name: username } = ctx.actor
    const account = await store.selectAccountForUpdate(ctx.db, accountId ?? 0)
    if (!account) throw tokenInvalid()
    if (account.is_proved || !(await countMail(ctx, 'verification', account.email))) return
    queueLink(ctx, { kind: 'verification', accountId: account.id, email: account.email, applicationId })
    const detail = naming({ username })
    record(ctx, { action: 'auth.email_verification', resourceId: userId, detail })
  })
  return null
}

/**
 * Mails a link to another address. The address replaces the caller's when the caller opens the link. Gives the same
 * answer for a taken address. Throws 401 for a wrong password.
 */
export const changeEmail = async (ctx: Ctx, input: ChangeEmail, applicationId?: number): Promise<null> => {
  requireMail(ctx)
  const account = await requireOwnPassword(ctx, input.password)
  await inTransaction(ctx, async (ctx) => {
    if (!(await lockAccountWithPassword(ctx.db, account.id, account.password_hash))) throw passwordWrong()
    if (!(await countMail(ctx, 'change', input.email))) return
    revokeLinks(ctx, account.id, ['change'])
    queueLink(ctx, { kind: 'change', accountId: account.id, email: input.email, applicationId })
    const { userId, name: username } = ctx.actor
    const change = changesBetween({ email: account.email }, { email: input.email })
    const detail = { ...naming({ username }), ...change }
    record(ctx, { action: 'auth.email_request', resourceId: userId, detail })
  })
  return null
}
