import type { Config } from '../../config/config.ts'
import {
  inTenant,
  inTransaction,
  inTransactionAfter,
  type Ctx,
  type Parts,
  type TransactionCtx,
} from '../../context.ts'
import { AppError } from '../../errors.ts'
import { builtInTenant, platformAdminRole } from '../../access/permissions.ts'
import { changesBetween, record, recordAs } from '../audit/audit.service.ts'
import { revokeLinks } from '../mail/links.service.ts'
import { countMail, isMailOn, keepDevice, queueLink, queueNotice } from '../mail/mail.service.ts'
import type { Claims } from '../../crypto/tokens.ts'
import { endAccountSessions, issueTokens, openSession, rotateSession } from '../sessions/sessions.service.ts'
import { addUser, freeEmail, grantPlatformAdmin } from '../users/users.service.ts'
import type { User } from '../users/users.schemas.ts'
import {
  keySetPath,
  type ChangePassword,
  type KeySet,
  type Refresh,
  type Register,
  type Registration,
  type ServerMetadata,
  type TokenPair,
} from './auth.schemas.ts'
import * as store from './auth.store.ts'
import { tokenAlgorithms } from '../../crypto/algorithms.ts'
import { keySetSeconds } from '../../crypto/keys.ts'
import type { StoredPassword } from '../../crypto/passwords.ts'
import { recordForAccount } from '../accounts/accounts.service.ts'
import { passwordWrong, requireOwnPassword, type KnownLogin } from '../accounts/credentials.service.ts'
import { updatePasswordOwn, updateRegistered } from './ownership.store.ts'
import { noteSignIn, unlessRemoved } from './sign-in.service.ts'

/**
 * Adds a platform administrator, for the command line and the first start. Throws 409 when e-mail or username are
 * taken.
 */
export const createPlatformAdmin = async (ctx: Ctx, input: Register): Promise<number> => {
  await freeEmail(ctx, input.email)
  const password = await ctx.parts.hasher.hash(input.password)
  return inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const { user } = await addUser(ctx, { ...input, status: 1 }, password)
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
 * Adds the configured platform administrator to a database without users. Throws where the first stranger to register
 * would otherwise become one.
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
    // Another replica, started at the same moment, has created it.
    if (!(err instanceof AppError && err.status === 409)) throw err
  }
}

/** Installations that have an account: the database need not be asked again. */
const inhabited = new WeakSet<Parts>()

const isEmptyInstallation = async ({ parts, db }: Ctx): Promise<boolean> => {
  if (!inhabited.has(parts) && (await store.selectAnyAccount(db))) inhabited.add(parts)
  return !inhabited.has(parts)
}

/** Tells an anonymous visitor whether and how they can register. */
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
  const claims = await inTransactionAfter(
    inTenant(ctx, builtInTenant.id),
    ({ db }) => store.selectAnyAccount(db),
    async (ctx, anyAccount) => {
      const isFirst = !anyAccount && (await isFirstUser(ctx))
      const { user } = await addUser(ctx, { ...input, status: 1 }, password)
      if (isFirst) await grantPlatformAdmin(ctx, user.id)
      const who = { userId: user.id, tenantId: ctx.tenantId }
      noteSignIn(ctx, who.userId)
      recordAs(
        ctx,
        { userId: user.id, username: user.username },
        {
          action: 'auth.register',
          resourceId: user.id,
          detail: changesBetween({}, { email: user.email, username: user.username, nickname: user.nickname }),
        },
      )
      if (isFirst) {
        ctx.parts.log.warn({ userId: user.id }, 'the first account registered is platform administrator')
      }
      await welcome(ctx, user)
      return openSession(ctx, who)
    },
  )
  ctx.parts.cache.touch(claims.tenantId, claims.userId)
  return issueTokens(ctx, claims)
}

/** Notes what the person brought along, and mails the link that proves the mailbox. */
const welcome = async (ctx: TransactionCtx, { email }: User): Promise<void> => {
  const { language } = ctx.origin
  const account = await updateRegistered(ctx.db, { email, language })
  if (!account || !isMailOn(ctx.parts)) return
  await keepDevice(ctx, account.id)
  if (await countMail(ctx, 'verification', email)) {
    queueLink(ctx, { kind: 'verification', accountId: account.id, email })
  }
}

/** Of several who register at once in an empty installation, one is the first. */
const isFirstUser = async (ctx: TransactionCtx): Promise<boolean> => {
  if (!ctx.parts.config.firstUserAdmin) return false
  store.lockFirstRegistration(ctx.db)
  return (await store.selectAnyAccount(ctx.db)) === undefined
}

const invalidRefreshToken = () =>
  new AppError('refreshTokenInvalid', 'The refresh token is not valid any more. Sign in again')

/**
 * Issues a new pair for a refresh token and ends that token. A repeated use ends the session (401) and is audited. A
 * repeat within 10 seconds, while the successor is unused, gets another pair instead.
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

/** The console refreshes when its language changes, so that e-mails follow at once. */
const noteLanguage = async (ctx: Ctx, { tenantId, userId }: Claims): Promise<void> => {
  const { language } = ctx.origin
  if (language !== undefined) {
    await store.updateLanguageOfUser(inTenant(ctx, tenantId).db, tenantId, userId, language)
  }
}

/** Changes the caller's password and ends their other sessions in all tenants. Throws 401 when the old password is wrong. */
export const changePassword = async (ctx: Ctx, input: ChangePassword): Promise<null> => {
  const account = await requireOwnPassword(ctx, input.old_password)
  const next = await ctx.parts.hasher.hash(input.new_password)
  await inTransaction(ctx, (ctx) => replacePassword(ctx, account, next))
  return null
}

const replacePassword = async (ctx: TransactionCtx, account: KnownLogin['account'], next: StoredPassword) => {
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

/** How long verifiers may keep the documents below: keySetSeconds. */
export const cacheable = `public, max-age=${keySetSeconds}`

/** The public keys that verify access tokens. */
export const getKeySet = ({ parts }: Ctx): Promise<KeySet> => parts.keys.jwks(parts.now())

/** Where verifiers find the keys (RFC 8414). Tokens come only from the API, so there is no flow to discover. */
export const getServerMetadata = ({ parts: { config } }: Ctx): ServerMetadata => ({
  issuer: config.issuer,
  jwks_uri: `${config.publicUrl}${keySetPath}`,
  response_types_supported: [],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [...tokenAlgorithms],
})
