import type { User } from '@tenantry/client'
import { createStore } from '../store.ts'

/** The user whom the palette enables or disables. The frame shows a window that asks first. */
export const askedStatus = createStore<{ user: User; status: 0 | 1 } | undefined>(undefined)
