import { useQueryClient } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { tenantQuery } from '../../shell/tenants.ts'

interface Listed {
  items: Tenant[]
}

/**
 * Updates lists and names after a change of tenants. A list of many tenants is slow, so the answer of the change
 * enters the cache at once. `renew` runs in the background.
 */
export const useTenantCache = () => {
  const queries = useQueryClient()
  const change = (of: (tenants: Tenant[]) => Tenant[]): void => {
    for (const list of ['page', 'found']) {
      queries.setQueriesData<Listed>(
        { queryKey: ['tenants', list] },
        (page) => page && { ...page, items: of(page.items) },
      )
    }
  }
  return {
    put: (tenant: Tenant): void => {
      change((tenants) => tenants.map((one) => (one.id === tenant.id ? tenant : one)))
      queries.setQueryData(tenantQuery(tenant.id).queryKey, tenant)
    },
    drop: ({ id }: Tenant): void => {
      change((tenants) => tenants.filter((one) => one.id !== id))
      queries.removeQueries({ queryKey: tenantQuery(id).queryKey })
    },
    renew: (): void => {
      for (const name of ['tenants', 'me']) void queries.invalidateQueries({ queryKey: [name] })
    },
  }
}
