import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { noteAnswer, noteError } from './session/outage.ts'

const caches = { onError: noteError, onSuccess: noteAnswer }

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
