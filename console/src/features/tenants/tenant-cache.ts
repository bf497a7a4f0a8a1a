import { useQueryClient } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { tenantsQuery } from '../../shell/tenants.ts'

/**
 * After a change of tenants. All of them take seconds to ask for again where there are many, so what is shown is changed by
 * the answer at once, and nobody waits for `renew`: for their lists and names, the own one's in the frame among them.
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
