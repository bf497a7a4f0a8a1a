import { isId, pageSearch, type PageSearch } from '../../components/page-search.ts'

export interface NotificationsSearch extends PageSearch {
  view?: 'unread' | 'sent' | undefined
  id?: number | undefined
}

export const notificationsSearch = (raw: Record<string, unknown>): NotificationsSearch => ({
  ...pageSearch(raw),
  ...(raw['view'] === 'unread' || raw['view'] === 'sent' ? { view: raw['view'] } : {}),
  ...(isId(raw['id']) ? { id: raw['id'] } : {}),
})
