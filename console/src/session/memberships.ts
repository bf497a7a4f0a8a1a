import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Membership } from '@tenantry/client'
import { client } from './client.ts'

/** The tenants of the signed-in person. */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => client.auth.memberships({ signal }),
  staleTime: 60_000,
})

/** The tenants among which the person chooses: none for a person of a single one. */
export const useOwnTenants = (): Membership[] => {
  const { data = [] } = useQuery(membershipsQuery)
  return data.length > 1 ? data : []
}

/** Whether the person may work in the tenant. */
export const isOpen = ({ status, tenant }: Membership): boolean => status === 1 && tenant.status === 1
