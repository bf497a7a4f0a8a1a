import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError, type PermissionCode, type Profile, type Role, type Tenant } from '@tenantry/client'
import { client } from './client.ts'

/** The signed-in user and their permissions. */
export interface Me {
  user: Profile
  /** The caller's own tenant; another one may be in scope (scope.ts). */
  tenant: Tenant
  roles: Role[]
  /** Whether the caller holds a permission at home, which counts in every tenant. The service checks each request again. */
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

/** Refreshed every minute, so that a change of roles shows without a new sign-in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data
