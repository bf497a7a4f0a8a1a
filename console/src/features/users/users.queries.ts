import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@tenantry/client'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../../format.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

export const useUser = (id: number) => {
  const { api, tenantId } = useScope()
  return useQuery({
    queryKey: ['users', tenantId, 'one', id],
    queryFn: ({ signal }) => api.users.get(id, { signal }),
  })
}

/** Refreshes users and role holders; also the caller, if they changed themselves. */
export const useRenewUsers = () => {
  const queries = useQueryClient()
  const { tenantId } = useScope()
  const me = useMe()
  return async (id?: number): Promise<void> => {
    const keys = [['users', tenantId], ['roles', tenantId], ...(id === me.user.id ? [['me']] : [])]
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
}

/** Five minutes, because names rarely change. */
const staleTime = 300_000

/** A user or a service account. Their ids come from one sequence, and a record holds the id alone. */
interface Caller {
  name: string
  isAccount: boolean
}

/** Asks for a service account only where no user has the id. */
const useReadCaller = () => {
  const { api } = useScope()
  const { can } = useMe()
  const isOther = (error: unknown): boolean =>
    can('service_account:read') && error instanceof ApiError && error.reason === 'userUnknown'
  return async (id: number, signal: AbortSignal): Promise<Caller> => {
    try {
      if (can('user:read')) return { name: nameOf(await api.users.get(id, { signal })), isAccount: false }
    } catch (error) {
      if (!isOther(error)) throw error
    }
    const { name } = await api.serviceAccounts.get(id, { signal })
    return { name, isAccount: true }
  }
}

/**
 * Users and service accounts by id, for records that hold ids alone; each is asked for once. One that is unknown in the
 * tenant keeps the number: a deleted one, or one of another tenant that may enter this one.
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
    if (id === 0) return { name: t('common.nobody'), isAccount: false }
    if (id === user.id) return { name: nameOf(user), isAccount: false }
    return found.get(id) ?? { name: t('common.userNumber', { id }), isAccount: false }
  }
}

export const useCallerNames = (ids: number[]): ((id: number) => string) => {
  const callerOf = useCallers(ids)
  return (id) => callerOf(id).name
}
