import { useQuery } from '@tanstack/react-query'
import type { Change } from '@tenantry/client'
import { useId } from 'react'
import { useScope } from '../../session/scope.ts'

/** The service previews no more changes at once. */
const changesMax = 20

/** More changes than the service previews at once. */
export class TooManyChanges extends Error {}

/** The service takes 2 seconds at most; a question nearly as long as a form's keeps nobody waiting. */
const timeoutMs = 10_000

/**
 * Asks the service for the effect of changes, once for each window that asks about them. `read` gives the changes as they
 * would be made now. `isOpen` tells whether the changes can be made: the question is answered, or cannot be answered.
 */
export const usePreview = (read: () => Change[] | Promise<Change[]>) => {
  const { api } = useScope()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['preview', useId()],
    queryFn: async ({ signal }) => {
      const changes = await read()
      if (changes.length > changesMax) throw new TooManyChanges()
      const { refused, ...effect } = await api.authz.preview({ changes }, { signal, timeoutMs })
      // The other changes of a list are requests of their own.
      return { ...effect, refused, isWholeRefused: refused !== null && changes.length === 1 }
    },
    gcTime: 0,
    staleTime: Infinity,
    // Offline, the question fails at once. Otherwise the window would wait unseen.
    networkMode: 'always',
  })
  const isOpen = !isFetching && data?.isWholeRefused !== true
  return { data, error, isFetching, isOpen, refetch }
}

export type Previewed = ReturnType<typeof usePreview>
export type KnownEffect = NonNullable<Previewed['data']>
