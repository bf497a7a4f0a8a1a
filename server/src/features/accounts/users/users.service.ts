import { keepingWayIn } from '../../../access/ways-in.ts'
import {
  changingAuthority,
  codesOfUser,
  requireGivingUser,
  requireHoldingStart,
  requireRankOverUser,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import {
  inOwnTenant,
  inTenantWithin,
  inTransaction,
  inTransactionAfter,
  type Ctx,
  type TransactionCtx,
  type EarlyCtx,
  type CallerlessCtx,
} from '../../../context.ts'
import type { StoredPassword } from '../../../crypto/passwords.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { listUsersOfAccount } from '../accounts/accounts.service.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage, type PageAfterQuery } from '../../../http/schemas.ts'
import { platformAdminId } from '../../../access/permissions.ts'
import { isOwnUser } from '../../../access/policies.ts'
import { requirePicture, type PictureBounds } from '../../../values/pictures.ts'
import { record, changesBetween, naming, type Detail } from '../../audit/audit/audit.service.ts'
import { enterRoom, requireRoom, withinLimit } from '../../configuration/limits/limits.service.ts'
import { revokeLinks } from '../mail/links.service.ts'
import { queueNotice } from '../mail/mail.service.ts'
import { hashChosen } from '../passwords/passwords.service.ts'
import { endSessions } from '../sessions/sessions.service.ts'
import { inviteInstead, removeMember, usernameTaken } from './members.service.ts'
import { keepShut, userShutOut } from './pushed.service.ts'
import type { CreateUser, UpdateProfile, UpdateUser, User } from './users.schemas.ts'
import * as store from './users.store.ts'

export const userUnknown = () => new AppError('userUnknown', 'The user does not exist in this tenant')

/** Throws 409 for the constraint of a taken e-mail. Throws any other error unchanged. */
export const emailTaken = (err: unknown): never => {
  throw violatesUnique(err, 'accounts_email_key')
    ? new AppError('emailTaken', 'This e-mail is registered already')
    : err
}

/** The number of users of a status, at most `totalMax` + 1. */
export const countUsersOfStatus = async ({ db, tenantId }: Ctx, status: 0 | 1): Promise<number> =>
  (await store.countUsersOfStatus(db, tenantId, status, totalMax))?.count ?? 0

/** The holders of a role of the tenant in scope. An unknown role gives an empty page. */
export const listUsersOfRole = async (
  ctx: Ctx,
  roleId: number,
  query: PageAfterQuery,
): Promise<CountedPage<User>> => {
  const { after_id: afterId } = query
  const [items, counted] = await Promise.all([
    store.selectUsersOfRole(ctx.db, ctx.tenantId, { roleId, afterId }, sliceOf(query)),
    store.countUsersOfRole(ctx.db, ctx.tenantId, roleId, totalMax),
  ])
  return pageOf(items, counted?.count ?? 0, query.page, true)
}

/** The number of users with each of these roles, up to `totalMax`. */
export const countHolders = async (
  { db, tenantId }: Ctx,
  roleIds: number[],
): Promise<Map<number, number>> => {
  const counted = await store.countUsersOfRoles(db, tenantId, roleIds, totalMax)
  return new Map(counted.map(({ role_id: id, count }) => [id, count]))
}

const findUser = ({ db, tenantId }: CallerlessCtx, id: number) => store.selectUser(db, tenantId, id)

export const getUser = async (ctx: CallerlessCtx, id: number): Promise<User> => {
  const user = await findUser(ctx, id)
  if (!user) throw userUnknown()
  return user
}

/** Makes a user of the built-in tenant a platform administrator. */
export const grantPlatformAdmin = (ctx: TransactionCtx, userId: number): Promise<number> =>
  store.insertRoleOfUser(ctx.db, ctx.tenantId, userId, platformAdminId)

/**
 * Releases the e-mail of a removed tenant's account before the purge. Call it before the transaction that needs the
 * e-mail, because it reads the users of another tenant in a scope of its own. Returns true if the e-mail is free.
 */
export const freeEmail = async (ctx: Ctx, email: string): Promise<boolean> => {
  const account = await store.selectAccountIdByEmail(ctx.db, email)
  if (!account) return true
  const accountScope = ctx.parts.store.scoped({ accountId: account.id })
  const living = await store.selectLivingUserOfAccount(accountScope, account.id)
  if (!living) await store.updateAccountReleased(ctx.db, account.id)
  return !living
}

type NewUserInput = [input: Omit<CreateUser, 'password'>, password: StoredPassword]

/**
 * Adds an account and its user with the roles of every new user, whatever the limit of users. Returns the permission
 * codes that its creator must have. Throws 409 for a taken e-mail or username.
 */
export const addUserUncounted = async (
  ctx: EarlyCtx,
  ...[input, password]: NewUserInput
): Promise<{ user: User; given: string[] }> => {
  const { email, username, nickname = '', status = 1, must_change_password: isExpired = false } = input
  const row = { tenantId: ctx.tenantId, email, username, nickname, status, isExpired }
  const added = await store
    .insertUser(ctx.db, row, password, ctx.parts.now())
    .catch(emailTaken)
    .catch(usernameTaken)
  const { given, ...user } = added
  return { user, given }
}

/** Like `addUserUncounted`, but throws 403 beyond the limit of users. */
export const addUser = (ctx: TransactionCtx, ...added: NewUserInput) =>
  withinLimit(ctx, 'users', () => addUserUncounted(ctx, ...added))

/** Hashes the password of a new user of the tenant in scope. Throws 400 as `hashChosen` does. */
export const hashForUser = (
  ctx: CallerlessCtx,
  { email, username, nickname = '', password }: CreateUser,
): Promise<StoredPassword> =>
  hashChosen(
    ctx,
    { field: 'password', password },
    { tenantId: ctx.tenantId, names: [email, username, nickname] },
  )

/** Creates a user in the tenant in scope. Throws 403 if new users get a permission that the caller lacks. */
export const createUser = async (ctx: Ctx, input: CreateUser): Promise<User> => {
  await freeEmail(ctx, input.email)
  const password = await hashForUser(ctx, input)
  return inTransactionAfter(
    ctx,
    (ctx) => Promise.all([enterRoom(ctx, 'users'), addUserUncounted(ctx, input, password)]),
    async (ctx, [room, { user, given }]) => {
      requireHoldingStart(ctx, given)
      await requireRoom(ctx, room, 1)
      const { email, username, nickname, status } = user
      record(ctx, {
        action: 'user.create',
        resourceId: user.id,
        detail: changesBetween(
          {},
          {
            email,
            username,
            nickname,
            status,
            must_change_password: input.must_change_password || undefined,
          },
        ),
      })
      return user
    },
  ).catch(inviteInstead(ctx, input))
}

/**
 * Locks a user's account, then the user. Throws 404 for an unknown user. Returns the user with the codes of the user's
 * permissions.
 */
export const lockUserWithCodes = async (ctx: EarlyCtx, id: number) => {
  const [, user, codes] = await Promise.all([
    store.lockAccountOfUser(ctx.db, ctx.tenantId, id),
    store.selectUserForUpdate(ctx.db, ctx.tenantId, id),
    codesOfUser(ctx, id),
  ])
  if (!user) throw userUnknown()
  return { user, codes }
}

/** A change of a user that the rules allow. */
interface Update {
  before: store.UserForUpdate
  after: User
  detail: Detail
}

/**
 * Decides a change of a locked user. Undefined: nothing changes. Throws for a user who ranks above the caller, and for what
 * nobody changes of the own account or of a person of several tenants.
 */
export const decideUpdate = async (
  ctx: AuthorityCtx,
  { user: before, codes }: Awaited<ReturnType<typeof lockUserWithCodes>>,
  input: UpdateUser,
): Promise<Update | undefined> => {
  if (isEmpty(input)) return undefined
  requireRankOverUser(ctx, before.id, codes)
  if (input.status === 0) refuseOwnAccount(ctx, before.id, 'disable')
  const switched = switchBehind(before, input)
  const after = changed(before, input)
  if (after.email !== before.email) {
    refuseOwnEmail(ctx, before.id)
    requireGivingUser(ctx, { userId: before.id, codes })
    await refuseOfPerson(ctx, before.account_id, 'e-mail')
  }
  const detail = { ...changesBetween(editable(before), editable(after)), ...switched }
  return Object.keys(detail).length === 0 ? undefined : { before, after, detail }
}

export const isEnabled = (before: Pick<User, 'status'>, after: Pick<User, 'status'>): boolean =>
  before.status === 0 && after.status === 1

/** Makes an update, whatever the limit of users. */
export const makeUpdate = async (ctx: TransactionCtx, { before, after, detail }: Update): Promise<User> => {
  const updated = await writeUser(ctx, before, after)
  if ('status_behind' in detail) keepShut(ctx, before.id)
  record(ctx, {
    action: 'user.update',
    resourceId: before.id,
    detail: { ...naming({ username: before.username }), ...detail },
  })
  return updated
}

/** Changes a user who does not rank above the caller. Disabling ends the user's sessions for good. */
export const updateUser = async (ctx: Ctx, id: number, input: UpdateUser): Promise<User> => {
  if (input.email !== undefined) await freeEmail(ctx, input.email)
  const user = await changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, found) => {
      const update = await decideUpdate(ctx, found, input)
      if (!update) return found.user
      const make = () => makeUpdate(ctx, update)
      return keepingWayIn(ctx, () =>
        isEnabled(update.before, update.after) ? withinLimit(ctx, 'users', make) : make(),
      )
    },
  ).catch(emailTaken)
  if (user.status === 0) await ctx.parts.cache.forgetPresence(ctx.tenantId, id)
  return user
}

/** The schema bounds only the length of the text, not the size of the picture. */
const avatarBounds: PictureBounds = { types: ['image/jpeg'], sideMax: 256, bytesMax: 3072 }

/** Changes the caller's own user, in the caller's own tenant. No permission allows more. */
export const updateProfile = (outer: Ctx, input: UpdateProfile): Promise<User> =>
  inTransaction(inOwnTenant(outer), async (ctx) => {
    const { user: before } = await lockUserWithCodes(ctx, ctx.actor.userId)
    const { nickname = before.nickname, avatar = before.avatar } = input
    if (input.avatar !== undefined) requirePicture('avatar', avatar, avatarBounds)
    const after = { ...before, nickname, avatar }
    const detail = changesBetween(own(before), own(after))
    if (Object.keys(detail).length === 0) return before
    const updated = await store.updateUser(ctx.db, after, ctx.parts.now())
    if (!updated) throw userUnknown()
    record(ctx, {
      action: 'user.update',
      resourceId: updated.id,
      detail: { ...naming({ username: before.username }), ...detail },
    })
    return updated
  })

/**
 * Gives an account another e-mail in all tenants of the person. Call `freeEmail` before the transaction, and lock the
 * account. The transaction fails for a taken e-mail: catch the error with `emailTaken`.
 */
export const replaceEmail = async (ctx: TransactionCtx, accountId: number, email: string): Promise<void> => {
  const now = ctx.parts.now()
  store.updateAccountEmail(ctx.db, accountId, email, now)
  const users = await listUsersOfAccount(ctx, accountId)
  for (const { tenant_id: tenantId, user_id: id } of users) {
    await inTenantWithin(ctx, tenantId, async ({ db }) => {
      const user = await store.selectUserForUpdate(db, tenantId, id)
      if (user) await store.updateUser(db, { ...user, email }, now)
    })
  }
}

const editable = ({ email, nickname, status }: User) => ({ email, nickname, status })

const own = ({ nickname, avatar }: User) => ({ nickname, avatar })

/**
 * The change of the administrators' status of a user whom the directory has disabled. Throws 403 for a change that
 * would enable the user.
 */
const switchBehind = ({ status_behind: behind }: store.UserForUpdate, { status }: UpdateUser): Detail => {
  if (behind === null || status === undefined) return {}
  if (status === 1) throw userShutOut()
  return changesBetween({ status_behind: behind }, { status_behind: 0 })
}

const isEmpty = ({ email, nickname, status }: UpdateUser) =>
  email === undefined && nickname === undefined && status === undefined

/** Uses only the editable fields: the body may also name an id or a tenant. */
const changed = (before: User, { email, nickname, status }: UpdateUser): User => ({
  ...before,
  email: email ?? before.email,
  nickname: nickname ?? before.nickname,
  status: status ?? before.status,
})

const refuseOwnAccount = (ctx: Ctx, id: number, verb: string): void => {
  if (isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: id })) {
    throw new AppError('ownAccount', `You cannot ${verb} your own account. Ask another administrator`)
  }
}

const refuseOwnEmail = (ctx: Ctx, id: number): void => {
  if (isOwnUser(ctx.actor, { tenant_id: ctx.tenantId, user_id: id })) {
    throw new AppError(
      'ownEmail',
      'Your own e-mail changes by POST /auth/email, which proves the new mailbox',
    )
  }
}

/** Throws 403 for a person of several tenants, whom administrators of one tenant may not change. */
export const refuseOfPerson = async (ctx: TransactionCtx, accountId: number, what: string): Promise<void> => {
  if ((await listUsersOfAccount(ctx, accountId)).length > 1) {
    throw new AppError(
      'emailOfPerson',
      `This person is a user of other tenants as well. Only they change their ${what}, in their profile`,
    )
  }
}

const writeUser = async (ctx: TransactionCtx, before: store.UserForUpdate, after: User): Promise<User> => {
  const now = ctx.parts.now()
  if (after.email !== before.email) {
    store.updateAccountEmail(ctx.db, before.account_id, after.email, now)
    // The new address is not confirmed yet, so the tenant can restrict the sessions.
    ctx.changes.push({ kind: 'account', accountId: before.account_id })
    revokeLinks(ctx, before.account_id)
    queueNotice(ctx, 'email_changed', { accountId: before.account_id, email: before.email })
  }
  if (after.status === 0) await endSessions(ctx, before)
  const user = await store.updateUser(ctx.db, after, now)
  if (!user) throw userUnknown()
  return user
}

/**
 * Deletes a user who does not rank above the caller, with sessions, roles and notifications. Deletes the account with
 * the person's last membership.
 */
export const deleteUser = async (ctx: Ctx, id: number): Promise<null> => {
  await changingAuthority(
    ctx,
    (ctx) => lockUserWithCodes(ctx, id),
    async (ctx, { user, codes }) => {
      requireRankOverUser(ctx, id, codes)
      refuseOwnAccount(ctx, id, 'delete')
      await removeMember(ctx, user)
      const { username, created_at } = user
      record(ctx, {
        action: 'user.delete',
        resourceId: id,
        detail: changesBetween({ ...editable(user), username, created_at }, {}),
      })
    },
  )
  await ctx.parts.cache.forgetPresence(ctx.tenantId, id)
  return null
}
