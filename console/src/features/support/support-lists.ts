/** The lists of the page, apart from the hooks that the frame loads with every page. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SupportSession } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import { useCanAsk } from './support.queries.ts'
import type { Status, SupportSearch } from './support.search.ts'

/**
 * The filter of the list that the caller may read in the tenant in scope. Undefined if there is none.
 */
const useListed = (): { user_id?: number } | undefined => {
  const { can, user } = useMe()
  const { isOwn } = useScope()
  if (can('support:allow') || can('audit:read')) return {}
  return isOwn ? { user_id: user.id } : undefined
}

export const useSupportSessions = ({ page, size = defaultPageSize, status, mine }: SupportSearch) => {
  const { api, tenantId } = useScope()
  const listed = useListed()
  const isMine = mine === true || listed === undefined
  const query = { page, page_size: size, status, ...(isMine ? { mine: true } : listed) }
  return useQuery({
    queryKey: ['support', tenantId, query],
    queryFn: ({ signal }) => (isMine ? client : api).support.sessions(query, { signal }),
    placeholderData: keepPreviousData,
  })
}

const openStatuses = ['waiting', 'ready', 'active'] as const

/** A session whose right is lost is in the list of the active ones, but over. */
const isOpen = (status: Status): boolean => openStatuses.some((one) => one === status)

/** A list with all that are open: no stream reports an answer to those who asked from another tenant. */
const openMs = 5000

type List = (query: { status: (typeof openStatuses)[number]; page_size: number }) => Promise<{
  items: SupportSession[]
}>

const readOpen = async (list: List): Promise<SupportSession[]> => {
  const pages = await Promise.all(openStatuses.map((status) => list({ status, page_size: 100 })))
  return pages.flatMap(({ items }) => items).filter(({ status }) => isOpen(status))
}

/** The support sessions that wait or run: own ones in every tenant, and those of the tenant in scope. */
export const useOpenSessions = () => {
  const { api, tenantId } = useScope()
  const { user } = useMe()
  const listed = useListed()
  const canAsk = useCanAsk()
  return useQuery({
    queryKey: ['support', tenantId, 'open', user.id],
    queryFn: async ({ signal }) => {
      const mine: List = (query) => client.support.sessions({ ...query, mine: true }, { signal })
      const others: List = (query) => api.support.sessions({ ...query, ...listed }, { signal })
      const own = canAsk ? await readOpen(mine) : []
      const seen = new Set(own.map(({ id }) => id))
      const rest = listed ? await readOpen(others) : []
      return [...own, ...rest.filter(({ id }) => !seen.has(id))]
    },
    refetchInterval: openMs,
  })
}

/** A support session with its requests: of the tenant in scope, or one that the caller asked for elsewhere. */
export const useSupportSession = (id: string) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['support', tenantId, 'one', id],
    queryFn: ({ signal }) => api.support.session(id, { include: 'requests' }, { signal }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data.status) && openMs,
  })
}
