import { languageOf } from '../../../mail/language.ts'
import { checkOf } from '../../../values/check.ts'
import type { Ctx, TransactionCtx, EarlyCtx } from '../../../context.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { hashChosen } from '../../accounts/passwords/passwords.service.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import { Password } from '../../accounts/users/users.schemas.ts'
import { recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { fold } from '../../../values/text.ts'
import { providerRefused, type ProviderPerson } from '../../accounts/identities/identities.service.ts'
import { recordFailedLogin } from './sign-in.service.ts'
import { lockAccountWithPassword } from './auth.store.ts'
import { startClean } from './email.service.ts'
import { countingGuesses } from '../../accounts/accounts/guessing.service.ts'
import { findLogin } from '../../accounts/accounts/credentials.service.ts'
import * as store from './ownership.store.ts'

/** Thrown if the account of an invitation changes after its person's proof. */
export class AccountChanged extends AppError {
  constructor() {
    super('credentialsWrong', 'The account was changed meanwhile. Try again')
  }
}

/** A provider's person, with the address as the provider names it. */
export interface BroughtPerson extends ProviderPerson {
  email: string
  /** Whether the provider proves the address. */
  isProved: boolean
}

export type Proof =
  /** `brought` opens the new account, which then has no password. */
  | { kind: 'new'; password: StoredPassword; brought?: BroughtPerson }
  /** An account without an owner. Its person becomes the owner by the mailed link and a new password. */
  | { kind: 'owner'; account: store.InvitedAccount; password: StoredPassword }
  | { kind: 'password'; account: store.InvitedAccount }
  | { kind: 'session'; account: store.InvitedAccount; sessionId: string }

export interface Invited {
  email: string
  /** Whether the link was mailed to the address. */
  isMailed: boolean
}

/** An invited address, and the tenant that its person joins. */
export interface Joining extends Invited {
  /** The tenant, unless the person founds it. */
  tenantId: string | undefined
  /** Names of the person and of a founded tenant. */
  names: string[]
}

interface InvitationCredentials {
  password?: string | undefined
  new_password?: string | undefined
  /** The provider's person for an address without an account. */
  brought?: BroughtPerson | undefined
}

const isPassword = checkOf(Password)

const missing = (field: string) => invalid(field, 'is missing')

/**
 * Checks the credentials for an invited address. `ctx` can have a signed-in caller. Wrong passwords count like those of
 * a sign-in.
 */
export const proveInvited = async (
  ctx: Ctx,
  joining: Joining,
  given: InvitationCredentials,
): Promise<Proof> => {
  const account = await store.selectInvitedAccount(ctx.db, joining.email)
  const { credential, accountId } = ctx.actor
  if (credential && (account === undefined || accountId !== account.id)) {
    throw new AppError(
      'invitationOfAnother',
      'This link is for another address. Sign out, then open it again',
    )
  }
  if (!account) return proveNew(ctx, joining, given)
  if (!account.is_owned) return proveMailbox(ctx, account, { joining, given })
  if (credential) return { kind: 'session', account, sessionId: credential.id }
  if (given.password === undefined) throw missing('password')
  await requirePassword(ctx, account, given.password)
  return { kind: 'password', account }
}

const noPassword = { password_hash: '', password_scheme: 'none' } as const

const proveNew = async (
  ctx: Ctx,
  joining: Joining,
  { password, brought }: InvitationCredentials,
): Promise<Proof> => {
  if (!brought) return { kind: 'new', password: await hashGiven(ctx, 'password', password, joining) }
  const isSame = fold(brought.email) === fold(joining.email)
  if (!isSame || !(brought.isProved || joining.isMailed)) throw providerRefused()
  return { kind: 'new', password: noPassword, brought }
}

/** The field that proves that the caller is the person of the invited account. */
export const proofAsked = async (
  ctx: Ctx,
  { email, is_mailed: isMailed }: { email: string; is_mailed: boolean },
): Promise<'password' | 'new_password' | 'none'> => {
  const account = await store.selectInvitedAccount(ctx.db, email)
  if (!account || account.is_owned) return 'password'
  return isMailed ? 'new_password' : 'none'
}

const hashGiven = (
  ctx: Ctx,
  field: string,
  password: string | undefined,
  { accountId, tenantId, names, email }: Joining & { accountId?: number },
): Promise<StoredPassword> => {
  if (password === undefined) throw missing(field)
  if (!isPassword(password)) throw invalid(field, 'must have 8 to 128 characters')
  return hashChosen(ctx, { field, password }, { accountId, tenantId, names: [email, ...names] })
}

/** Proves the mailbox instead of the password: another person can have prepared the account and know its password. */
const proveMailbox = async (
  ctx: Ctx,
  account: store.InvitedAccount,
  { joining, given }: { joining: Joining; given: InvitationCredentials },
): Promise<Proof> => {
  if (!joining.isMailed) {
    throw new AppError(
      'accountUnowned',
      'Nobody has proved the mailbox of the account with this address, and this link was not mailed. Choose a password by the ' +
        'link of “Forgot your password?”, then open this link again',
    )
  }
  if (given.new_password === undefined) {
    throw new AppError('newPasswordNeeded', 'Choose a new password: nobody has proved this mailbox before')
  }
  return {
    kind: 'owner',
    account,
    password: await hashGiven(ctx, 'new_password', given.new_password, { ...joining, accountId: account.id }),
  }
}

const requirePassword = async (ctx: Ctx, account: store.InvitedAccount, password: string): Promise<void> => {
  const isRight = await countingGuesses(ctx, account.email, () =>
    ctx.parts.hasher.verify(password, async () => account),
  )
  if (isRight) return
  await recordFailedLogin(ctx, (await findLogin(ctx, account.email))?.user)
  throw new AppError('credentialsWrong', 'The password is wrong')
}

export interface JoiningAccount {
  accountId: number
  /** The address as the account spells it. */
  email: string
}

const isProvedBy = ({ brought }: Extract<Proof, { kind: 'new' }>): boolean => brought?.isProved === true

/**
 * Creates or locks the account of an accepted invitation, in the transaction of the acceptance. Throws AccountChanged
 * if the account has changed since the proof. The transaction fails if another person has just taken the address.
 */
export const createOrLockInvited = async (
  ctx: TransactionCtx,
  proof: Proof,
  { email, isMailed }: Invited,
): Promise<JoiningAccount> => {
  const now = ctx.parts.now()
  if (proof.kind === 'new') {
    const language = languageOf(ctx.origin.acceptLanguage)
    const isProved = isMailed || isProvedBy(proof)
    const added = await store.insertOwnAccount(ctx.db, { email, isProved, language, now }, proof.password)
    return { accountId: added.id, email }
  }
  const { account } = proof
  const current = await store.selectInvitedForUpdate(ctx.db, email)
  const isSame =
    current?.id === account.id &&
    current.is_owned === account.is_owned &&
    current.password_hash === account.password_hash
  if (!isSame) throw new AccountChanged()
  const joining = { accountId: account.id, email: account.email }
  if (proof.kind === 'owner') await takeOwnership(ctx, joining, proof.password)
  return joining
}

const takeOwnership = async (
  ctx: TransactionCtx,
  { accountId, email }: JoiningAccount,
  password: StoredPassword,
): Promise<void> => {
  await startClean(ctx, { accountId, email })
  store.updatePasswordByOwner(ctx.db, accountId, password, ctx.parts.now())
  queueNotice(ctx, 'password_changed', { accountId, email })
  await recordForAccount(ctx, accountId, { action: 'auth.password_reset' })
}

/** Locks an account whose password was just verified. False if the password has changed since. */
export const isPasswordStill = async (
  ctx: EarlyCtx,
  { id, password_hash: hash }: { id: number; password_hash: string },
): Promise<boolean> => {
  await store.selectAccountForUpdate(ctx.db, id)
  return (await lockAccountWithPassword(ctx.db, id, hash)) !== undefined
}
