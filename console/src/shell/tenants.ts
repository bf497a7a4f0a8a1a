import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

/** All tenants at once, some megabytes at 10,000: the API does not page them. Only lists load them. */
export const tenantsQuery = queryOptions({
  queryKey: ['tenants', 'all'],
  queryFn: ({ signal }) => client.tenants.list({ signal }),
  staleTime: 60_000,
})

/** The tenant in scope; undefined while it loads, or if it does not exist. Without `tenant:read`, its id is its name. */
export const useScopeTenant = () => {
  const { tenant: own, can } = useMe()
  const { tenantId, isOwn } = useScope()
  const canRead = can('tenant:read')
  const asked = useQuery({
    queryKey: ['tenants', 'one', tenantId],
    queryFn: ({ signal }) => client.tenants.get(tenantId, { signal }),
    enabled: !isOwn && canRead,
    staleTime: 60_000,
  })
  const tenant = isOwn ? own : asked.data
  const name = tenant?.name ?? (canRead ? undefined : tenantId)
  return { tenant, name, isUnknown: !isOwn && (asked.isError || !canRead), isOwn }
}

/** Tenants whose name or slug contains the text, in the order of the service. */
export const findTenants = <T extends Pick<Tenant, 'name' | 'slug'>>(
  tenants: T[],
  text: string,
  limit: number,
): T[] => {
  const sought = text.trim().toLowerCase()
  const found: T[] = []
  for (const tenant of tenants) {
    if (found.length === limit) break
    if (tenant.name.toLowerCase().includes(sought) || tenant.slug.includes(sought)) found.push(tenant)
  }
  return found
}
