import type { Permission, Role } from '@tenantry/client'
import { useCallback, useState } from 'react'

/** The wanted cells, by role and permission. */
export type Draft = ReadonlyMap<number, ReadonlyMap<number, boolean>>

export interface Change {
  role: Role
  added: Permission[]
  removed: Permission[]
}

export const holds = (role: Role, { id }: Permission): boolean =>
  role.permissions.some((one) => one.id === id)

/** The changes of a draft. A cell that another user has changed in the same way meanwhile is none. */
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
