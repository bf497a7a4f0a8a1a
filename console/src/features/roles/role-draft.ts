import type { Permission, Role } from '@tenantry/client'
import { useCallback, useState } from 'react'

/** By role and permission, which cells shall be other than they are. */
export type Draft = ReadonlyMap<number, ReadonlyMap<number, boolean>>

export interface Change {
  role: Role
  added: Permission[]
  removed: Permission[]
}

export const holds = (role: Role, { id }: Permission): boolean =>
  role.permissions.some((one) => one.id === id)

/** What a draft comes to; a cell that somebody else has changed so meanwhile is no change any more. */
export const changesOf = (draft: Draft, roles: Role[], permissions: Permission[]): Change[] =>
  roles
    .map((role) => {
      const cells = draft.get(role.id)
      const added = permissions.filter((one) => cells?.get(one.id) === true && !holds(role, one))
      const removed = permissions.filter((one) => cells?.get(one.id) === false && holds(role, one))
      return { role, added, removed }
    })
    .filter(({ added, removed }) => added.length + removed.length > 0)

const toggled = (draft: Draft, role: Role, permission: Permission): Draft => {
  const cells = new Map(draft.get(role.id))
  const isHeld = holds(role, permission)
  const isWanted = !(cells.get(permission.id) ?? isHeld)
  if (isWanted === isHeld) cells.delete(permission.id)
  else cells.set(permission.id, isWanted)
  return new Map(draft).set(role.id, cells)
}

export const useDraft = () => {
  const [draft, setDraft] = useState<Draft>(new Map())
  const toggle = useCallback(
    (role: Role, permission: Permission) => setDraft((before) => toggled(before, role, permission)),
    [],
  )
  const forget = (roles: Role[]): void =>
    setDraft((before) => new Map([...before].filter(([id]) => roles.every((role) => role.id !== id))))
  return { draft, toggle, forget }
}

const idsOf = (role: Role, change: Change | undefined): number[] => {
  const removed = new Set(change?.removed.map(({ id }) => id))
  return [...role.permissions, ...(change?.added ?? [])].map(({ id }) => id).filter((id) => !removed.has(id))
}

/**
 * What the change of one role gives to and takes from somebody with these roles, all changes being made: another role may
 * give the same.
 */
export const effectOf = (held: Role[], change: Change, changes: Change[]) => {
  const before = new Set(held.flatMap((role) => idsOf(role, undefined)))
  const after = new Set(
    held.flatMap((role) =>
      idsOf(
        role,
        changes.find((one) => one.role.id === role.id),
      ),
    ),
  )
  return {
    gained: change.added.filter(({ id }) => !before.has(id)),
    lost: change.removed.filter(({ id }) => !after.has(id)),
  }
}
