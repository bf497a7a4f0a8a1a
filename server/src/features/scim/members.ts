/** A change of the members of a group, which is applied without reading them. */
import { invalidPath, invalidValue } from '../../scim-error.ts'
import { namedValues } from './values.ts'
import type { Path } from './grammar.ts'

export interface MemberChange {
  /** Whether nobody remains but `added`. */
  isReplaced: boolean
  added: Set<string>
  removed: Set<string>
}

/** docs/contract.md, "Limits". */
export const membersMax = 20_000

export const createMemberChange = (isReplaced: boolean): MemberChange => ({
  isReplaced,
  added: new Set(),
  removed: new Set(),
})

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of a user of the directory. No other text is one. */
const idOf = (member: unknown): string => {
  const { value, type = 'User' } = (typeof member === 'object' ? member : { value: member }) as {
    value?: unknown
    type?: unknown
  }
  if (typeof type === 'string' && type.toLowerCase() === 'group') {
    throw invalidValue('Groups in groups are not kept')
  }
  if (typeof value !== 'string' || !uuid.test(value)) {
    throw invalidValue('members: each value is the id of a user of this directory')
  }
  return value.toLowerCase()
}

const idsOf = (value: unknown): string[] => {
  const members = Array.isArray(value) ? value : [value ?? []].flat()
  if (members.length > membersMax) throw invalidValue(`members: a group has at most ${membersMax}`)
  return members.map((member: unknown) => (member === null ? idOf({}) : idOf(member)))
}

const add = (change: MemberChange, ids: string[]): void => {
  for (const id of ids) {
    change.removed.delete(id)
    change.added.add(id)
  }
}

const remove = (change: MemberChange, ids: string[]): void => {
  for (const id of ids) {
    change.added.delete(id)
    if (!change.isReplaced) change.removed.add(id)
  }
}

const clear = (change: MemberChange): void => {
  change.isReplaced = true
  change.added.clear()
  change.removed.clear()
}

/** A removal names members by a filter or by its value, or means all. */
const applyRemoval = (change: MemberChange, { filter }: Path, value: unknown): void => {
  if (filter) remove(change, idsOf(namedValues(filter)))
  else if (value === undefined || value === null) clear(change)
  else remove(change, idsOf(value))
}

/** Notes an operation on members. Throws 400 for one that names no users. */
export const changeMembers = (
  change: MemberChange,
  op: 'add' | 'replace' | 'remove',
  path: Path,
  value: unknown,
): void => {
  if (path.sub !== undefined) throw invalidPath('A member changes by being added and removed')
  if (op === 'remove') return applyRemoval(change, path, value)
  if (path.filter) throw invalidPath('A member changes by being added and removed')
  if (op === 'replace') clear(change)
  add(change, idsOf(value))
}
