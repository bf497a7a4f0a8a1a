/** Users of a directory, by RFC 7644. */
import { isDeepStrictEqual } from 'node:util'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { fold } from '../../../values/text.ts'
import { changesBetween, naming, record, type Detail } from '../../audit/audit/audit.service.ts'
import { revokeInvitationTo } from '../invitations/invitations.service.ts'
import { listPaths } from '../../configuration/attributes/filling.service.ts'
import { followAddress } from '../../accounts/users/addresses.service.ts'
import { removeMember } from '../../accounts/users/members.service.ts'
import { applyPush } from '../../accounts/users/pushed.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { enterpriseSchema, type ResourceType } from './attributes.ts'
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
import { fillAttributes, type Pushed } from './filling.service.ts'
import { applyOperations, readOperations, readResource } from './patch.ts'
import { choiceOf, listAnswer, userAnswer, type ShownRow } from './answers.ts'
import type { PageQuery, Projection } from './scim.schemas.ts'
import {
  foldedParts,
  nicknameOf,
  partsOfUser,
  rawOfUser,
  userValueOf,
  type UserValue,
} from './user-values.ts'
import { userKindWith, withoutPaths } from './texts.ts'
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
  texts: row.texts,
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

/** The paths that fill attributes. */
export const readPaths = async (ctx: Pick<Ctx, 'db'>): Promise<string[]> =>
  (await listPaths(ctx)).map(({ path }) => path)

/** The directory's own fields, as audit records name them. What fills attributes is recorded as theirs. */
const fieldsOf = (value: UserValue, paths: string[]) => {
  const parts = withoutPaths(partsOfUser({ ...value, texts: {} }), paths)
  return {
    external_id: parts['externalId'] ?? null,
    user_name: value.userName,
    display_name: parts['displayName'] ?? '',
    name_parts: parts['name'] ?? {},
    emails: value.emails,
    extension: parts[enterpriseSchema] ?? {},
  }
}

/** All fields of a resource without a user. The records of a user have address and active state of the user instead. */
export const allFieldsOf = (value: UserValue, paths: string[]) => ({
  email: value.email,
  active: value.active,
  ...fieldsOf(value, paths),
})

type LockedUser = Awaited<ReturnType<typeof lockUserWithCodes>>['user']

/** True if the user already has the directory's active state. */
const hasDirectoryState = (user: LockedUser, { active }: UserValue) =>
  (user.status_behind === null) === active

/** Applies the directory's values to the user, and writes the audit record. `changes` are those of the resource. */
export const pushTo = async (
  ctx: AuthorityCtx,
  user: LockedUser,
  pushed: Pushed<UserValue>,
  changes: Detail,
): Promise<void> => {
  const { after: value } = pushed
  const nickname = nicknameOf(value) || user.nickname
  const isSame = nickname === user.nickname && hasDirectoryState(user, value)
  const status = isSame ? user.status : await applyPush(ctx, user, { nickname, isActive: value.active })
  const before = { nickname: user.nickname, status: user.status, active: user.status_behind === null }
  const ofUser = changesBetween(before, { nickname, status, active: value.active })
  recordPush(ctx, user, { ...changes, ...ofUser, ...(await fillAttributes(ctx, user.id, pushed)) })
}

const recordPush = (ctx: AuthorityCtx, { id, username }: LockedUser, detail: Detail): void =>
  record(ctx, {
    action: 'user.update',
    resourceId: id,
    detail: { ...naming({ username }), ...detail, ...ofDirectory },
  })

/** Fills attributes whose declarations have changed since the last push. */
const fillAgain = async (ctx: AuthorityCtx, { row, value, paths }: PushedChange): Promise<void> => {
  const { user_id: userId } = row
  if (userId === null || paths.length === 0) return
  if (await store.selectExemption(ctx.db, ctx.tenantId, userId)) return
  const { user } = await lockUserWithCodes(ctx, userId)
  const detail = await fillAttributes(ctx, userId, { after: value })
  if (Object.keys(detail).length > 0) recordPush(ctx, user, detail)
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
  /** The paths that fill attributes. */
  paths: string[]
}

/** Applies a changed resource to its user. */
const applyToUser = async (
  ctx: AuthorityCtx,
  userId: number,
  { before, after, paths }: { before: UserValue; after: UserValue; paths: string[] },
  revoked: Detail,
): Promise<void> => {
  await requireNoBreakGlass(ctx, userId)
  const { user } = await lockUserWithCodes(ctx, userId)
  // If the account cannot get the address, the other changes still apply.
  const moved = isMoved(before, after) && (await followAddress(ctx, user.account_id, after.email))
  const address = moved ? changesBetween({ email: user.email }, { email: after.email }) : {}
  const fields = changesBetween(fieldsOf(before, paths), fieldsOf(after, paths))
  await pushTo(ctx, user, { before, after }, { ...address, ...fields, ...revoked })
}

const isMoved = (before: UserValue, after: UserValue): boolean => fold(before.email) !== fold(after.email)

const revokeInvitation = async (ctx: AuthorityCtx, email: string): Promise<Detail> =>
  changesBetween({ invitation_id: await revokeInvitationTo(ctx, email) }, {})

const applyTo = async (ctx: AuthorityCtx, pushed: PushedChange): Promise<void> => {
  const { row, value: after, paths } = pushed
  const before = valueOf(row)
  if (isDeepStrictEqual(before, after)) return fillAgain(ctx, pushed)
  if (isMoved(before, after)) await requireFreeAddress(ctx, pushed)
  const stored = { tenantId: ctx.tenantId, id: row.id, value: after, folded: foldedParts(after) }
  await store.updateUser(ctx.db, stored, ctx.parts.now()).catch(asUniqueness)
  const revoked = after.active ? {} : await revokeInvitation(ctx, after.email)
  if (row.user_id !== null) return applyToUser(ctx, row.user_id, { before, after, paths }, revoked)
  const fields = changesBetween(allFieldsOf(before, paths), allFieldsOf(after, paths))
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
  change: (kind: ResourceType, before: Raw) => Raw,
  projection: Projection,
): Promise<string> => {
  const id = idOf(text)
  const userId = await changingAuthority(ctx, readPaths, async (ctx, paths) => {
    await requireDirectory(ctx)
    const row = await readUser(ctx, id)
    const changed = change(userKindWith(paths), rawOfUser(id, valueOf(row)))
    const value = userValueOf(changed, row, paths)
    await applyTo(ctx, { row, value, paths })
    return value.active ? null : row.user_id
  })
  if (userId !== null) await ctx.parts.cache.forgetPresence(ctx.tenantId, userId)
  return answerOf(ctx, await readUser(ctx, id), projection)
}

/** Replaces a user of the directory. A body without `active` keeps the active state. */
export const replaceUser = (ctx: Ctx, id: string, body: unknown, projection: Projection): Promise<string> =>
  changeUser(ctx, id, (kind) => readResource(kind, body, { id: id.toLowerCase() }), projection)

/** Applies the operations of a body to a user of the directory. */
export const patchUser = (ctx: Ctx, id: string, body: unknown, projection: Projection): Promise<string> => {
  const operations = readOperations(body)
  return changeUser(ctx, id, (kind, before) => applyOperations(kind, before, operations), projection)
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
  const detail = { ...changesBetween(allFieldsOf(valueOf(row), await readPaths(ctx)), {}), ...revoked }
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
