import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { noteAnswer, noteError } from './session/outage.ts'

const caches = { onError: noteError, onSuccess: noteAnswer }

/** Of data that nothing fetches again. */
export const kept = { updatedAt: Number.MAX_SAFE_INTEGER }

/** The SDK retries requests (client/README.md), so the query client does not. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache(caches),
  mutationCache: new MutationCache(caches),
  defaultOptions: {
    // Offline, a request fails at once. A waiting query would show skeletons, and a waiting change would happen
    // unseen later.
    queries: { retry: false, staleTime: 10_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { retry: false, networkMode: 'always' },
  },
})

export const isKept = ({ state }: Query): boolean => state.dataUpdatedAt === kept.updatedAt
