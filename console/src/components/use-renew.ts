import { useQueryClient } from '@tanstack/react-query'
import { isKept } from '../query-client.ts'

/** Reloads whatever the page shows, because a change can concern any part of it. The rest loads when it is shown. */
export const useRenew = () => {
  const queries = useQueryClient()
  return (): Promise<void> => queries.invalidateQueries({ predicate: (query) => !isKept(query) })
}
