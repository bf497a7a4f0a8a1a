import { QueryClient } from '@tanstack/react-query'

/** The SDK sends what can be sent again (README of the client): here nothing is tried twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000 },
    // Offline a change fails at once and says so, rather than wait unseen for the network and then be done.
    mutations: { retry: false, networkMode: 'always' },
  },
})
