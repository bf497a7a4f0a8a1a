/** Groups of a directory, and the roles that they give. */
import { randomUUID } from 'node:crypto'
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import type { Ctx } from '../../../context.ts'
import { pageOf as pageOfList, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { invalidValue, ScimError } from '../../../errors/scim-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { replaceMappedRoles, type MappedChange } from '../../accounts/roles/mapped.service.ts'
import { endSwitches } from '../../accounts/users/pushed.service.ts'
import { choiceOf, groupAnswer, listAnswer, shows, type Member } from './answers.ts'
import { groupKind } from './attributes.ts'
import { filterableOfGroup } from './filterable.ts'
import {
  asUniqueness,
  idOf,
  isUuid,
  pageOf,
  requireDirectory,
  resourceUnknown,
  announceUsers,
} from './directory.service.ts'
import * as store from './groups.store.ts'
import { createMemberChange, membersMax, requireUsers, type MemberChange } from './members.ts'
import { applyOperations, readOperations, readResource } from './patch.ts'
import type { DirectoryGroup, DirectoryGroupQuery, PageQuery, Projection } from './scim.schemas.ts'
import { requireShort, type Raw } from './values.ts'

/** docs/contract.md, "Limits". */
const groupsMax = 5000
const externalIdMax = 254
/** The most members of all groups on a page. A single group can have more. */
const listedMembersMax = 20_000
/** The most users that an audit record names. */
const recordedMax = 1000

const membersOf = async (ctx: Ctx, groups: store.GroupRow[], query: Projection) => {
  const members = new Map<string, Member[]>(groups.map(({ id }) => [id, []]))
  if (groups.length === 0 || !shows(query, 'members')) return members
  const rows = await store.selectMembers(ctx.db, ctx.tenantId, [...members.keys()])
  for (const { group_id: id, value, display } of rows) members.get(id)?.push({ value, display })
  return members
}

/** The groups of a page, up to the limit of members. */
const withinBound = (groups: store.CountedGroup[], query: Projection): store.CountedGroup[] => {
  if (!shows(query, 'members')) return groups
  let sum = 0
  return groups.filter((group, index) => {
    sum += group.member_count
    return index === 0 || sum <= listedMembersMax
  })
}

/** A page of the directory's groups as JSON. The page ends early if the groups have many members. */
export const listGroups = async (ctx: Ctx, query: PageQuery): Promise<string> => {
  const { start, slice, filter } = pageOf(query, filterableOfGroup)
  const [, rows, { count }] = await Promise.all([
    requireDirectory(ctx),
    slice.limit === 0 ? [] : store.selectGroups(ctx.db, ctx.tenantId, filter, slice),
    store.countGroups(ctx.db, ctx.tenantId, filter),
  ])
  const groups = withinBound(rows, query)
  const members = await membersOf(ctx, groups, query)
  const choose = choiceOf(query)
  const resources = groups.map((group) =>
    groupAnswer(ctx.parts.config, group, members.get(group.id) ?? [], choose),
  )
  return listAnswer(resources, count, start)
}

const readGroup = async (ctx: Ctx, id: string): Promise<store.CountedGroup> => {
  const row = await store.selectGroup(ctx.db, ctx.tenantId, id)
  if (!row) throw resourceUnknown(id)
  return row
}

const answerOf = async (ctx: Ctx, id: string, projection: Projection): Promise<string> => {
  const row = await readGroup(ctx, id)
  const members = await membersOf(ctx, [row], projection)
  return JSON.stringify(groupAnswer(ctx.parts.config, row, members.get(id) ?? [], choiceOf(projection)))
}

/** A group of the directory as JSON. Throws 404 for an unknown id. */
export const getGroup = async (ctx: Ctx, text: string, projection: Projection): Promise<string> => {
  await requireDirectory(ctx)
  return answerOf(ctx, idOf(text), projection)
}

const valueOf = ({ displayName, externalId }: Raw): store.GroupValue => {
  if (typeof displayName !== 'string' || displayName.trim() === '') {
    throw invalidValue('displayName is required')
  }
  requireShort('displayName', displayName)
  requireShort('externalId', externalId, externalIdMax)
  return { displayName, externalId: (externalId as string | undefined) ?? null }
}

/** Rows per statement, which has 4 seconds: PostgreSQL checks the foreign keys of each row. */
const rowsAtOnce = 4000

/** Splits a list for several statements. */
const partsOf = <T>(list: T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / rowsAtOnce) }, (_, at) =>
    list.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce),
  )

/** Updates the roles that users get from the directory's groups. Call it when groups, mappings or users change. */
export const mapDirectoryRoles = async (ctx: AuthorityCtx, userIds: number[]): Promise<MappedChange> => {
  const changed: MappedChange = { given: [], taken: [] }
  for (const part of partsOf(userIds)) {
    const wanted = await store.selectMappedAssignments(ctx.db, ctx.tenantId, part)
    const { given, taken } = await replaceMappedRoles(ctx, part, wanted)
    changed.given = changed.given.concat(given)
    changed.taken = changed.taken.concat(taken)
  }
  const changedIds = [...changed.given, ...changed.taken].map(({ user_id: id }) => id)
  announceUsers(ctx, [...new Set(changedIds)])
  return changed
}

/** Updates the mapped roles of every user of the directory. */
export const mapAllDirectoryRoles = async (ctx: AuthorityCtx) =>
  mapDirectoryRoles(
    ctx,
    (await store.selectAllUserIds(ctx.db, ctx.tenantId)).map(({ user_id: id }) => id),
  )

/** Repeats a statement until it changes fewer rows than its limit. */
const untilFew = async (change: (limit: number) => Promise<number>): Promise<void> => {
  while ((await change(rowsAtOnce)) >= rowsAtOnce);
}

/** Ends the directory of the tenant. Deletes its resources and mapped roles. Its users stay and keep their status. */
export const endDirectory = async (ctx: AuthorityCtx): Promise<void> => {
  const userIds = (await store.selectAllUserIds(ctx.db, ctx.tenantId)).map(({ user_id: id }) => id)
  for (const table of store.pushedTables) {
    await untilFew((limit) => store.deletePushed(ctx.db, table, ctx.tenantId, limit))
  }
  await untilFew((limit) => endSwitches(ctx, limit))
  await mapDirectoryRoles(ctx, userIds)
}

/** Added and removed members, and the number of skipped members: unknown ids, and groups. */
interface ChangedMembers {
  added: string[]
  removed: string[]
  skipped: number
}

const idsIn = (rows: { member_id: string }[]): string[] => rows.map(({ member_id: id }) => id)

/** Adds members with several statements. Returns the new members. */
const addMembers = async (
  { db, tenantId }: AuthorityCtx,
  groupId: string,
  ids: string[],
): Promise<string[]> => {
  const added: string[] = []
  for (const part of partsOf(ids)) {
    added.push(...idsIn(await store.insertMembers(db, tenantId, groupId, part)))
  }
  return added
}

/** The ids that are users of the directory. Providers also send ids of deleted users, and texts that are no UUID. */
const knownOf = async ({ db, tenantId }: AuthorityCtx, ids: string[]): Promise<string[]> => {
  const possible = ids.filter(isUuid)
  return possible.length === 0 ? [] : idsIn(await store.selectKnown(db, tenantId, possible))
}

const moveMembers = async (
  ctx: AuthorityCtx,
  groupId: string,
  change: MemberChange,
): Promise<ChangedMembers> => {
  const { db, tenantId } = ctx
  requireUsers(change)
  const known = await knownOf(ctx, [...change.added])
  const gone = change.isReplaced
    ? await store.deleteOtherMembers(db, tenantId, groupId, known)
    : await store.deleteMembers(db, tenantId, groupId, [...change.removed].filter(isUuid))
  return {
    added: await addMembers(ctx, groupId, known),
    removed: idsIn(gone),
    skipped: change.added.size - known.length + change.groups,
  }
}

const usersOf = async ({ db, tenantId }: AuthorityCtx, ids: string[]): Promise<number[]> =>
  ids.length === 0 ? [] : (await store.selectUserIds(db, tenantId, ids)).map(({ user_id: id }) => id)

/** Updates roles after a change of members, and describes both changes for the audit record. */
const describeMoved = async (
  ctx: AuthorityCtx,
  groupId: string,
  { added, removed, skipped }: ChangedMembers,
) => {
  const [come, gone] = [await usersOf(ctx, added), await usersOf(ctx, removed)]
  await mapDirectoryRoles(ctx, [...come, ...gone])
  const roles = (await store.selectMappedRoles(ctx.db, ctx.tenantId, groupId)).map(({ role_id: id }) => id)
  return {
    ...(added.length > 0 && { added: added.length, added_user_ids: come.slice(0, recordedMax) }),
    ...(removed.length > 0 && { removed: removed.length, removed_user_ids: gone.slice(0, recordedMax) }),
    ...(skipped > 0 && { skipped }),
    ...(roles.length > 0 && { role_ids: roles }),
  }
}

const isMoved = ({ added, removed }: ChangedMembers): boolean => added.length + removed.length > 0

/** Creates a group of the directory. */
export const createGroup = async (ctx: Ctx, body: unknown, projection: Projection): Promise<string> => {
  const raw = readResource(groupKind, body, { members: createMemberChange(true) })
  const value = valueOf(raw)
  const members = raw['members'] as MemberChange
  requireUsers({ ...members, isReplaced: false })
  const id = randomUUID()
  await changingAuthority(
    ctx,
    async () => undefined,
    async (ctx) => {
      const directory = await requireDirectory(ctx)
      const { count } = await store.countGroups(ctx.db, ctx.tenantId, undefined)
      if (count >= groupsMax) throw new ScimError(403, `A directory has at most ${groupsMax} groups`)
      await store
        .insertGroup(ctx.db, { tenantId: ctx.tenantId, id, directory }, value, ctx.parts.now())
        .catch(asUniqueness)
      const moved = await moveMembers(ctx, id, members)
      const described = await describeMoved(ctx, id, moved)
      const { displayName: display_name, externalId: external_id } = value
      record(ctx, {
        action: 'directory_group.create',
        resourceId: id,
        detail: changesBetween({}, { display_name, external_id, ...described }),
      })
    },
  )
  return answerOf(ctx, id, projection)
}

const requireRoom = async (ctx: AuthorityCtx, id: string): Promise<void> => {
  const { member_count: count } = await readGroup(ctx, id)
  if (count > membersMax) throw invalidValue(`members: a group has at most ${membersMax}`)
}

const applyTo = async (ctx: AuthorityCtx, before: store.GroupRow, raw: Raw): Promise<void> => {
  const { id, display_name, external_id } = before
  const value = valueOf(raw)
  const moved = await moveMembers(ctx, id, raw['members'] as MemberChange)
  const named = changesBetween(
    { display_name, external_id },
    { display_name: value.displayName, external_id: value.externalId },
  )
  if (Object.keys(named).length === 0 && !isMoved(moved)) return
  await store.updateGroup(ctx.db, { tenantId: ctx.tenantId, id }, value, ctx.parts.now()).catch(asUniqueness)
  if (moved.added.length > 0) await requireRoom(ctx, id)
  const described = isMoved(moved) ? await describeMoved(ctx, id, moved) : {}
  record(ctx, {
    action: 'directory_group.update',
    resourceId: id,
    detail: { ...naming({ display_name }), ...named, ...changesBetween({}, described) },
  })
}

const changeGroup = (ctx: Ctx, id: string, change: (before: Raw) => Raw): Promise<void> =>
  changingAuthority(
    ctx,
    async () => undefined,
    async (ctx) => {
      await requireDirectory(ctx)
      const before = await readGroup(ctx, id)
      const { display_name: displayName, external_id: externalId } = before
      await applyTo(ctx, before, change({ id, displayName, ...(externalId !== null && { externalId }) }))
    },
  )

/** Replaces a group of the directory. */
export const replaceGroup = async (
  ctx: Ctx,
  text: string,
  body: unknown,
  projection: Projection,
): Promise<string> => {
  const id = idOf(text)
  await changeGroup(ctx, id, () => readResource(groupKind, body, { id, members: createMemberChange(true) }))
  return answerOf(ctx, id, projection)
}

/** Applies the operations of a body to a group of the directory. */
export const patchGroup = async (ctx: Ctx, text: string, body: unknown): Promise<void> => {
  const operations = readOperations(body)
  await changeGroup(ctx, idOf(text), (before) =>
    applyOperations(groupKind, { ...before, members: createMemberChange(false) }, operations),
  )
}

/** Deletes a group of the directory, and the roles that it gave. */
export const deleteGroup = (ctx: Ctx, text: string): Promise<void> => {
  const id = idOf(text)
  return changingAuthority(
    ctx,
    async () => undefined,
    async (ctx) => {
      await requireDirectory(ctx)
      const { display_name, external_id } = await readGroup(ctx, id)
      const moved = await moveMembers(ctx, id, createMemberChange(true))
      const described = await describeMoved(ctx, id, moved)
      store.deleteGroupRow(ctx.db, ctx.tenantId, id)
      record(ctx, {
        action: 'directory_group.delete',
        resourceId: id,
        detail: changesBetween({ display_name, external_id, ...described }, {}),
      })
    },
  )
}

/** The groups of the directory that administrators can map roles to. */
export const listDirectoryGroups = async (
  ctx: Ctx,
  query: DirectoryGroupQuery,
): Promise<CountedPage<DirectoryGroup>> => {
  const [items, { count }] = await Promise.all([
    store.selectDirectoryGroups(ctx.db, ctx.tenantId, sliceOf(query)),
    store.countGroups(ctx.db, ctx.tenantId, undefined),
  ])
  return pageOfList(items, count, query.page, true)
}
