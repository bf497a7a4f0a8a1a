/** A change of the members of a group. The service applies it without a read of the present members. */
import { invalidPath, invalidValue } from '../../../errors/scim-error.ts'
import { namedValues } from './values.ts'
import type { ScimPath } from './grammar.ts'

export interface MemberChange {
  /** True if `added` replaces all members. */
  isReplaced: boolean
  added: Set<string>
  removed: Set<string>
  /** The number of groups among the sent members, which are skipped. */
  groups: number
}

/** docs/contract.md, "Limits". */
export const membersMax = 20_000

export const createMemberChange = (isReplaced: boolean): MemberChange => ({
  isReplaced,
  added: new Set(),
  removed: new Set(),
  groups: 0,
})

/** The user id of a member. Undefined for a group. Throws 400 for a member without an id. */
const idOf = (member: unknown): string | undefined => {
  const { value, type } = (typeof member === 'object' && member !== null ? member : { value: member }) as {
    value?: unknown
    type?: unknown
  }
  if (typeof type === 'string' && type.toLowerCase() === 'group') return undefined
  if (typeof value !== 'string') throw invalidValue('members: each value is the id of a user')
  return value.toLowerCase()
}

const requireFew = (count: number): void => {
  if (count > membersMax) throw invalidValue(`members: a group has at most ${membersMax}`)
}

/** The user ids in a list, and the number of groups. */
const read = (value: unknown): { ids: string[]; groups: number } => {
  const members: unknown[] = Array.isArray(value) ? value : [value ?? []].flat()
  requireFew(members.length)
  const ids = members.map(idOf).filter((id) => id !== undefined)
  return { ids, groups: members.length - ids.length }
}

const add = (change: MemberChange, value: unknown): void => {
  const { ids, groups } = read(value)
  change.groups += groups
  for (const id of ids) {
    change.removed.delete(id)
    change.added.add(id)
  }
  // The limit of a group applies to all operations together.
  requireFew(change.added.size)
}

const remove = (change: MemberChange, value: unknown): void => {
  for (const id of read(value).ids) {
    change.added.delete(id)
    if (!change.isReplaced) change.removed.add(id)
  }
  requireFew(change.removed.size)
}

const clear = (change: MemberChange): void => {
  change.isReplaced = true
  change.added.clear()
  change.removed.clear()
  change.groups = 0
}

/** Throws 400 for a change whose members are all groups (decision 0270). */
export const requireUsers = ({ isReplaced, added, removed, groups }: MemberChange): void => {
  if (isReplaced || groups === 0 || added.size + removed.size > 0) return
  throw invalidValue('members: groups in groups are not kept')
}

/** A removal names members by a filter or by its value. Without either it removes all members. */
const applyRemoval = (change: MemberChange, { filter }: ScimPath, value: unknown): void => {
  if (filter) remove(change, namedValues(filter))
  else if (value === undefined || value === null) clear(change)
  else remove(change, value)
}

/** Adds an operation on members to the change. Throws 400 for an operation that names no users. */
export const changeMembers = (
  change: MemberChange,
  op: 'add' | 'replace' | 'remove',
  path: ScimPath,
  value: unknown,
): void => {
  if (path.sub !== undefined) throw invalidPath('A member changes by being added and removed')
  if (op === 'remove') return applyRemoval(change, path, value)
  if (path.filter) throw invalidPath('A member changes by being added and removed')
  if (op === 'replace') clear(change)
  add(change, value)
}
