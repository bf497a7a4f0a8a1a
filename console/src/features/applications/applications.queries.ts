import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import type { ApplicationsSearch } from './applications.search.ts'

/** Applications belong to the installation: they do not depend on the tenant in scope. */
export const useApplications = (
  { page, size = defaultPageSize, search, kind, status, registered }: ApplicationsSearch,
  enabled = true,
) => {
  const query = { page, page_size: size, search, kind, status, is_registered: registered === true }
  return useQuery({
    queryKey: ['applications', 'page', query],
    queryFn: ({ signal }) => client.applications.list(query, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

export const useApplication = (id: number) =>
  useQuery({
    queryKey: ['applications', 'one', id],
    queryFn: ({ signal }) => client.applications.get(id, { include: 'is_registered' }, { signal }),
  })

export const useResources = ({ page, size = defaultPageSize }: PageSearch) => {
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['resources', query],
    queryFn: ({ signal }) => client.resources.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** All resources: an installation has at most one page of them. */
export const useAllResources = () => useResources({ size: 200 })

/** The address by which applications know this installation. */
export const useIssuer = () =>
  useQuery({
    queryKey: ['issuer'],
    queryFn: async ({ signal }) => (await client.auth.serverMetadata({ signal })).issuer,
    staleTime: Infinity,
  })

export const daySeconds = 86_400

/** A session ends this many days after its last refresh, at most 90. */
export const daysOf = (seconds: number): number => Math.round((seconds / daySeconds) * 1000) / 1000
