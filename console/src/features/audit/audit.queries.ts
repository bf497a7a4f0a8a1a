import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { defaultPageSize } from '../../components/page-search.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { useNews, type News } from '../../components/list-news.tsx'
import { useTranslation } from '../../translation.ts'
import { useCallers } from '../users/users.queries.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { AuditFilters, RecordsSearch } from './audit.search.ts'

type Loaded = Parameters<typeof useNews>[1] & { data: { items: { id: number }[] } | undefined }

/** Undefined for a filtered list, because a live change lacks fields that some filters need. */
const useNewRecords = (
  filters: AuditFilters,
  { before_id }: RecordsSearch,
  records: Loaded,
): News | undefined => {
  // A page of older records does not show the newest one.
  const lastId = before_id === undefined ? records.data?.items[0]?.id : undefined
  const news = useNews([], records, lastId)
  return Object.values(filters).some((filter) => filter !== undefined) ? undefined : news
}

/**
 * A page of audit records, and a function that opens another page. The next page is requested by `before_id`, at
 * constant cost. A page that the user opens directly is requested by number (docs/contract.md, "Paged lists"). Every
 * change adds a record, so each visit requests the page again.
 */
export const useRecords = (filters: AuditFilters, search: RecordsSearch) => {
  const { api, tenantId } = useScope()
  const { page = 1, size = defaultPageSize, before_id } = search
  const position = before_id === undefined ? { page } : { before_id }
  const query = { ...filters, include: 'actor' as const, page_size: size, ...position }
  const records = useQuery({
    queryKey: ['audit', tenantId, query],
    queryFn: ({ signal }) => api.audit.list(query, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const begins = useRef(new Map<string, number | undefined>())
  const keyOf = (number: number): string => JSON.stringify([filters, size, number])
  const onPage = usePageChange((next) => {
    begins.current.set(keyOf(page), before_id)
    if (!records.isPlaceholderData) begins.current.set(keyOf(page + 1), records.data?.items.at(-1)?.id)
    return { before_id: begins.current.get(keyOf(next.page ?? 1)) }
  })
  return { records, onPage, news: useNewRecords(filters, search, records) }
}

/** Records never change, so each record is requested only once. */
export const useRecord = (id: number | undefined) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['audit', tenantId, 'one', id],
    queryFn:
      id === undefined ? skipToken : ({ signal }) => api.audit.get(id, { include: 'actor' }, { signal }),
    staleTime: Infinity,
  })
}

/** The caller's name in the caller's last record; "" if there is no record. */
const readLastName = async (
  api: ReturnType<typeof useScope>['api'],
  id: number,
  signal: AbortSignal,
): Promise<string> => {
  const { items } = await api.audit.list({ user_id: id, include: 'actor', page_size: 1 }, { signal })
  return items[0]?.actor?.name ?? ''
}

/** The name in the last record of a caller. Undefined while it loads, and without an id or `audit:read`. */
const useLastName = (id: number | undefined): string | undefined => {
  const { api, tenantId } = useScope()
  const mayRead = useMe().can('audit:read')
  return useQuery({
    queryKey: ['audit', tenantId, 'name', id],
    queryFn: id !== undefined && mayRead ? ({ signal }) => readLastName(api, id, signal) : skipToken,
    staleTime: Infinity,
  }).data
}

/** The current name of a caller. For a deleted user, or one of another tenant, the name in the last record. */
export const useActorName = (id = 0): string => {
  const { t } = useTranslation()
  const caller = useCallers(id === 0 ? [] : [id])(id)
  const lastName = useLastName(caller.isAbsent ? id : undefined)
  if (id === 0) return t('common.nobody')
  return caller.isKnown ? caller.name : lastName || caller.name
}
