/** Users of a directory, by RFC 7644. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { lockAuthorityAgainstChange } from '../../../access/tenancy.store.ts'
import { inTransactionAfter, type Ctx, type EarlyCtx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { uniqueness } from '../../../errors/scim-error.ts'
import { fold } from '../../../values/text.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { mapDirectoryRoles } from './groups.service.ts'
import { revokeInvitationTo } from '../invitations/invitations.service.ts'
import { freeUsername } from '../imports/usernames.service.ts'
import { followAddress } from '../../accounts/users/addresses.service.ts'
import { removeMember } from '../../accounts/users/members.service.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { addUser, freeEmail, lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { userKind } from './attributes.ts'
import { filterableOfUser } from './filterable.ts'
import {
  asUniqueness,
  idOf,
  ofDirectory,
  pageOf,
  requireDirectory,
  requireOwnDomain,
  requireNoBreakGlass,
  resourceUnknown,
} from './directory.service.ts'
import { applyOperations, readOperations, readResource } from './patch.ts'
import { choiceOf, listAnswer, userAnswer } from './answers.ts'
import type { PageQuery, Projection } from './scim.schemas.ts'
import { foldedParts, nicknameOf, rawOfUser, userValueOf, type UserValue } from './user-values.ts'
import type { Directory, ListedRow, UserRow } from './users.store.ts'
import * as store from './users.store.ts'
import type { Raw } from './values.ts'

const valueOf = (row: UserRow): UserValue => ({
  externalId: row.external_id,
  userName: row.user_name,
  email: row.email,
  displayName: row.display_name,
  active: row.active,
  name: row.name,
  emails: row.emails,
  extension: row.extension,
})

const answerOf = ({ parts }: Ctx, row: ListedRow, projection: Projection): string =>
  JSON.stringify(userAnswer(parts.config, row, choiceOf(projection)))

/** A page of the directory's users as JSON. */
export const listUsers = async (ctx: Ctx, query: PageQuery): Promise<string> => {
  const { start, slice, filter } = pageOf(query, filterableOfUser)
  const [, rows, { count }] = await Promise.all([
    requireDirectory(ctx),
    slice.limit === 0 ? [] : store.selectUsers(ctx.db, ctx.tenantId, filter, slice),
    store.countUsers(ctx.db, ctx.tenantId, filter),
  ])
  const choose = choiceOf(query)
  const resources = rows.map((row) => userAnswer(ctx.parts.config, row, choose))
  return listAnswer(resources, count, start)
}

const readUser = async (ctx: Ctx, id: string): Promise<ListedRow> => {
  const row = await store.selectUser(ctx.db, ctx.tenantId, id)
  if (!row) throw resourceUnknown(id)
  return row
}

/** A user of the directory as JSON. Throws 404 for an unknown id. */
export const getUser = async (ctx: Ctx, id: string, projection: Projection): Promise<string> => {
  await requireDirectory(ctx)
  return answerOf(ctx, await readUser(ctx, idOf(id)), projection)
}

/** Links a user of the tenant to the directory. Changes only nickname, active state and mapped roles. */
const adopt = async (ctx: AuthorityCtx, userId: number, value: UserValue): Promise<void> => {
  const { user } = await lockUserWithCodes(ctx, userId)
  const { taken } = await mapDirectoryRoles(ctx, [userId])
  const roles = changesBetween(taken.length > 0 ? { role_ids: taken.map((one) => one.role_id) } : {}, {})
  await pushTo(ctx, user, value, { directory: { from: null, to: true }, ...roles })
}

type LockedUser = Awaited<ReturnType<typeof lockUserWithCodes>>['user']

const hasPassed = ({ status_behind: behind }: LockedUser, { active }: UserValue) =>
  (behind === null) === active

/** Applies the directory's values to the user, with an audit record of the changes. */
const pushTo = async (
  ctx: AuthorityCtx,
  user: LockedUser,
  value: UserValue,
  more: ReturnType<typeof changesBetween> = {},
): Promise<void> => {
  const nickname = nicknameOf(value) || user.nickname
  const isSame = nickname === user.nickname && hasPassed(user, value)
  const status = isSame ? user.status : await applyPush(ctx, user, { nickname, isActive: value.active })
  const before = { nickname: user.nickname, status: user.status, active: user.status_behind === null }
  const changes = { ...changesBetween(before, { nickname, status, active: value.active }), ...more }
  if (Object.keys(changes).length === 0) return
  record(ctx, {
    action: 'user.update',
    resourceId: user.id,
    detail: { ...naming({ username: user.username }), ...changes, ...ofDirectory },
  })
}

const noPassword = { password_hash: '', password_scheme: 'none' } as const

/** Creates an active user with a new account. */
const createWithAccount = async (
  ctx: TransactionCtx,
  value: UserValue,
  username: string,
): Promise<number> => {
  const { email, active } = value
  const nickname = nicknameOf(value)
  const { user } = await addUser(ctx, { email, username, nickname }, noPassword)
  record(ctx, {
    action: 'user.create',
    resourceId: user.id,
    detail: {
      ...changesBetween({}, { email, username, nickname, status: active ? 1 : 0, active }),
      ...ofDirectory,
    },
  })
  return user.id
}

const notFree = () => uniqueness('The user with this e-mail address is not free for a resource')

/** The user of a new resource. Null for an account of other tenants, until its person proves the account. */
const findOrCreateUser = async (
  ctx: AuthorityCtx,
  value: UserValue,
  username: string,
): Promise<number | null> => {
  const found = await store.selectUserOfAddress(ctx.db, ctx.tenantId, value.email)
  if (found?.is_kept) throw notFree()
  if (found) {
    if (found.user_id !== null) await adopt(ctx, found.user_id, value)
    return found.user_id
  }
  const userId = await createWithAccount(ctx, value, username)
  if (value.active) return userId
  const { user } = await lockUserWithCodes(ctx, userId)
  await applyPush(ctx, user, { nickname: user.nickname, isActive: false })
  return userId
}

const rowOf = ({ tenantId }: Ctx, id: string, value: UserValue): store.Row => ({
  tenantId,
  id,
  value,
  folded: foldedParts(value),
})

interface NewResource {
  id: string
  value: UserValue
}

/**
 * Reads the facts that decide about a new resource. Sends the statements together, because changes of authority in the
 * tenant wait meanwhile.
 */
const factsOf =
  ({ actor }: Ctx, { value }: NewResource) =>
  (early: EarlyCtx) => {
    const ctx = { ...early, actor }
    return Promise.all([
      requireDirectory(ctx),
      freeUsername(ctx, value.userName),
      requireOwnDomain(ctx, value.email),
    ])
  }

const insertResource = (
  ctx: TransactionCtx,
  { id, value }: NewResource,
  directory: Directory,
  userId: number | null,
): void => store.insertUser(ctx.db, { ...rowOf(ctx, id, value), directory, userId }, ctx.parts.now())

/**
 * Creates a resource with a new account. That changes nobody's authority, so other creations run at the same time.
 * Throws 409 if one of them takes the address or the username.
 */
const createBeside = (ctx: Ctx, resource: NewResource): Promise<void> =>
  inTransactionAfter(
    ctx,
    factsOf(ctx, resource),
    async (ctx, [directory, username]) =>
      insertResource(ctx, resource, directory, await createWithAccount(ctx, resource.value, username)),
    lockAuthorityAgainstChange,
  )

/** Creates a resource of a known, a new or an inactive user. */
const createInTurn = (ctx: Ctx, resource: NewResource): Promise<void> =>
  changingAuthority(ctx, factsOf(ctx, resource), async (ctx, [directory, username]) =>
    insertResource(ctx, resource, directory, await findOrCreateUser(ctx, resource.value, username)),
  )

/** Creates a resource beside others if nobody has its address or its username. */
const createResource = async (ctx: Ctx, resource: NewResource): Promise<void> => {
  const { email, active } = resource.value
  const isFree = await freeEmail(ctx, email)
  try {
    if (isFree && active) return await createBeside(ctx, resource)
  } catch (err) {
    if (!(err instanceof AppError && err.status === 409)) throw err
  }
  return createInTurn(ctx, resource)
}

/** Creates a user of the directory. */
export const createUser = async (ctx: Ctx, body: unknown, projection: Projection): Promise<string> => {
  const value = userValueOf(readResource(userKind, body), true)
  const id = randomUUID()
  await createResource(ctx, { id, value }).catch(asUniqueness)
  return answerOf(ctx, await readUser(ctx, id), projection)
}

/**
 * Throws 400 for an address outside the connection's domains. Throws 409 for the address of another resource or of a
 * break-glass user.
 */
const requireFreeAddress = async (ctx: AuthorityCtx, { row, value }: PushedChange): Promise<void> => {
  await requireOwnDomain(ctx, value.email)
  const holder = await store.selectUserOfAddress(ctx.db, ctx.tenantId, value.email)
  if (holder?.is_kept && holder.user_id !== row.user_id) throw notFree()
}

interface PushedChange {
  row: ListedRow
  value: UserValue
}

const applyTo = async (ctx: AuthorityCtx, pushed: PushedChange): Promise<void> => {
  const { row, value } = pushed
  const before = valueOf(row)
  if (isDeepStrictEqual(before, value)) return
  const isMoved = fold(before.email) !== fold(value.email)
  if (isMoved) await requireFreeAddress(ctx, pushed)
  await store.updateUser(ctx.db, rowOf(ctx, row.id, value), ctx.parts.now()).catch(asUniqueness)
  if (!value.active) await revokeInvitationTo(ctx, value.email)
  if (row.user_id === null) return
  await requireNoBreakGlass(ctx, row.user_id)
  const { user } = await lockUserWithCodes(ctx, row.user_id)
  // If the account cannot get the address, the other changes still apply.
  const moved = isMoved && (await followAddress(ctx, user.account_id, value.email))
  await pushTo(ctx, user, value, moved ? changesBetween({ email: user.email }, { email: value.email }) : {})
}

/** Changes a user of the directory. `change` maps the present resource to the new one. */
const changeUser = async (
  ctx: Ctx,
  text: string,
  change: (before: Raw) => Raw,
  projection: Projection,
): Promise<string> => {
  const id = idOf(text)
  const userId = await changingAuthority(
    ctx,
    async () => undefined,
    async (ctx) => {
      await requireDirectory(ctx)
      const row = await readUser(ctx, id)
      const value = userValueOf(change(rawOfUser(id, valueOf(row))), row.active)
      await applyTo(ctx, { row, value })
      return value.active ? null : row.user_id
    },
  )
  if (userId !== null) await ctx.parts.cache.forgetPresence(ctx.tenantId, userId)
  return answerOf(ctx, await readUser(ctx, id), projection)
}

/** Replaces a user of the directory. A body without `active` keeps the active state. */
export const replaceUser = (ctx: Ctx, id: string, body: unknown, projection: Projection): Promise<string> => {
  const next = readResource(userKind, body, { id: id.toLowerCase() })
  return changeUser(ctx, id, () => next, projection)
}

/** Applies the operations of a body to a user of the directory. */
export const patchUser = (ctx: Ctx, id: string, body: unknown, projection: Projection): Promise<string> => {
  const operations = readOperations(body)
  return changeUser(ctx, id, (before) => applyOperations(userKind, before, operations), projection)
}

const removeUser = async (ctx: AuthorityCtx, userId: number): Promise<void> => {
  await requireNoBreakGlass(ctx, userId)
  const { user } = await lockUserWithCodes(ctx, userId)
  await removeMember(ctx, user)
  const { email, nickname, status, username, created_at } = user
  record(ctx, {
    action: 'user.delete',
    resourceId: userId,
    detail: {
      ...changesBetween({ email, nickname, status, username, created_at }, {}),
      ...ofDirectory,
    },
  })
}

/** Deletes a user of the directory, and the tenant's user with every session. */
export const deleteUser = async (ctx: Ctx, text: string): Promise<void> => {
  const id = idOf(text)
  const userId = await changingAuthority(
    ctx,
    async () => undefined,
    async (ctx) => {
      await requireDirectory(ctx)
      const row = await readUser(ctx, id)
      store.deleteUserRow(ctx.db, ctx.tenantId, id)
      await revokeInvitationTo(ctx, row.email)
      if (row.user_id !== null) await removeUser(ctx, row.user_id)
      return row.user_id
    },
  )
  if (userId !== null) await ctx.parts.cache.forgetPresence(ctx.tenantId, userId)
}
