import { useSyncExternalStore } from 'react'

const storageKey = 'tenantry.timeZone'

const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const read = (): string | undefined => {
  const stored = localStorage.getItem(storageKey)
  return stored !== null && isTimeZone(stored) ? stored : undefined
}

let chosen = read()
const listeners = new Set<() => void>()

const renew = (): void => {
  chosen = read()
  for (const tell of listeners) tell()
}

// Another tab has chosen.
addEventListener('storage', ({ key }) => key === storageKey && renew())

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The time zone in which this browser shows and takes times; undefined for that of the system. */
export const useTimeZone = (): string | undefined => useSyncExternalStore(subscribe, () => chosen)

/** Shows and takes all times in this time zone from now on. Undefined follows the system again. */
export const chooseTimeZone = (name: string | undefined): void => {
  if (name === undefined) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, name)
  renew()
}
