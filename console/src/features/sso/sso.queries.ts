import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Attempt, Connection, DirectoryGroup, Domain, UpdateConnection } from '@tenantry/client'
import { defaultPageSize, type PageSearch } from '../../components/page-search.ts'
import { useScope } from '../../session/scope.ts'
import { useRenew } from '../../components/use-renew.ts'

/** The domains of the tenant; at most 20. */
export const useDomains = (enabled = true) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'domains'],
    queryFn: ({ signal }) => api.sso.domains({ signal }),
    enabled,
  })
}

export const isProved = ({ status }: Domain): boolean => status === 'verified'

/** The connections of the tenant; at most 5. */
export const useConnections = (enabled = true) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'connections'],
    queryFn: ({ signal }) => api.sso.connections({ signal }),
    enabled,
  })
}

/** The setup links of the tenant: the open ones, then the last that ended. */
export const useSetupLinks = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'setup-links'],
    queryFn: ({ signal }) => api.sso.setupLinks({ signal }),
  })
}

export const useConnection = (id: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'connection', id],
    queryFn: ({ signal }) => api.sso.connection(id, { include: 'directory' }, { signal }),
  })
}

/** Changes a connection, and refreshes its queries. */
export const useUpdateConnection = ({ id }: Connection, onDone: () => void) => {
  const { api } = useScope()
  const renew = useRenew()
  return useMutation({
    mutationFn: (changes: UpdateConnection) => api.sso.updateConnection(id, changes),
    onSuccess: async () => {
      onDone()
      await renew()
    },
  })
}

/** Other people sign in meanwhile, so the list polls while the tab is visible. */
const listMs = 30_000

/** The sign-ins by a connection, the newest first. The service keeps the last 200. */
export const useAttempts = (
  id: string,
  { page, size = defaultPageSize }: PageSearch,
  refetchInterval: number = listMs,
  enabled = true,
) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['sso', tenantId, 'attempts', id, query],
    queryFn: ({ signal }) => api.sso.attempts(id, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval,
    enabled,
  })
}

export const everyAttempt = { size: 200 }

export const isTest = ({ outcome }: Attempt): boolean => outcome.startsWith('test_')

/** Whether the newest test of a connection passed. */
export const useHasPassed = (id: string | undefined): boolean => {
  const { data } = useAttempts(id ?? '', everyAttempt, listMs, id !== undefined)
  return data?.items.find(isTest)?.outcome === 'test_passed'
}

export const useGroups = ({ page, size = defaultPageSize }: PageSearch, enabled = true) => {
  const { api, tenantId } = useScope()
  const query = { page, page_size: size }
  return useQuery({
    queryKey: ['sso', tenantId, 'groups', query],
    queryFn: ({ signal }) => api.directories.directoryGroups(query, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

const pageSizeMax = 200

/** All groups of the directory. The service keeps at most 5,000. */
export const useAllGroups = (enabled = true) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'groups', 'all'],
    queryFn: async ({ signal }) => {
      const all: DirectoryGroup[] = []
      let total = Infinity
      for (let page = 1; all.length < total; page += 1) {
        const answer = await api.directories.directoryGroups({ page, page_size: pageSizeMax }, { signal })
        all.push(...answer.items)
        total = answer.items.length === 0 ? 0 : answer.total
      }
      return all
    },
    staleTime: 60_000,
    enabled,
  })
}

/** The break-glass users; at most 3. */
export const useExemptions = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'exemptions'],
    queryFn: ({ signal }) => api.sso.exemptions({ signal }),
  })
}

/** The sessions that the requirement of single sign-on would end. Each use asks again, because sessions come and go. */
export const useRequirementEffect = () => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['sso', tenantId, 'requirement'],
    queryFn: ({ signal }) => api.sso.requirementEffect({ signal }),
    gcTime: 0,
  })
}
