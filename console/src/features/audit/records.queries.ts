import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { AuditLog } from '@tenantry/client'
import { useRef } from 'react'
import { defaultPageSize } from '../../components/page-search.ts'
import { usePageChange } from '../../components/use-page-change.ts'
import { useNews, type News } from '../../components/list-news.tsx'
import { readNames } from '../../components/user-names.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'
import type { AuditFilters, RecordsSearch } from './audit.search.ts'
import type { NamedLog } from './actors.texts.ts'
import type { Change } from './audit.texts.ts'

/** A caller of another tenant, or an account, keeps the name of the record. */
const actorIdOf = ({ user_id: id, actor }: AuditLog): number => (actor?.kind === 'user' ? id : 0)

/** Kinds of resources whose ids are those of users. */
const usersResources = new Set(['account', 'auth', 'factor', 'user'])

/** The id of the user in the sentence of a record; 0 if the record lacks it. */
const subjectIdOf = ({ resource, resource_id, detail }: AuditLog): number => {
  const { from, to } = (detail['user_id'] ?? {}) as Change
  return Number(usersResources.has(resource) ? resource_id : (to ?? from)) || 0
}

/**
 * Adds the present names of users to records, with one request. Without `user:read`, or if the request fails, records
 * have only the names of their time.
 */
export const useWithNames = () => {
  const { api } = useScope()
  const mayRead = useMe().can('user:read')
  return async (logs: AuditLog[], signal: AbortSignal): Promise<NamedLog[]> => {
    const ids = mayRead ? logs.flatMap((log) => [actorIdOf(log), subjectIdOf(log)]) : []
    const names = await readNames(api, ids, signal).catch(() => new Map<number, string>())
    return logs.map((log) => ({
      ...log,
      present: { actor: names.get(actorIdOf(log)), subject: names.get(subjectIdOf(log)) },
    }))
  }
}

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
  const withNames = useWithNames()
  const { page = 1, size = defaultPageSize, before_id } = search
  const position = before_id === undefined ? { page } : { before_id }
  const query = { ...filters, include: 'actor' as const, page_size: size, ...position }
  const records = useQuery({
    queryKey: ['audit', tenantId, query],
    queryFn: async ({ signal }) => {
      const found = await api.audit.list(query, { signal })
      return { ...found, items: await withNames(found.items, signal) }
    },
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
  const withNames = useWithNames()
  const read = async (asked: number, signal: AbortSignal): Promise<NamedLog | undefined> => {
    const [record] = await withNames([await api.audit.get(asked, { include: 'actor' }, { signal })], signal)
    return record
  }
  return useQuery({
    queryKey: ['audit', tenantId, 'one', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => read(id, signal),
    staleTime: Infinity,
  })
}
