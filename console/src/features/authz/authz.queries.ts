import { useQuery } from '@tanstack/react-query'
import type { Change } from '@tenantry/client'
import { useId } from 'react'
import { loadPage } from '../../i18n.ts'
import { useScope } from '../../session/scope.ts'

/** The service's limit for one preview. */
const changesMax = 20

export class TooManyChanges extends Error {}

/** The service takes at most 2 seconds. The rest allows for a slow network. */
const timeoutMs = 10_000

// Lazy, because the list of users and pages that ask only on a click load first. The answer can hold an error.
export const loadEffect = loadPage(['access', 'errors'], () => import('./effect.tsx'))

/** Also waits for the part that shows the answer, so that nobody can confirm an effect before it is seen. */
const withPart = async <T>(answer: Promise<T>): Promise<T> => {
  const [settled] = await Promise.allSettled([answer, loadEffect()])
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/**
 * Requests the effect of changes, once per open window. `read` returns the changes in their present form. `isOpen` is
 * true when the user may confirm: after an answer that does not refuse all changes, or after a failed preview.
 */
export const usePreview = (read: () => Change[] | Promise<Change[]>) => {
  const { api } = useScope()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['preview', useId()],
    queryFn: async ({ signal }) => {
      const changes = await read()
      if (changes.length > changesMax) throw new TooManyChanges()
      const { refused, ...effect } = await withPart(api.authz.preview({ changes }, { signal, timeoutMs }))
      // Each change of a list is a request of its own, so a refused change does not block the others.
      return { ...effect, refused, isWholeRefused: refused !== null && changes.length === 1 }
    },
    gcTime: 0,
    staleTime: Infinity,
    // Offline, the request fails at once. Otherwise the window would wait without showing a reason.
    networkMode: 'always',
  })
  const isOpen = !isFetching && data?.isWholeRefused !== true
  return { data, error, isFetching, isOpen, refetch }
}

export type Previewed = ReturnType<typeof usePreview>
export type PreviewedEffect = NonNullable<Previewed['data']>
