import { useEffect, useSyncExternalStore } from 'react'
import { isolated } from '../isolate.ts'
import { useBrand } from '../session/portal.ts'

let named: string | undefined
const listeners = new Set<() => void>()

const set = (name: string | undefined): void => {
  named = name
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Sets the window's title to the heading of the open page, such as the name of a user. */
export const useNameOfPage = (name: string): void => {
  useEffect(() => {
    set(name)
    return () => set(undefined)
  }, [name])
}

/** The heading of the open page; undefined while it loads. */
export const useNamedPage = (): string | undefined => useSyncExternalStore(subscribe, () => named)

export const useWindowTitle = (...parts: (string | undefined)[]): void => {
  const { product } = useBrand()
  const title = [...parts, product]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => isolated(part ?? ''))
    .join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
