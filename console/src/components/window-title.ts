import { useEffect } from 'react'

/** Names the window after the page, and where it is, as in "Users · Acme · Tenantry". */
export const useWindowTitle = (...parts: (string | undefined)[]): void => {
  const title = [...parts, 'Tenantry'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
