import { createStore } from '../store.ts'

/** The window that a first step opens over its page. The frame shows it. */
export type AskedWindow = 'invite' | 'createRole' | 'createServiceAccount'

export const askedWindow = createStore<AskedWindow | undefined>(undefined)
