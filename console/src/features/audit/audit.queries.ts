import { skipToken, useQuery } from '@tanstack/react-query'
import { useTranslation } from '../../translation.ts'
import { useCallers } from '../users/users.queries.ts'
import { useMe } from '../../session/me.ts'
import { useScope } from '../../session/scope.ts'

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
