import { languageOf } from '../../../mail/language.ts'
import type { Config } from '../../../config/config.ts'
import {
  inTenant,
  inTransaction,
  inTransactionAfter,
  type Ctx,
  type Parts,
  type TransactionCtx,
} from '../../../context.ts'
import { orElsewhere } from '../../accounts/sessions/reach.service.ts'
import { AppError, connectionNeededHere, invalid } from '../../../errors/app-error.ts'
import { refusesPassword } from '../../../values/guessed-passwords.ts'
import { requireMfa } from '../../../access/policies.ts'
import { builtInTenant, platformAdminRole } from '../../../access/permissions.ts'
import { changesBetween, record, recordAs } from '../../audit/audit/audit.service.ts'
import { revokeLinks } from '../../accounts/mail/links.service.ts'
import { countMail, isMailOn, keepDevice, queueLink, queueNotice } from '../../accounts/mail/mail.service.ts'
import type { Claims } from '../../../crypto/tokens.ts'
import { rotateSession } from '../../accounts/sessions/rotation.service.ts'
import { endAccountSessions, issueTokens, openSession } from '../../accounts/sessions/sessions.service.ts'
import {
  addUser,
  addUserUncounted,
  freeEmail,
  grantPlatformAdmin,
  hashForUser,
} from '../../accounts/users/users.service.ts'
import type { User } from '../../accounts/users/users.schemas.ts'
import type { ChangePassword, KeySet, Refresh, Register, Registration, TokenPair } from './auth.schemas.ts'
import * as store from './auth.store.ts'
import { keySetSeconds } from '../../../crypto/keys.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import {
  getOwnAccount,
  passwordWrong,
  requireOwnPassword,
} from '../../accounts/accounts/credentials.service.ts'
import { keepingOwnWays } from '../../accounts/accounts/own-ways.service.ts'
import type { ProvePassword } from '../../accounts/factors/factors.schemas.ts'
import { hashChosen } from '../../accounts/passwords/passwords.service.ts'
import { deleteOwnPassword, updatePasswordOwn, updateRegistered } from './ownership.store.ts'
import { noteSignIn, unlessRemoved, type Open, type Proved } from './sign-in.service.ts'

/**
 * Adds a platform administrator, for the command line and the first start. Throws 409 for a taken e-mail or username.
 */
export const createPlatformAdmin = async (ctx: Ctx, input: Register): Promise<number> => {
  await freeEmail(ctx, input.email)
  const password = await hashForUser(inTenant(ctx, builtInTenant.id), input)
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    // Platform administrators do not count.
    const { user } = await addUserUncounted(ctx, { ...input, status: 1 }, password)
    await grantPlatformAdmin(ctx, user.id)
    record(ctx, {
      action: 'user.create',
      resourceId: user.id,
      detail: changesBetween({}, { email: user.email, username: user.username, role: platformAdminRole }),
    })
    return user.id
  })
}

/**
 * Adds the configured platform administrator to a database without users. Throws if otherwise the first stranger to
 * register would become platform administrator.
 */
export const createFirstAdmin = async (ctx: Ctx): Promise<void> => {
  const { config } = ctx.parts
  if (await store.selectAnyAccount(ctx.db)) return
  if (!config.admin) return refuseFirstComer(config)
  await createConfiguredAdmin(ctx, config.admin)
}

const refuseFirstComer = ({ isProduction, firstUserAdmin, signUp }: Config): void => {
  if (!isProduction || !firstUserAdmin || signUp === 'closed') return
  throw new Error(
    'in production the first to register must not become administrator: set TENANTRY_ADMIN_EMAIL and ' +
      'TENANTRY_ADMIN_PASSWORD, or TENANTRY_FIRST_USER_ADMIN=false and run tenantry create-admin',
  )
}

const createConfiguredAdmin = async (ctx: Ctx, admin: Register): Promise<void> => {
  try {
    const userId = await createPlatformAdmin(ctx, admin)
    ctx.parts.log.warn({ userId }, 'created the platform administrator of the configuration')
  } catch (err) {
    // Another replica that started at the same time has created the account.
    if (!(err instanceof AppError && err.status === 409)) throw err
  }
}

/** Installations with an account. The cache saves a query of the database. */
const inhabited = new WeakSet<Parts>()

const isEmptyInstallation = async ({ parts, db }: Ctx): Promise<boolean> => {
  if (!inhabited.has(parts) && (await store.selectAnyAccount(db))) inhabited.add(parts)
  return !inhabited.has(parts)
}

/** Whether an anonymous visitor can register, and how. */
export const getRegistration = async (ctx: Ctx): Promise<Registration> => {
  const { signUp, firstUserAdmin } = ctx.parts.config
  const isFirst = signUp !== 'closed' && firstUserAdmin && (await isEmptyInstallation(ctx))
  return { open: signUp === 'user' || isFirst, first_becomes_admin: isFirst }
}

/** Throws 403 unless strangers can create organizations. The first administrator must exist before that. */
export const requireSignUp = async (ctx: Ctx): Promise<void> => {
  if (ctx.parts.config.signUp !== 'organization') {
    throw new AppError('signUpClosed', 'Nobody can create an organization here. Ask an administrator')
  }
  if ((await getRegistration(ctx)).first_becomes_admin) {
    throw new AppError('signUpClosed', 'The first administrator has to register before this')
  }
}

const refuseRegistration = ({ config }: Parts): never => {
  throw new AppError(
    'registrationClosed',
    config.signUp === 'organization'
      ? 'Here you register by creating an organization'
      : 'Registration is closed. Ask an administrator for an account',
  )
}

/** Makes the first account platform administrator. Throws 400 in production for a password that is easily guessed. */
const grantToFirst = async (ctx: TransactionCtx, userId: number, input: Register): Promise<void> => {
  if (refusesPassword(ctx.parts.config, input)) {
    throw invalid('password', 'is one of those that are guessed first')
  }
  await grantPlatformAdmin(ctx, userId)
  ctx.parts.log.warn({ userId }, 'the first account registered is platform administrator')
}

/**
 * Registers a user of the built-in tenant. Throws 403 if registration is closed, and 409 for a taken e-mail or
 * username.
 */
export const register = async (ctx: Ctx, input: Register): Promise<TokenPair> => {
  const claims = await registerTo(ctx, input, (ctx, { user }) =>
    openSession(ctx, { userId: user.user_id, tenantId: user.tenant_id }),
  )
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, claims)
}

/**
 * Registers a user, and opens a session of the API or a browser's sign-in. `applicationId` names the application that
 * requested the sign-in. Throws as `register` does.
 */
export const registerTo = async <T>(
  ctx: Ctx,
  input: Register,
  open: Open<T>,
  applicationId?: number,
): Promise<T> => {
  const { signUp, firstUserAdmin } = ctx.parts.config
  if (signUp !== 'user' && !(await getRegistration(ctx)).open) return refuseRegistration(ctx.parts)
  ctx.parts.hasher.requireRoom()
  await freeEmail(ctx, input.email)
  const password = await hashForUser(inTenant(ctx, builtInTenant.id), input)
  return inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    ({ db }) => store.selectAnyAccount(db),
    async (ctx, anyAccount) => {
      if (ctx.tenant.is_sso_required) throw connectionNeededHere()
      const isFirst = firstUserAdmin && !anyAccount && (await isFirstUser(ctx))
      if (!isFirst && signUp !== 'user') refuseRegistration(ctx.parts)
      const { user } = await addUser(ctx, { ...input, status: 1 }, password)
      if (isFirst) await grantToFirst(ctx, user.id, input)
      noteSignIn(ctx, user.id)
      recordAs(
        ctx,
        { userId: user.id, username: user.username },
        {
          action: 'auth.register',
          resourceId: user.id,
          detail: changesBetween({}, { email: user.email, username: user.username, nickname: user.nickname }),
        },
      )
      const account = await welcome(ctx, user, applicationId)
      const { tenantId: tenant_id } = ctx
      const member = {
        tenant_id,
        user_id: user.id,
        username: user.username,
        status: 1,
        tenant_status: 1,
        barrier: null,
      }
      return open(ctx, { account, user: member, amr: ['pwd'] })
    },
  ).catch(orElsewhere)
}

/** Stores the person's language and device, and mails the link that proves the mailbox. */
const welcome = async (
  ctx: TransactionCtx,
  { email }: User,
  applicationId: number | undefined,
): Promise<Proved['account']> => {
  const language = languageOf(ctx.origin.acceptLanguage)
  const account = await updateRegistered(ctx.db, { email, language })
  if (!account) throw new Error('the account of a new user was not found')
  if (!isMailOn(ctx.parts)) return { id: account.id, email }
  await keepDevice(ctx, account.id)
  if (await countMail(ctx, 'verification', email)) {
    queueLink(ctx, { kind: 'verification', accountId: account.id, email, applicationId })
  }
  return { id: account.id, email }
}

/** In an empty installation several people can register at once. The lock makes only one of them the first user. */
const isFirstUser = async (ctx: TransactionCtx): Promise<boolean> => {
  store.lockFirstRegistration(ctx.db)
  return (await store.selectAnyAccount(ctx.db)) === undefined
}

const invalidRefreshToken = () =>
  new AppError('refreshTokenInvalid', 'The refresh token is not valid any more. Sign in again')

/**
 * Issues a new pair for a refresh token, and invalidates that token. A second use ends the session (401) and writes an
 * audit record. A second use within 10 seconds, before a use of the new token, gets another pair instead.
 */
export const refresh = async (ctx: Ctx, input: Refresh, sessionId?: string): Promise<TokenPair> => {
  const claims = await ctx.parts.tokens.verify('refresh', input.refresh_token, ctx.parts.now())
  if (!claims || claims.sessionId !== (sessionId ?? claims.sessionId)) throw invalidRefreshToken()
  const rotation = rotateSession(inTenant(ctx, claims.tenantId), claims)
  const subject = await unlessRemoved(rotation, invalidRefreshToken)
  if (!subject) throw invalidRefreshToken()
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  await noteLanguage(ctx, claims)
  return issueTokens(ctx, subject)
}

/** The console refreshes after a change of its language, so the next e-mail has that language. */
const noteLanguage = async (ctx: Ctx, { tenantId, userId }: Claims): Promise<void> => {
  const language = languageOf(ctx.origin.acceptLanguage)
  if (language !== undefined) {
    await store.updateLanguageOfUser(inTenant(ctx, tenantId).db, tenantId, userId, language)
  }
}

/**
 * Changes the caller's password, and ends the caller's other sessions in all tenants. Throws 401 for a wrong old
 * password.
 */
export const changePassword = async (
  ctx: Ctx,
  { old_password: old, new_password: next }: ChangePassword,
): Promise<null> => choosePassword(ctx, await requireOwnPassword(ctx, old), next)

/**
 * Removes the caller's password, and ends the caller's other sessions in all tenants. Throws 403 without a second factor
 * in the session, and 400 if no way would be left.
 */
export const removePassword = async (ctx: Ctx, { password }: ProvePassword): Promise<null> => {
  const account = await requireOwnPassword(ctx, password)
  requireMfa(ctx.actor)
  await inTransaction(ctx, async (ctx) => {
    const isUnchanged = await store.lockAccountWithPassword(ctx.db, account.id, account.password_hash)
    if (!isUnchanged) throw passwordWrong()
    await keepingOwnWays(ctx, account.id, async () => deleteOwnPassword(ctx.db, account.id, ctx.parts.now()))
    endAccountSessions(ctx, account.id, ctx.actor.credential?.id)
    revokeLinks(ctx, account.id, ['reset', 'change'])
    queueNotice(ctx, 'password_removed', { accountId: account.id, email: account.email })
    await recordForAccount(ctx, account.id, { action: 'auth.password_removed' })
  })
  return null
}

/** Changes the expired password of a caller who has just proved it. */
export const changeExpiredPassword = async (ctx: Ctx, password: string): Promise<null> =>
  choosePassword(ctx, await getOwnAccount(ctx), password)

type OwnAccount = Awaited<ReturnType<typeof getOwnAccount>>

const choosePassword = async (ctx: Ctx, account: OwnAccount, password: string): Promise<null> => {
  if (account.is_expired && (await ctx.parts.hasher.verify(password, async () => account))) {
    throw invalid('new_password', 'must be another password than the present one')
  }
  const next = await hashChosen(ctx, { field: 'new_password', password }, { accountId: account.id })
  await inTransaction(ctx, (ctx) => replacePassword(ctx, account, next))
  return null
}

const replacePassword = async (ctx: TransactionCtx, account: OwnAccount, next: StoredPassword) => {
  const [changed] = await Promise.all([
    store.updatePassword(ctx.db, account, next, ctx.parts.now()),
    store.lockUser(ctx.db, ctx.tenantId, ctx.actor.userId),
  ])
  if (changed === 0) throw passwordWrong()
  updatePasswordOwn(ctx.db, account.id)
  endAccountSessions(ctx, account.id, ctx.actor.credential?.id)
  revokeLinks(ctx, account.id, ['reset', 'change'])
  queueNotice(ctx, 'password_changed', { accountId: account.id, email: account.email })
  await recordForAccount(ctx, account.id, { action: 'auth.password_change' })
}

/** Verifiers may cache the documents below for `keySetSeconds`. */
export const cacheable = `public, max-age=${keySetSeconds}`

/** The public keys that verify access tokens. */
export const getKeySet = ({ parts }: Ctx): Promise<KeySet> => parts.keys.jwks(parts.now())
