import { useQueryClient, type QueryKey } from '@tanstack/react-query'

/** Refreshes the queries whose keys begin with one of these. */
export const useRenew = (...keys: QueryKey[]) => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}
