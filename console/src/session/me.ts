import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import {
  ApiError,
  type Membership,
  type PermissionCode,
  type Profile,
  type Role,
  type Tenant,
} from '@tenantry/client'
import { client } from './client.ts'

/** The signed-in user and their permissions. */
interface Me {
  user: Profile
  /** The caller's own tenant; another one may be in scope (scope.ts). */
  tenant: Tenant
  roles: Role[]
  /** Whether the caller holds the permission in their own tenant; it counts in every tenant. The service checks again. */
  can: (needs: PermissionCode) => boolean
}

const readMe = async (signal: AbortSignal): Promise<Me> => {
  const session = await client.auth.session()
  if (!session) {
    throw new ApiError({
      status: 401,
      code: 0,
      reason: 'refreshTokenInvalid',
      message: 'Nobody is signed in',
    })
  }
  const [user, roles, tenant] = await Promise.all([
    client.profile.get({ include: 'email_confirmed' }, { signal }),
    client.roles.ofUser(session.userId, { signal }),
    client.tenants.get(session.tenantId, { signal }),
  ])
  const codes = new Set(roles.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
  return { user, tenant, roles, can: (needs) => codes.has(needs) }
}

/** Stale after a minute, so that changed roles show without a new sign-in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data

/** The tenants of the signed-in person. */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: ({ signal }) => client.auth.memberships({ signal }),
  staleTime: 60_000,
})

/** The tenants to switch between; empty for a person with only one. */
export const useOwnTenants = (): Membership[] => {
  const { data = [] } = useQuery(membershipsQuery)
  return data.length > 1 ? data : []
}

/** Whether the person may work in the tenant. */
export const isOpenMembership = ({ status, tenant }: Membership): boolean =>
  status === 1 && tenant.status === 1

/** How people of this installation get an account, and whether it sends mail. */
export const useAuthOptions = () =>
  useQuery({ queryKey: ['auth-options'], queryFn: ({ signal }) => client.auth.options({ signal }) })
