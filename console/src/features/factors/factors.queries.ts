import { useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { useRenew } from '../../components/use-renew.ts'

const queryKey = ['factors']

export const useFactors = () =>
  useQuery({ queryKey, queryFn: ({ signal }) => client.factors.list({ signal }) })

/** The first factor and each removal end other sessions, so their list is refreshed as well. */
export const useRenewFactors = () => useRenew(queryKey, ['sessions'])
