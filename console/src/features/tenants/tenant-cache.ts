import { useQueryClient } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { tenantsQuery } from '../../shell/tenants.ts'

/**
 * Updates lists and names after a change of tenants. Loading many tenants takes seconds, so the answer of the change
 * is put into the cache at once, and `renew` runs without anybody waiting.
 */
export const useTenantCache = () => {
  const queries = useQueryClient()
  const change = (of: (tenants: Tenant[]) => Tenant[]): void =>
    void queries.setQueryData(tenantsQuery.queryKey, (tenants) => tenants && of(tenants))
  return {
    put: (tenant: Tenant): void => {
      change((tenants) =>
        tenants.some(({ id }) => id === tenant.id)
          ? tenants.map((one) => (one.id === tenant.id ? tenant : one))
          : [...tenants, tenant],
      )
      queries.setQueryData(['tenants', 'one', tenant.id], tenant)
    },
    drop: ({ id }: Tenant): void => {
      change((tenants) => tenants.filter((one) => one.id !== id))
      queries.removeQueries({ queryKey: ['tenants', 'one', id] })
    },
    renew: (): void => {
      for (const name of ['tenants', 'me']) void queries.invalidateQueries({ queryKey: [name] })
    },
  }
}
