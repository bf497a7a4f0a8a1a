import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useOpenablePages, useOpenPage } from './nav-pages.ts'

/** The user can disable shortcuts of single letters (WCAG 2.2, 2.1.4). */
export const useShortcutsOn = () =>
  useLocalStorage({ key: 'tenantry.shortcuts', defaultValue: true, getInitialValueInEffect: false })

/** The time in which the second key of a shortcut must follow. */
const followMs = 1500

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

/** True while a window, menu or list is open, because these have keys of their own. */
const isCovered = (): boolean =>
  document.querySelector('[aria-modal=true], [role=menu], [role=listbox]') !== null

const isOwnKey = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented

/** Focuses the search of the page. Returns false on a page that has none. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('#content input[type=search]')
  field?.select()
  return field !== null
}

interface ShortcutsProps {
  onSearch: () => void
  onHelp: () => void
}

/** `/` searches, `?` lists the shortcuts, and `g` followed by the key of a page opens that page. */
export const useShortcuts = ({ onSearch, onHelp }: ShortcutsProps): void => {
  const openPage = useOpenPage()
  const pages = useOpenablePages()
  const [isOn] = useShortcutsOn()
  const begunAt = useRef(-Infinity)
  const follow = (key: string): void => {
    const found = pages.find((page) => page.key === key)
    if (found) openPage(found)
  }
  const run = (event: KeyboardEvent): boolean => {
    const isSecond = event.timeStamp - begunAt.current < followMs
    begunAt.current = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity
    if (isSecond) follow(event.key)
    else if (event.key === '?') onHelp()
    else if (event.key !== '/') return false
    else if (!focusSearch()) onSearch()
    return true
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn || isOwnKey(event) || isTyping(event) || isCovered()) return
    // Without this, the newly focused field would receive the letter.
    if (run(event)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
