import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, type Tenant } from '@tenantry/client'
import { client } from '../session/client.ts'
import { useMe } from '../session/me.ts'
import { useScope } from '../session/scope.ts'
import { useTranslation } from '../translation.ts'

export const tenantQuery = (id: string) =>
  queryOptions({
    queryKey: ['tenants', 'one', id],
    queryFn: ({ signal }) => client.tenants.get(id, { signal }),
    staleTime: 60_000,
  })

/** The first tenants that match the text, by name. The service searches all of them. */
export const useTenantSearch = (text: string, limit: number, isAsked: boolean) => {
  const sought = text.trim()
  const [search] = useDebouncedValue(sought, 200)
  const { data, error, isFetching } = useQuery({
    queryKey: ['tenants', 'found', search, limit],
    queryFn: ({ signal }) => client.tenants.find({ search, page_size: limit, sort: 'name' }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { data, error, isPending: isAsked && (sought !== search || isFetching) }
}

/**
 * The tenant in scope. Undefined while it loads, or if it does not exist: `missing` is then the answer. Without
 * `tenant:read`, the tenant's id replaces its name.
 */
export const useScopeTenant = () => {
  const { tenant: own, can } = useMe()
  const { tenantId, isOwn } = useScope()
  const canRead = can('tenant:read')
  const asked = useQuery({ ...tenantQuery(tenantId), enabled: !isOwn && canRead })
  const tenant = isOwn ? own : asked.data
  const name = tenant?.name ?? (canRead ? undefined : tenantId)
  const isUnknown = !isOwn && (asked.isError || !canRead)
  return { tenant, name, isUnknown, missing: missingOf(asked.error), isOwn }
}

const missingOf = (error: unknown): ApiError | undefined =>
  error instanceof ApiError && error.reason === 'tenantUnknown' ? error : undefined

/** The name of the tenant in scope, as the frame shows it. */
export const useScopeName = (): string => {
  const { t } = useTranslation()
  const { name, isUnknown } = useScopeTenant()
  return name ?? (isUnknown ? t('shell.tenantUnknown') : '…')
}

/** Tenants whose name or slug contains the text, in their order. */
export const findTenants = <T extends Pick<Tenant, 'name' | 'slug'>>(tenants: T[], text: string): T[] => {
  const sought = text.trim().toLowerCase()
  return tenants.filter(({ name, slug }) => name.toLowerCase().includes(sought) || slug.includes(sought))
}

/**
 * Names a file after its contents, the tenant in scope and the day, so that files of several tenants have different
 * names.
 */
export const useFileName = () => {
  const { tenant } = useScopeTenant()
  return (contents: string): string =>
    [contents, tenant?.slug, new Date().toISOString().slice(0, 10)].filter(Boolean).join('-')
}
