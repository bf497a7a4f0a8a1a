import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Elevation, EligibleRole } from '@tenantry/client'
import { client } from './client.ts'
import { useMe } from './me.ts'

/** The elevations of this person that count now, in any session. */
const activeQuery = (userId: number) =>
  queryOptions({
    queryKey: ['me', 'elevations'],
    queryFn: ({ signal }) => client.roles.elevations({ user_id: userId, status: 'active' }, { signal }),
  })

/** The running elevations. Makes no request in a session that has only the permissions of its roles. */
export const useElevations = (): Elevation[] => {
  const { user, isElevated } = useMe()
  const { data } = useQuery({ ...activeQuery(user.id), enabled: isElevated })
  return isElevated ? (data?.items ?? []) : []
}

/** The roles that the caller can start. */
export const useOwnEligible = (): EligibleRole[] | undefined => {
  const { user } = useMe()
  return useQuery({
    queryKey: ['me', 'eligible'],
    queryFn: ({ signal }) => client.roles.eligible(user.id, { signal }),
  }).data
}
