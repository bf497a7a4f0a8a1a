import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

/** Includes the security of the account if the caller may see it. */
export const useUser = (id: number) => {
  const { api, tenantId } = useScope()
  const query = useMe().can('user:update') ? ({ include: 'security' } as const) : {}
  return useQuery({
    queryKey: ['users', tenantId, 'one', id],
    queryFn: ({ signal }) => api.users.get(id, query, { signal }),
  })
}

/** Five minutes, because names rarely change. */
const staleTime = 300_000

/** A user or a service account. Their ids come from one counter, and a record holds only the id. */
interface Caller {
  name: string
  isAccount: boolean
  /** True if the caller may read this user or account. Otherwise `name` is only the number. */
  isKnown: boolean
  /** True if the caller finds no such user or account here. False while it loads. */
  isAbsent: boolean
}

const foundAs = (name: string, { isAccount }: Pick<Caller, 'isAccount'>): Caller => ({
  name,
  isAccount,
  isKnown: true,
  isAbsent: false,
})

const pageSize = 200

/** The names of all service accounts, requested once. */
const useReadAccounts = () => {
  const queries = useQueryClient()
  const { api, tenantId } = useScope()
  const readAll = async (): Promise<Map<number, string>> => {
    const names = new Map<number, string>()
    for (let page = 1; ; page += 1) {
      const { items } = await api.serviceAccounts.list({ page, page_size: pageSize })
      for (const { id, name } of items) names.set(id, name)
      if (items.length < pageSize) return names
    }
  }
  return () =>
    queries.query({ queryKey: ['service-accounts', tenantId, 'names'], queryFn: readAll, staleTime })
}

/**
 * Looks users up by lists, because the browser logs a 404 but not an empty list. Null if the caller may not read the id
 * here, for example a deleted user's.
 */
const useReadCaller = () => {
  const { api } = useScope()
  const { can } = useMe()
  const readAccounts = useReadAccounts()
  return async (id: number, signal: AbortSignal): Promise<Caller | null> => {
    if (can('user:read')) {
      const query = { page_size: 1, ...(id > 1 && { after_id: id - 1 }) }
      const user = (await api.users.list(query, { signal })).items.find((one) => one.id === id)
      if (user) return foundAs(nameOf(user), { isAccount: false })
    }
    const account = can('service_account:read') ? (await readAccounts()).get(id) : undefined
    return account === undefined ? null : foundAs(account, { isAccount: true })
  }
}

/**
 * Users and service accounts by id, for records that hold only ids. Each id is requested once. The name of an unknown
 * caller is the number: the caller was deleted, or belongs to another tenant and may enter this one.
 */
export const useCallers = (ids: number[]): ((id: number) => Caller) => {
  const { t } = useTranslation()
  const { tenantId } = useScope()
  const { user, can } = useMe()
  const read = useReadCaller()
  const isAsking = can('user:read') || can('service_account:read')
  const asked = isAsking ? [...new Set(ids)].filter((id) => id !== user.id && id > 0) : []
  const found = useQueries({
    queries: asked.map((id) => ({
      queryKey: ['users', tenantId, 'caller', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => read(id, signal),
      staleTime,
    })),
    combine: (results) => new Map(asked.map((id, index) => [id, results[index]?.data])),
  })
  return (id) => {
    const unknown = { isAccount: false, isKnown: false }
    if (id === 0) return { ...unknown, name: t('common.nobody'), isAbsent: false }
    if (id === user.id) return foundAs(nameOf(user), { isAccount: false })
    const isAbsent = !isAsking || found.get(id) === null
    return found.get(id) ?? { ...unknown, name: t('common.userNumber', { id }), isAbsent }
  }
}

export const useCallerNames = (ids: number[]): ((id: number) => string) => {
  const callerOf = useCallers(ids)
  return (id) => callerOf(id).name
}
