import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

/** Minutes: names hardly change. */
const staleTime = 300_000

/**
 * Names of users by their ids, for records that hold ids alone: one request a user, remembered. Who is unknown in the
 * tenant (deleted, or a platform administrator of another one) keeps their number.
 */
export const useUserNames = (ids: number[]): ((id: number) => string) => {
  const { t } = useTranslation()
  const { api, tenantId } = useScope()
  const me = useMe()
  const asked = me.can('user:read') ? [...new Set(ids)].filter((id) => id !== me.user.id && id > 0) : []
  const names = useQueries({
    queries: asked.map((id) => ({
      queryKey: ['users', tenantId, 'name', id],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const { nickname, username } = await api.users.get(id, { signal })
        return nickname || username
      },
      staleTime,
    })),
    combine: (results) => new Map(asked.map((id, index) => [id, results[index]?.data])),
  })
  return (id) => {
    if (id === 0) return t('common.nobody')
    if (id === me.user.id) return me.user.nickname || me.user.username
    return names.get(id) ?? t('common.userNumber', { id })
  }
}
