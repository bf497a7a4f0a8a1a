import { useQueryClient } from '@tanstack/react-query'

/** After a change of tenants: their lists and names, the own one's in the frame among them. */
export const useRenew = () => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all(['tenants', 'me'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
  }
}
