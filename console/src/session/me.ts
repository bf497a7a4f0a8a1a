import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import {
  ApiError,
  type Membership,
  type PermissionCode,
  type Profile,
  type Role,
  type Tenant,
  type PasswordRules,
} from '@tenantry/client'
import { loadPart } from '../load-part.ts'
import { client } from './client.ts'
import type { ShutOperation } from './shut-operations.ts'
import { supportNow } from './support.ts'

/** The signed-in user with the user's permissions. */
export interface Me {
  user: Profile
  /** The caller's own tenant. Another tenant can be in scope (scope.ts). */
  tenant: Tenant
  roles: Role[]
  /** Whether a second factor opened the session. Some changes need one. */
  hasFactor: boolean
  /** True if the session has more than the permissions of the roles, by an elevation. */
  isElevated: boolean
  /**
   * Whether the caller has the permission in the caller's own tenant; it then counts in every tenant. The service
   * checks again.
   */
  can: (needs: PermissionCode) => boolean
  /** False for an operation that the support session of this tab does not reach, whatever its permissions. */
  reaches: (operation: ShutOperation) => boolean
}

const loadShut = loadPart(() => import('./shut-operations.ts'))

const readShut = async (): Promise<ReadonlySet<ShutOperation>> =>
  new Set(supportNow && (await loadShut()).shutOperations)

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
  const [user, roles, tenant, held, shut] = await Promise.all([
    client.profile.get({ include: 'email_confirmed,has_factor' }, { signal }),
    client.roles.ofUser(session.userId, { signal }),
    client.tenants.get(session.tenantId, { signal }),
    client.authz.permissions({}, { signal }),
    readShut(),
  ])
  const ofRoles = new Set(roles.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
  const codes = new Set(held.permissions)
  const isElevated = held.permissions.some((code) => !ofRoles.has(code))
  return {
    user,
    tenant,
    roles,
    hasFactor: user.has_factor === true,
    isElevated,
    can: (needs) => codes.has(needs),
    reaches: (operation) => !shut.has(operation),
  }
}

/** Stale after a minute, so that a change of roles appears without a new sign-in. */
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

/** The tenants that the person can switch between. Empty for a person of one tenant. */
export const useOwnTenants = (): Membership[] => {
  const { data = [] } = useQuery({ ...membershipsQuery, enabled: useMe().reaches('listMemberships') })
  return data.length > 1 ? data : []
}

/** Whether the person may work in the tenant. */
export const isOpenMembership = ({ status, tenant }: Membership): boolean =>
  status === 1 && tenant.status === 1

/** The rules for new passwords in a tenant. */
export const usePasswordRules = (tenantId: string): PasswordRules | undefined =>
  useQuery({
    queryKey: ['auth-options', tenantId],
    queryFn: ({ signal }) => client.auth.options({ tenant: tenantId }, { signal }),
  }).data?.passwords

/** How people of this installation can get an account, and whether it sends e-mails. */
export const useAuthOptions = () =>
  useQuery({ queryKey: ['auth-options'], queryFn: ({ signal }) => client.auth.options({}, { signal }) })
