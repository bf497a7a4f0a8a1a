import { useMatches } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** What the page that is shown says of itself (`staticData` of its route). */
export const usePageData = () => useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} })

export const usePageTitle = (): string | undefined => {
  const { t } = useTranslation()
  const { title } = usePageData()
  return title && t(title)
}

/** Moves the focus to what is new, as loading a page does, so that keyboard and screen reader begin there. */
export const useFocusOnChange = (pathname: string): void => {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('content')?.focus()
  }, [pathname])
}
