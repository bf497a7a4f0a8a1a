/** The present state of the live stream in this tab: whether it is open, and the changes that it told. */
import type { ChangeEvent } from '@tenantry/client'
import { useSyncExternalStore } from 'react'
import { useMe } from './me.ts'
import { useScope } from './scope.ts'

type Change = ChangeEvent['data']

/** The action that stands for a notification of the caller's own, wherever it was sent. */
export const rung = 'inbox.ring'

interface HeardChange extends Pick<Change, 'id' | 'tenant_id' | 'action' | 'resource'> {
  at: number
}

/** A list says "1,000 new" at most. */
const keptMax = 1000

let isOpen = false
let changes: HeardChange[] = []
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const setOpen = (open: boolean): void => {
  isOpen = open
  tell()
}

export const noteChange = (change: Omit<HeardChange, 'at'>): void => {
  changes = [...changes.slice(1 - keptMax), { ...change, at: Date.now() }]
  tell()
}

/** Whether the stream is open, so that nothing needs to be asked for regularly. */
export const useIsLive = (): boolean => useSyncExternalStore(subscribe, () => isOpen)

/** The changes since a list was loaded. */
export interface News {
  count: number
  show: () => void
}

interface Loaded {
  /** Milliseconds since 1970; 0 before the first answer. */
  dataUpdatedAt: number
  refetch: () => unknown
}

/**
 * Counts the changes by others since the list was loaded, of these resources (`role`) or actions (`role.assign`); of all
 * where none is named. Records up to `lastId` stand in the list already.
 */
export const useNews = (names: string[], { dataUpdatedAt, refetch }: Loaded, lastId = 0): News => {
  const { tenantId } = useScope()
  const home = useMe().tenant.id
  const isHere = ({ tenant_id: id, resource }: HeardChange): boolean =>
    // Records of tenants stand in the built-in one.
    id === (resource === 'tenant' ? home : tenantId) || resource === 'inbox'
  const isNamed = ({ resource, action }: HeardChange): boolean =>
    names.length === 0 ? action !== rung : names.includes(resource) || names.includes(action)
  const isNew = ({ at, id }: HeardChange): boolean => at > dataUpdatedAt && id > lastId
  const count = useSyncExternalStore(subscribe, () =>
    dataUpdatedAt === 0
      ? 0
      : changes.filter((change) => isNew(change) && isNamed(change) && isHere(change)).length,
  )
  return { count, show: () => void refetch() }
}
