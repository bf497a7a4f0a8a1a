import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { defaultPageSize } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import { useInboxKey } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import type { NotificationsSearch } from './notifications.search.ts'

export const useNotifications = ({ page = 1, size = defaultPageSize, view }: NotificationsSearch) => {
  const userId = useMe().user.id
  return useQuery({
    queryKey: [...useInboxKey(), { page, size, view }],
    queryFn: ({ signal }) => {
      const filter = view === 'unread' ? { is_read: false } : {}
      return client.notifications.list(
        userId,
        { ...filter, include: 'sender', page, page_size: size },
        { signal },
      )
    },
    placeholderData: keepPreviousData,
  })
}

export const useNotification = (id: number) =>
  useQuery({
    queryKey: [...useInboxKey(), 'one', id],
    queryFn: ({ signal }) => client.notifications.get(id, { include: 'sender' }, { signal }),
  })
