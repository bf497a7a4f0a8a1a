import { useEffect, useRef } from 'react'

/** Moves the focus to the new page, as the browser does for a new document: keyboard and screen reader begin there. */
export const useFocusOnChange = (pathname: string): void => {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('content')?.focus()
  }, [pathname])
}

/** The time in which windows and menus return the focus themselves after they close. */
const handOnMs = 100

const focusContainer = (): void => {
  const windows = document.querySelectorAll<HTMLElement>('[role=dialog]')
  const container = [...windows].at(-1) ?? document.getElementById('content')
  container?.focus({ preventScroll: true })
}

/** If the focused element disappears, its window or page gets the focus. */
export const useFocusKept = (): void => {
  useEffect(() => {
    let last: Element | null = null
    const note = (): void => void (last = document.activeElement)
    const keep = (): void => {
      if (last && !last.isConnected && document.activeElement === document.body) focusContainer()
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected) return
      clearTimeout(timer)
      timer = setTimeout(keep, handOnMs)
    })
    observer.observe(document.body, { childList: true, subtree: true })
    document.addEventListener('focusin', note)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      document.removeEventListener('focusin', note)
    }
  }, [])
}
