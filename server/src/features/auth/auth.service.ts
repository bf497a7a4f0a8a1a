import type { Config } from '../../config.ts'
import {
  inOwnTenant,
  inTenant,
  inTransaction,
  tokenInvalid,
  type Ctx,
  type Parts,
  type TransactionCtx,
} from '../../context.ts'
import { AppError } from '../../errors.ts'
import { builtInTenant, platformAdminRole } from '../../permissions.ts'
import { fold } from '../../text.ts'
import { recordAs, recordChange } from '../audit/audit.service.ts'
import { endOtherSessions, issueTokens, openSession, rotateSession } from '../sessions/sessions.service.ts'
import { addUser, freeEmail, grantSystemRole } from '../users/users.service.ts'
import type {
  ChangePassword,
  KeySet,
  Login,
  Refresh,
  Register,
  Registration,
  TokenPair,
} from './auth.schemas.ts'
import * as store from './auth.store.ts'
import type { StoredPassword } from '../../crypto/passwords.ts'
import { countingGuesses } from './guessing.ts'

/** Adds a platform administrator: for the command line and the first start. Throws 409 when e-mail or username are taken. */
export const createPlatformAdmin = async (ctx: Ctx, input: Register): Promise<number> => {
  await freeEmail(ctx, input.email)
  const password = await ctx.parts.hasher.hash(input.password)
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const user = await addUser(ctx, { ...input, status: 1 }, password)
    await grantSystemRole(ctx, user.id, platformAdminRole)
    await recordAs(ctx, ctx.actor.userId, {
      action: 'user.create',
      resourceId: user.id,
      detail: recordChange({}, { email: user.email, username: user.username, role: platformAdminRole }),
    })
    return user.id
  })
}

/**
 * Adds the platform administrator of the configuration to a database that has no user yet. Throws where, without one,
 * the first stranger to register would become it.
 */
export const createFirstAdmin = async (ctx: Ctx): Promise<void> => {
  const { config } = ctx.parts
  if (await store.selectAnyAccount(ctx.db)) return
  if (!config.admin) return refuseFirstComer(config)
  await createConfiguredAdmin(ctx, config.admin)
}

const refuseFirstComer = ({ isProduction, firstUserAdmin, registration }: Config): void => {
  if (!isProduction || !firstUserAdmin || registration === 'closed') return
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
    // Another replica that started at the same moment has created it.
    if (!(err instanceof AppError && err.status === 409)) throw err
  }
}

/** Installations that were seen with an account: they need not be asked again. */
const inhabited = new WeakSet<Parts>()

const isEmptyInstallation = async ({ parts, db }: Ctx): Promise<boolean> => {
  if (!inhabited.has(parts) && (await store.selectAnyAccount(db))) inhabited.add(parts)
  return !inhabited.has(parts)
}

/** What a stranger needs to know before they register. */
export const getRegistration = async (ctx: Ctx): Promise<Registration> => {
  const { registration, firstUserAdmin } = ctx.parts.config
  const open = registration === 'open'
  return { open, first_becomes_admin: open && firstUserAdmin && (await isEmptyInstallation(ctx)) }
}

/** Registers a user of the built-in tenant. Throws 403 when registration is closed, 409 when e-mail or username are taken. */
export const register = async (ctx: Ctx, input: Register): Promise<TokenPair> => {
  if (ctx.parts.config.registration === 'closed') {
    throw new AppError('registrationClosed', 'Registration is closed. Ask an administrator for an account')
  }
  ctx.parts.hasher.requireRoom()
  await freeEmail(ctx, input.email)
  const password = await ctx.parts.hasher.hash(input.password)
  const claims = await inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const isFirst = await isFirstUser(ctx)
    const user = await addUser(ctx, { ...input, status: 1 }, password)
    if (isFirst) await grantSystemRole(ctx, user.id, platformAdminRole)
    const who = { userId: user.id, tenantId: ctx.tenantId }
    await store.updateLastLogin(ctx.db, who.tenantId, who.userId, ctx.parts.now())
    await recordAs(ctx, user.id, {
      action: 'auth.register',
      resourceId: user.id,
      detail: recordChange({}, { email: user.email, username: user.username, nickname: user.nickname }),
    })
    if (isFirst) {
      ctx.parts.log.warn({ userId: user.id }, 'the first account registered is platform administrator')
    }
    return openSession(ctx, who)
  })
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, claims)
}

const isFirstUser = async (ctx: TransactionCtx): Promise<boolean> => {
  if (!ctx.parts.config.firstUserAdmin || (await store.selectAnyAccount(ctx.db))) return false
  await store.lockFirstRegistration(ctx.db)
  return (await store.selectAnyAccount(ctx.db)) === undefined
}

const wrongCredentials = () => new AppError('credentialsWrong', 'E-mail or password is wrong')

/** Signs in. Throws 401 alike for an unknown e-mail and a wrong password, 429 after too many failures. */
export const login = async (ctx: Ctx, input: Login): Promise<TokenPair> => {
  ctx.parts.hasher.requireRoom()
  const attempt = () => unlessRemoved(attemptLogin(ctx, input), wrongCredentials)
  const claims = (await attempt()) ?? (await attempt())
  if (!claims) throw wrongCredentials()
  ctx.parts.metrics.logins.inc({ result: 'ok' })
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, claims)
}

/** A tenant removed meanwhile is no 404 to who signs in: nothing of it is known any more. */
const unlessRemoved = <T>(work: Promise<T>, gone: () => AppError): Promise<T> =>
  work.catch((err: unknown) => {
    throw err instanceof AppError && err.status === 404 ? gone() : err
  })

/** Undefined when the stored hash was replaced meanwhile, maybe for the same password: worth another attempt. */
const attemptLogin = async (ctx: Ctx, input: Login) => {
  const { hasher, metrics } = ctx.parts
  let known: KnownLogin | undefined
  const find = async () => {
    known = await findLogin(ctx, input.email)
    return known?.account
  }
  const isRight = await countingGuesses(ctx, input.email, () => hasher.verify(input.password, find))
  if (!isRight || !known) {
    metrics.logins.inc({ result: 'wrong' })
    await recordFailedLogin(ctx, known?.user)
    throw wrongCredentials()
  }
  await requireSignInAllowed(ctx, known.user)
  return signIn(ctx, known, input.password)
}

interface KnownLogin {
  account: store.AccountRow
  user: store.MemberRow
}

/** Asks the database the same two questions whether or not the e-mail is known. */
const findLogin = async (ctx: Ctx, email: string): Promise<KnownLogin | undefined> => {
  const account = await store.selectAccountByEmail(ctx.db, fold(email))
  const accountId = account?.id ?? 0
  const user = await store.selectUserOfAccount(ctx.parts.store.scoped({ accountId }), accountId)
  return account && user ? { account, user } : undefined
}

const requireSignInAllowed = async (ctx: Ctx, user: store.MemberRow): Promise<void> => {
  if (user.status === 1 && user.tenant_status === 1) return
  ctx.parts.metrics.logins.inc({ result: 'disabled' })
  await recordFailedLogin(ctx, user)
  throw user.status === 1
    ? new AppError('tenantSuspended', 'Your organization is disabled. Ask your platform administrator')
    : new AppError('accountDisabled', 'Your account is disabled. Ask your administrator')
}

const signIn = async (ctx: Ctx, { account, user }: KnownLogin, password: string) => {
  const { hasher, now } = ctx.parts
  const renewed = hasher.isOutdated(password, account) ? await hasher.hash(password) : undefined
  return inTransaction(inTenant(ctx, user.tenant_id), async (ctx) => {
    const [isPresent, isUnchanged] = await Promise.all([
      store.lockUser(ctx.db, user.tenant_id, user.user_id),
      renewed
        ? store.updatePassword(ctx.db, account, renewed, now())
        : store.lockAccountWithPassword(ctx.db, account.id, account.password_hash),
    ])
    if (!isPresent) throw wrongCredentials()
    if (!isUnchanged) return undefined
    const [session] = await Promise.all([
      openSession(ctx, { userId: user.user_id, tenantId: user.tenant_id }),
      store.updateLastLogin(ctx.db, user.tenant_id, user.user_id, now()),
      recordAs(ctx, user.user_id, { action: 'auth.login', resourceId: user.user_id, detail: {} }),
    ])
    return session
  })
}

/** Thrown to roll back: nothing is kept about an account that does not exist. */
class Rehearsed extends Error {}

/** Records a failed login; for an unknown account does the same work and rolls it back, so that both take as long. */
const recordFailedLogin = async (ctx: Ctx, user: store.MemberRow | undefined): Promise<void> => {
  try {
    await inTransaction(inTenant(ctx, user?.tenant_id ?? builtInTenant.id), async (ctx) => {
      const userId = user?.user_id ?? 0
      await recordAs(ctx, userId, { action: 'auth.login_failed', resourceId: userId, detail: {} })
      if (!user) throw new Rehearsed()
    })
  } catch (err) {
    if (!(err instanceof Rehearsed)) throw err
  }
}

const invalidRefreshToken = () =>
  new AppError('refreshTokenInvalid', 'The refresh token is not valid any more. Sign in again')

/**
 * A new pair for a refresh token, which is dead from then on. A dead one used again ends the session (401) and is
 * audited, unless it repeats within 10 seconds while its successor is unused: then it gets another pair.
 */
export const refresh = async (ctx: Ctx, input: Refresh): Promise<TokenPair> => {
  const claims = await ctx.parts.tokens.verify('refresh', input.refresh_token, ctx.parts.now())
  if (!claims) throw invalidRefreshToken()
  const rotation = inTransaction(inTenant(ctx, claims.tenantId), (ctx) => rotateSession(ctx, claims))
  const generation = await unlessRemoved(rotation, invalidRefreshToken)
  if (generation === undefined) throw invalidRefreshToken()
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, { ...claims, generation })
}

/** Changes the caller's password and ends their other sessions. Throws 401 when the old password is wrong. */
export const changePassword = async (outer: Ctx, input: ChangePassword): Promise<null> => {
  const ctx = inOwnTenant(outer)
  const { hasher } = ctx.parts
  const { userId, tenantId } = ctx.actor
  const account = await store.selectAccountOfUser(ctx.db, tenantId, userId)
  if (!account) throw tokenInvalid()
  const isRight = await countingGuesses(ctx, account.email, () =>
    hasher.verify(input.old_password, async () => account),
  )
  if (!isRight) {
    await inTransaction(ctx, (ctx) =>
      recordAs(ctx, userId, { action: 'auth.password_failed', resourceId: userId, detail: {} }),
    )
    throw new AppError('oldPasswordWrong', 'The old password is wrong')
  }
  const next = await hasher.hash(input.new_password)
  await inTransaction(ctx, (ctx) => replacePassword(ctx, account, next))
  return null
}

const replacePassword = async (ctx: TransactionCtx, account: store.AccountRow, next: StoredPassword) => {
  const { userId, sessionId } = ctx.actor
  await store.lockUser(ctx.db, ctx.tenantId, userId)
  const changed = await store.updatePassword(ctx.db, account, next, ctx.parts.now())
  if (changed === 0) {
    throw new AppError('oldPasswordWrong', 'The password was changed meanwhile. Sign in again')
  }
  await endOtherSessions(ctx, userId, sessionId)
  await recordAs(ctx, userId, { action: 'auth.password_change', resourceId: userId, detail: {} })
}

/** The public keys that tokens are verified with. */
export const getKeySet = (ctx: Ctx): Promise<KeySet> => ctx.parts.keys.jwks()
