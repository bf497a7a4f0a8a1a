/** The live stream in this tab: whether it is open, and the changes that it has sent. */
import type { ChangeEvent } from '@tenantry/client'
import { createStore } from '../store.ts'

type Change = ChangeEvent['data']

/** The action of a new notification of the caller, from any tenant. */
export const rung = 'inbox.ring'

export interface HeardChange extends Pick<Change, 'id' | 'tenant_id' | 'action' | 'resource'> {
  at: number
}

/** The largest number of new entries that a list reports. */
const keptMax = 1000

const changes = createStore<readonly HeardChange[]>([])

export const { subscribe, get: heardChanges } = changes

export const noteChange = (change: Omit<HeardChange, 'at'>): void =>
  changes.set([...changes.get().slice(1 - keptMax), { ...change, at: Date.now() }])

/** While the stream is open, no query needs an interval. */
export const { useValue: useIsLive, set: setOpen } = createStore(false)
