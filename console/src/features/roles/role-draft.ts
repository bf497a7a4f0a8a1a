import type { Permission, Role } from '@tenantry/client'
import { useCallback, useState } from 'react'

/** By ids of role and permission: true to add the permission, false to remove it. */
export type RoleDraft = ReadonlyMap<number, ReadonlyMap<number, boolean>>

export interface RoleChange {
  role: Role
  added: Permission[]
  removed: Permission[]
}

/** A cache, because each of a thousand rows asks whether a role holds its permission. */
const idsOf = new WeakMap<Permission[], Set<number>>()

export const holds = ({ permissions }: Pick<Role, 'permissions'>, { id }: Permission): boolean => {
  const ids = idsOf.get(permissions) ?? new Set(permissions.map((one) => one.id))
  idsOf.set(permissions, ids)
  return ids.has(id)
}

/** The number of permissions that the role has once its draft is saved. */
export const countAfter = (
  { id, permissions }: Pick<Role, 'id' | 'permissions'>,
  draft: RoleDraft,
): number => {
  const ids = new Set(permissions.map((one) => one.id))
  for (const [permission, isWanted] of draft.get(id) ?? []) {
    if (isWanted) ids.add(permission)
    else ids.delete(permission)
  }
  return ids.size
}

/** The changes of a draft. Omits a cell that another user has changed in the same way meanwhile. */
export const changesOf = (draft: RoleDraft, roles: Role[], permissions: Permission[]): RoleChange[] =>
  roles
    .map((role) => {
      const cells = draft.get(role.id)
      const added = permissions.filter((one) => cells?.get(one.id) === true && !holds(role, one))
      const removed = permissions.filter((one) => cells?.get(one.id) === false && holds(role, one))
      return { role, added, removed }
    })
    .filter(({ added, removed }) => added.length + removed.length > 0)

/** Sets cells of a role. A cell that gets its current value leaves the draft. */
export type SetCells = (role: Role, permissions: Permission[], isWanted: boolean) => void

const withCells = (draft: RoleDraft, ...[role, permissions, isWanted]: Parameters<SetCells>): RoleDraft => {
  const cells = new Map(draft.get(role.id))
  for (const permission of permissions) {
    if (holds(role, permission) === isWanted) cells.delete(permission.id)
    else cells.set(permission.id, isWanted)
  }
  return new Map(draft).set(role.id, cells)
}

export const useRoleDraft = () => {
  const [draft, setDraft] = useState<RoleDraft>(new Map())
  const setCells: SetCells = useCallback((...cells) => setDraft((before) => withCells(before, ...cells)), [])
  const forget = (changes: RoleChange[]): void => {
    const done = new Set(changes.map(({ role }) => role.id))
    setDraft((before) => new Map([...before].filter(([id]) => !done.has(id))))
  }
  return { draft, setCells, forget }
}
