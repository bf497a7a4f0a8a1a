import { useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { useMe } from '../../session/me.ts'

/** Whether the caller may ask for support sessions. */
export const useCanAsk = (): boolean => {
  const { can } = useMe()
  return can('support:view') || can('support:act')
}

/** Whether the page is in the navigation: with a permission, or once somebody has asked about the caller. */
export const useHasSupport = (): boolean => {
  const { user, can, reaches } = useMe()
  const isHolder = useCanAsk() || can('support:allow')
  const { data } = useQuery({
    queryKey: ['support', 'own', user.id],
    queryFn: ({ signal }) => client.support.sessions({ user_id: user.id, page_size: 1 }, { signal }),
    enabled: !isHolder && reaches('listSupportSessions'),
    staleTime: 300_000,
  })
  return isHolder || (data?.total ?? 0) > 0
}
