import { useEffect } from 'react'

export const useWindowTitle = (...parts: (string | undefined)[]): void => {
  const title = [...parts, 'Tenantry'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
