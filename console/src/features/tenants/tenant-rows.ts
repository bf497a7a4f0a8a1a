import { useQuery } from '@tanstack/react-query'
import type { Tenant } from '@tenantry/client'
import { useMemo } from 'react'
import { pageOf } from '../../components/page-search.ts'
import type { Rows } from '../../components/table-model.ts'
import { findTenants, tenantsQuery } from '../../shell/tenants.ts'
import type { TenantsSearch } from './tenants.search.ts'

/** Sorts "Tenant 2" before "Tenant 10". One collator serves the 100,000 comparisons of 10,000 tenants. */
const { compare } = new Intl.Collator(undefined, { numeric: true })

const orders: Record<string, (one: Tenant, other: Tenant) => number> = {
  name: (one, other) => compare(one.name, other.name),
  slug: (one, other) => compare(one.slug, other.slug),
  status: (one, other) => other.status - one.status,
  created: (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  updated: (one, other) => Date.parse(one.updated_at) - Date.parse(other.updated_at),
}

const sorted = (tenants: Tenant[], sort: string): Tenant[] => {
  const isDescending = sort.startsWith('-')
  const order = orders[isDescending ? sort.slice(1) : sort]
  if (!order) return tenants
  return tenants.toSorted(isDescending ? (one, other) => order(other, one) : order)
}

/** The page of tenants that the address names, searched and sorted here: the API returns all at once. */
export const useTenantRows = (view: TenantsSearch): Rows<Tenant> => {
  const { search = '', status, sort = 'name' } = view
  const { data, error, refetch } = useQuery(tenantsQuery)
  const all = useMemo(() => data && sorted(data, sort), [data, sort])
  const found = useMemo(
    () =>
      all &&
      findTenants(all, search, Infinity).filter((tenant) => status === undefined || tenant.status === status),
    [all, search, status],
  )
  return { data: found && pageOf(found, view), error, isPlaceholderData: false, refetch }
}
