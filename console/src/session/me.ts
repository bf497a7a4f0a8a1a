import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError, type PermissionCode, type Role, type Tenant, type User } from '@tenantry/client'
import { client } from './client.ts'

/** Who is signed in, and what they may do. */
export interface Me {
  user: User
  /** The own tenant; the one in scope may be another (scope.ts). */
  tenant: Tenant
  roles: Role[]
  isPlatformAdmin: boolean
  /** Whether to offer something. The service decides again, whatever was offered. */
  can: (needs: PermissionCode) => boolean
}

const platformAdminRole = 'platform-admin'

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
    client.profile.get({ signal }),
    client.roles.ofUser(session.userId, { signal }),
    client.tenants.get(session.tenantId, { signal }),
  ])
  const codes = new Set(roles.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
  // Only the built-in tenant has this role, and nobody can make another system role.
  const isPlatformAdmin = roles.some(({ name, is_system }) => is_system && name === platformAdminRole)
  return { user, tenant, roles, isPlatformAdmin, can: (needs) => codes.has(needs) }
}

/** Asked again now and then, so that a role given or taken shows without signing in anew. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
})

export const useMe = (): Me => useSuspenseQuery(meQuery).data
