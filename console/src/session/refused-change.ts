import type { ApiError } from '@tenantry/client'
import { createStore } from '../store.ts'

/** The refusal of a change that needs approval. The frame shows a window that asks for it. */
export const refusedChange = createStore<ApiError | undefined>(undefined)
