import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Notification, Page } from '@tenantry/client'
import { defaultPageSize } from '../../components/page-search.ts'
import { client } from '../../session/client.ts'
import { useInboxKey } from '../../session/inbox.ts'
import { useMe } from '../../session/me.ts'
import type { NotificationsSearch } from './notifications.routes.ts'

/** The API cannot filter by what is read, so unread ones are looked for among the latest; older ones are hardly missed. */
export const unreadAmong = 1000

interface Asked {
  userId: number
  page: number
  size: number
}

const findUnread = async (
  { userId, page, size }: Asked,
  signal: AbortSignal,
): Promise<Page<Notification>> => {
  const { count } = await client.notifications.unreadCount({ signal })
  const unread: Notification[] = []
  let seen = 0
  for await (const one of client.notifications.all(userId, {}, { signal })) {
    if (unread.length === count || seen === unreadAmong) break
    seen += 1
    if (!one.is_read) unread.push(one)
  }
  return {
    items: unread.slice((page - 1) * size, page * size),
    total: unread.length,
    page,
    isCapped: unread.length < count,
  }
}

/** The own notifications that the address names. */
export const useNotifications = ({ page = 1, size = defaultPageSize, view }: NotificationsSearch) => {
  const userId = useMe().user.id
  return useQuery({
    queryKey: [...useInboxKey(), { page, size, view }],
    queryFn: ({ signal }) =>
      view === 'unread'
        ? findUnread({ userId, page, size }, signal)
        : client.notifications.list(userId, { page, page_size: size }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const useNotification = (id: number) =>
  useQuery({
    queryKey: [...useInboxKey(), 'one', id],
    queryFn: ({ signal }) => client.notifications.get(id, { signal }),
  })
