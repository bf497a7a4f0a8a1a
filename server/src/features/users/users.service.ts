import { keepingPlatformAdmin, lockAuthority, requireRankOverUser } from '../../authority.ts'
import { inOwnTenant, inTransaction, type Ctx, type TransactionCtx } from '../../context.ts'
import type { StoredPassword } from '../../crypto/passwords.ts'
import { violatesUnique } from '../../db/errors.ts'
import { AppError } from '../../errors.ts'
import { pageOf, sliceOf, totalMax, type CountedPage, type PageQuery } from '../../http/schemas.ts'
import { startingRole } from '../../permissions.ts'
import { record, recordChange } from '../audit/audit.service.ts'
import { endSessions } from '../sessions/sessions.service.ts'
import type { CreateUser, UpdateUser, User, UserQuery } from './users.schemas.ts'
import * as store from './users.store.ts'

const userUnknown = () => new AppError('userUnknown', 'The user does not exist in this tenant')

const emailTaken = (err: unknown): never => {
  throw violatesUnique(err, 'accounts_email_key')
    ? new AppError('emailTaken', 'This e-mail is registered already')
    : err
}

const usernameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'users_tenant_id_username_key')
    ? new AppError('usernameTaken', 'This username is taken in the tenant')
    : err
}

export const listUsers = async (ctx: Ctx, query: UserQuery): Promise<CountedPage<User>> => {
  const slice = { ...sliceOf(query), max: totalMax }
  const { items, total } = await store.selectUsers(ctx.db, ctx.tenantId, query, slice)
  return pageOf(items, total, query.page, Boolean(query.search))
}

/** Those who hold a role of the tenant in scope; nobody, if there is no such role. */
export const listUsersOfRole = async (
  ctx: Ctx,
  roleId: number,
  query: PageQuery,
): Promise<CountedPage<User>> => {
  const [items, counted] = await Promise.all([
    store.selectUsersOfRole(ctx.db, ctx.tenantId, roleId, sliceOf(query)),
    store.countUsersOfRole(ctx.db, ctx.tenantId, roleId, totalMax),
  ])
  return pageOf(items, counted?.count ?? 0, query.page, true)
}

/** A user of the tenant in scope, or 404. */
export const getUser = async (ctx: Ctx, id: number): Promise<User> => {
  const user = await store.selectUser(ctx.db, ctx.tenantId, id)
  if (!user) throw userUnknown()
  return user
}

/** The caller's own user, whatever tenant is in scope. */
export const getProfile = (ctx: Ctx): Promise<User> => getUser(inOwnTenant(ctx), ctx.actor.userId)

/** Gives a user a system role of the tenant. */
export const grantSystemRole = (ctx: TransactionCtx, userId: number, roleName: string): Promise<number> =>
  store.insertSystemRoleOfUser(ctx.db, ctx.tenantId, userId, roleName)

/**
 * An e-mail of a removed tenant is free from the answer on, though its rows go later. Call this before the transaction
 * that takes the e-mail: it looks into another tenant's users, in a scope of its own.
 */
export const freeEmail = async (ctx: Ctx, email: string): Promise<void> => {
  const account = await store.selectAccountIdByEmail(ctx.db, email)
  if (!account) return
  const accountScope = ctx.parts.store.scoped({ accountId: account.id })
  const living = await store.selectLivingUserOfAccount(accountScope, account.id)
  if (!living) await store.updateAccountReleased(ctx.db, account.id)
}

/** Adds an account and its user with the starting role. Throws 409 when e-mail or username are taken. */
export const addUser = async (
  ctx: TransactionCtx,
  input: Omit<CreateUser, 'password'>,
  password: StoredPassword,
): Promise<User> => {
  const { email, username, nickname = '', status = 1 } = input
  const now = ctx.parts.now()
  const account = await store.insertAccount(ctx.db, email, password, now).catch(emailTaken)
  const row = { tenantId: ctx.tenantId, accountId: account?.id ?? 0, email, username, nickname, status }
  const user = await store.insertUser(ctx.db, row, now).catch(usernameTaken)
  if (!user) throw new Error('an inserted user was not returned')
  await grantSystemRole(ctx, user.id, startingRole)
  return user
}

/** Creates a user in the tenant in scope. */
export const createUser = async (ctx: Ctx, input: CreateUser): Promise<User> => {
  await freeEmail(ctx, input.email)
  const password = await ctx.parts.hasher.hash(input.password)
  return inTransaction(ctx, async (ctx) => {
    const user = await addUser(ctx, input, password)
    const { email, username, nickname, status } = user
    await record(ctx, {
      action: 'user.create',
      resourceId: user.id,
      detail: recordChange({}, { email, username, nickname, status }),
    })
    return user
  })
}

/** Changes a user who does not stand above the caller. Disabling ends their sessions for good. */
export const updateUser = async (ctx: Ctx, id: number, input: UpdateUser): Promise<User> => {
  if (input.email !== undefined) await freeEmail(ctx, input.email)
  const user = await inTransaction(ctx, async (ctx) => {
    await lockAuthority(ctx)
    const before = await store.selectUserForUpdate(ctx.db, ctx.tenantId, id)
    if (!before) throw userUnknown()
    if (isEmpty(input)) return before
    await requireRankOverUser(ctx, id)
    if (input.status === 0) refuseOwnAccount(ctx, id, 'disable')
    const after = changed(before, input)
    const detail = recordChange(editable(before), editable(after))
    if (Object.keys(detail).length === 0) return before
    const updated = await keepingPlatformAdmin(ctx, () => writeUser(ctx, before, after))
    await record(ctx, { action: 'user.update', resourceId: id, detail })
    return updated
  })
  if (user.status === 0) await ctx.parts.cache.forgetPresence(ctx.tenantId, id)
  return user
}

const editable = ({ email, nickname, status }: User) => ({ email, nickname, status })

const isEmpty = ({ email, nickname, status }: UpdateUser) =>
  email === undefined && nickname === undefined && status === undefined

/** Takes from the body what may be set and nothing else: it can name an id or a tenant as well. */
const changed = (before: User, { email, nickname, status }: UpdateUser): User => ({
  ...before,
  email: email ?? before.email,
  nickname: nickname ?? before.nickname,
  status: status ?? before.status,
})

const refuseOwnAccount = (ctx: Ctx, id: number, verb: string): void => {
  if (id === ctx.actor.userId) {
    throw new AppError('ownAccount', `You cannot ${verb} your own account. Ask another administrator`)
  }
}

const writeUser = async (ctx: TransactionCtx, before: store.UserForUpdate, after: User): Promise<User> => {
  const now = ctx.parts.now()
  if (after.email !== before.email) {
    await store.updateAccountEmail(ctx.db, before.account_id, after.email, now).catch(emailTaken)
  }
  const user = await store.updateUser(ctx.db, after, now)
  if (!user) throw userUnknown()
  if (after.status === 0) await endSessions(ctx, user.id)
  return user
}

/** Deletes a user who does not stand above the caller, with their account, sessions, roles and notifications. */
export const deleteUser = async (ctx: Ctx, id: number): Promise<null> => {
  await inTransaction(ctx, async (ctx) => {
    await lockAuthority(ctx)
    const user = await store.selectUserForUpdate(ctx.db, ctx.tenantId, id)
    if (!user) throw userUnknown()
    await requireRankOverUser(ctx, id)
    refuseOwnAccount(ctx, id, 'delete')
    await keepingPlatformAdmin(ctx, async () => {
      await endSessions(ctx, id)
      await store.deleteUserRow(ctx.db, ctx.tenantId, id)
    })
    await store.deleteAccountRow(ctx.db, user.account_id)
    const { username, created_at } = user
    await record(ctx, {
      action: 'user.delete',
      resourceId: id,
      detail: recordChange({ ...editable(user), username, created_at }, {}),
    })
  })
  await ctx.parts.cache.forgetPresence(ctx.tenantId, id)
  return null
}
