import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client } from './client.ts'
import { useMe } from './me.ts'

/** What one tab reads or deletes shows in the others without waiting for their next look. */
const channel = new BroadcastChannel('tenantry.inbox')

/** Notifications are the caller's own: whichever tenant is in scope, they lie in their own one. */
export const useInboxKey = () => ['notifications', useMe().user.id] as const

/** Asked while the tab is seen: every half minute, and when somebody comes back to it. */
export const useUnread = () =>
  useQuery({
    queryKey: [...useInboxKey(), 'unread'],
    queryFn: ({ signal }) => client.notifications.unreadCount({ signal }),
    refetchInterval: 30_000,
  })

/** Renews everything about the inbox in this tab, and tells the others. */
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
