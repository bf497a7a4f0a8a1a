import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../session/client.ts'

const queryKey = ['factors']

export const useFactors = () =>
  useQuery({ queryKey, queryFn: ({ signal }) => client.factors.list({ signal }) })

/** The first factor and each removal end other sessions, so their list is refreshed as well. */
export const useRenewFactors = () => {
  const queries = useQueryClient()
  return async (): Promise<void> => {
    await Promise.all([
      queries.invalidateQueries({ queryKey }),
      queries.invalidateQueries({ queryKey: ['sessions'] }),
    ])
  }
}
