import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useNamedPage } from '../components/window-title.ts'
import { useScope } from '../session/scope.ts'

interface RecentPage {
  href: string
  name: string
}

const recentMax = 6

/** The query cache keeps the pages, and is cleared when the session ends. Each tenant has pages of its own. */
const useRecentKey = () => ['recent', useScope().tenantId]

/** Remembers detail pages, such as that of a user. The navigation already links to all other pages. */
export const useRemembering = (): void => {
  const queries = useQueryClient()
  const queryKey = useRecentKey()
  const name = useNamedPage()
  const { pathname, href } = useLocation()
  const isDetail = pathname.split('/').length > 2
  const key = queryKey.join(' ')
  useEffect(() => {
    if (!name || !isDetail) return
    queries.setQueryData<RecentPage[]>(key.split(' '), (pages = []) => [
      { href, name },
      ...pages.filter((page) => page.href.split('?')[0] !== href.split('?')[0]).slice(0, recentMax),
    ])
  }, [queries, key, name, href, isDetail])
}

/** The last detail pages, without the current one. */
export const useRecent = (): RecentPage[] => {
  const queries = useQueryClient()
  const queryKey = useRecentKey()
  const { pathname } = useLocation()
  const pages = queries.getQueryData<RecentPage[]>(queryKey) ?? []
  return pages.filter(({ href }) => href.split('?')[0] !== pathname).slice(0, recentMax)
}
