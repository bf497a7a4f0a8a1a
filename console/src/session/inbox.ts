import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client } from './client.ts'
import { useIsLive } from './live.ts'
import { useMe } from './me.ts'

/** Informs other tabs about read and deleted notifications before their next refresh. */
const channel = new BroadcastChannel('tenantry.inbox')

/** Notifications belong to the caller's own tenant, also while another tenant is in scope. */
export const useInboxKey = () => ['notifications', useMe().user.id] as const

/**
 * The live stream sends the count. Without the stream, the query refetches while the tab is visible: every 30 seconds,
 * and when the user returns to the tab.
 */
export const useUnread = () => {
  const isLive = useIsLive()
  return useQuery({
    queryKey: [...useInboxKey(), 'unread'],
    queryFn: ({ signal }) => client.notifications.unreadCount({ signal }),
    ...(isLive ? { staleTime: Infinity } : { refetchInterval: 30_000 }),
  })
}

export const useRenewInbox = () => {
  const queries = useQueryClient()
  const queryKey = useInboxKey()
  return (): Promise<void> => {
    channel.postMessage('changed')
    return queries.invalidateQueries({ queryKey })
  }
}

export const useInboxOfOtherTabs = (): void => {
  const queries = useQueryClient()
  useEffect(() => {
    const renew = (): void => void queries.invalidateQueries({ queryKey: ['notifications'] })
    channel.addEventListener('message', renew)
    return () => channel.removeEventListener('message', renew)
  }, [queries])
}

const useInboxWork = <Input>(work: (input: Input) => Promise<unknown>) => {
  const renew = useRenewInbox()
  return useMutation({ mutationFn: work, onSuccess: renew })
}

export const useMarkRead = () => useInboxWork((id: number) => client.notifications.markRead(id))
export const useReadAll = () => useInboxWork(() => client.notifications.markAllRead())
export const useDeleteNotification = () => useInboxWork((id: number) => client.notifications.delete(id))
