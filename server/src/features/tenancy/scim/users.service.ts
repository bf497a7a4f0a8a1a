/** Users of a directory, by RFC 7644. */
import { isDeepStrictEqual } from 'node:util'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { fold } from '../../../values/text.ts'
import { changesBetween, naming, record, type Detail } from '../../audit/audit/audit.service.ts'
import { revokeInvitationTo } from '../invitations/invitations.service.ts'
import { followAddress } from '../../accounts/users/addresses.service.ts'
import { removeMember } from '../../accounts/users/members.service.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { userKind } from './attributes.ts'
import { filterableOfUser } from './filterable.ts'
import {
  asUniqueness,
  idOf,
  notFree,
  ofDirectory,
  pageOf,
  requireDirectory,
  requireOwnDomain,
  requireNoBreakGlass,
  resourceUnknown,
} from './directory.service.ts'
import { applyOperations, readOperations, readResource } from './patch.ts'
import { choiceOf, listAnswer, userAnswer, type ShownRow } from './answers.ts'
import type { PageQuery, Projection } from './scim.schemas.ts'
import { foldedParts, nicknameOf, rawOfUser, userValueOf, type UserValue } from './user-values.ts'
import type { ListedRow, UserRow } from './users.store.ts'
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

export const answerOf = ({ parts }: Ctx, row: ShownRow, projection: Projection): string =>
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

/** The directory's own fields, as audit records name them. */
const fieldsOf = (value: UserValue) => ({
  external_id: value.externalId,
  user_name: value.userName,
  display_name: value.displayName,
  name_parts: value.name,
  emails: value.emails,
  extension: value.extension,
})

/** All fields of a resource without a user. The records of a user have address and active state of the user instead. */
export const allFieldsOf = (value: UserValue) => ({
  email: value.email,
  active: value.active,
  ...fieldsOf(value),
})

type LockedUser = Awaited<ReturnType<typeof lockUserWithCodes>>['user']

/** True if the user already has the directory's active state. */
const hasDirectoryState = (user: LockedUser, { active }: UserValue) =>
  (user.status_behind === null) === active

/** Applies the directory's values to the user, and writes the audit record. `changes` are those of the resource. */
export const pushTo = async (
  ctx: AuthorityCtx,
  user: LockedUser,
  value: UserValue,
  changes: Detail,
): Promise<void> => {
  const nickname = nicknameOf(value) || user.nickname
  const isSame = nickname === user.nickname && hasDirectoryState(user, value)
  const status = isSame ? user.status : await applyPush(ctx, user, { nickname, isActive: value.active })
  const before = { nickname: user.nickname, status: user.status, active: user.status_behind === null }
  const ofUser = changesBetween(before, { nickname, status, active: value.active })
  record(ctx, {
    action: 'user.update',
    resourceId: user.id,
    detail: { ...naming({ username: user.username }), ...changes, ...ofUser, ...ofDirectory },
  })
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

/** Applies a changed resource to its user. */
const applyToUser = async (
  ctx: AuthorityCtx,
  userId: number,
  { before, after }: { before: UserValue; after: UserValue },
  revoked: Detail,
): Promise<void> => {
  await requireNoBreakGlass(ctx, userId)
  const { user } = await lockUserWithCodes(ctx, userId)
  // If the account cannot get the address, the other changes still apply.
  const moved = isMoved(before, after) && (await followAddress(ctx, user.account_id, after.email))
  const address = moved ? changesBetween({ email: user.email }, { email: after.email }) : {}
  const fields = changesBetween(fieldsOf(before), fieldsOf(after))
  await pushTo(ctx, user, after, { ...address, ...fields, ...revoked })
}

const isMoved = (before: UserValue, after: UserValue): boolean => fold(before.email) !== fold(after.email)

const revokeInvitation = async (ctx: AuthorityCtx, email: string): Promise<Detail> =>
  changesBetween({ invitation_id: await revokeInvitationTo(ctx, email) }, {})

const applyTo = async (ctx: AuthorityCtx, pushed: PushedChange): Promise<void> => {
  const { row, value: after } = pushed
  const before = valueOf(row)
  if (isDeepStrictEqual(before, after)) return
  if (isMoved(before, after)) await requireFreeAddress(ctx, pushed)
  const stored = { tenantId: ctx.tenantId, id: row.id, value: after, folded: foldedParts(after) }
  await store.updateUser(ctx.db, stored, ctx.parts.now()).catch(asUniqueness)
  const revoked = after.active ? {} : await revokeInvitation(ctx, after.email)
  if (row.user_id !== null) return applyToUser(ctx, row.user_id, { before, after }, revoked)
  const fields = changesBetween(allFieldsOf(before), allFieldsOf(after))
  record(ctx, {
    action: 'directory_user.update',
    resourceId: row.id,
    detail: { ...naming({ email: before.email }), ...fields, ...revoked },
  })
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

const removeUser = async (ctx: AuthorityCtx, userId: number, revoked: Detail): Promise<void> => {
  await requireNoBreakGlass(ctx, userId)
  const { user } = await lockUserWithCodes(ctx, userId)
  await removeMember(ctx, user)
  const { email, nickname, status, username, created_at } = user
  record(ctx, {
    action: 'user.delete',
    resourceId: userId,
    detail: {
      ...changesBetween({ email, nickname, status, username, created_at }, {}),
      ...revoked,
      ...ofDirectory,
    },
  })
}

/** Deletes the resource's user. For a resource without a user, only writes the audit record. */
const removeUserOf = async (ctx: AuthorityCtx, row: UserRow, revoked: Detail): Promise<void> => {
  if (row.user_id !== null) return removeUser(ctx, row.user_id, revoked)
  const detail = { ...changesBetween(allFieldsOf(valueOf(row)), {}), ...revoked }
  record(ctx, { action: 'directory_user.delete', resourceId: row.id, detail })
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
      await removeUserOf(ctx, row, await revokeInvitation(ctx, row.email))
      return row.user_id
    },
  )
  if (userId !== null) await ctx.parts.cache.forgetPresence(ctx.tenantId, userId)
}
