/** The present state of the live stream in this tab: whether it is open, and the changes that it told. */
import type { ChangeEvent } from '@tenantry/client'
import { useSyncExternalStore } from 'react'

type Change = ChangeEvent['data']

/** The action that stands for a notification of the caller's own, wherever it was sent. */
export const rung = 'inbox.ring'

export interface HeardChange extends Pick<Change, 'id' | 'tenant_id' | 'action' | 'resource'> {
  at: number
}

/** A list says "1,000 new" at most. */
const keptMax = 1000

let isOpen = false
let changes: readonly HeardChange[] = []
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

export const subscribe = (listener: () => void): (() => void) => {
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

export const heardChanges = (): readonly HeardChange[] => changes
