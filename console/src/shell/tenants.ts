import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'

/** All of them at once, which is what the API has: some megabytes at 10,000. Only who opens a list of them asks. */
export const tenantsQuery = queryOptions({
  queryKey: ['tenants', 'all'],
  queryFn: ({ signal }) => client.tenants.list({ signal }),
  staleTime: 60_000,
})

/** The tenant in scope; undefined until it is known, and when there is none. */
export const useScopeTenant = () => {
  const { tenant: own } = useMe()
  const { tenantId, isOwn } = useScope()
  const asked = useQuery({
    queryKey: ['tenants', 'one', tenantId],
    queryFn: ({ signal }) => client.tenants.get(tenantId, { signal }),
    enabled: !isOwn,
    staleTime: 60_000,
  })
  return { tenant: isOwn ? own : asked.data, isUnknown: !isOwn && asked.isError, isOwn }
}

/** Those whose name or slug holds the text, in the order of the service. */
export const findTenants = (tenants: Tenant[], text: string, limit: number): Tenant[] => {
  const sought = text.trim().toLowerCase()
  const found: Tenant[] = []
  for (const tenant of tenants) {
    if (found.length === limit) break
    if (tenant.name.toLowerCase().includes(sought) || tenant.slug.includes(sought)) found.push(tenant)
  }
  return found
}
