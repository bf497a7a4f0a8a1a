import { QueryClient } from '@tanstack/react-query'

/** The SDK retries requests (client/README.md), so the query client does not. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000 },
    // Offline, a change fails at once. Otherwise it would wait unseen, and happen later.
    mutations: { retry: false, networkMode: 'always' },
  },
})
