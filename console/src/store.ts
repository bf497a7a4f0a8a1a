import { useSyncExternalStore } from 'react'

/** A value outside React. After each `set`, `useValue` draws its component again. */
export const createStore = <Value>(initial: Value) => {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get: (): Value => value,
    set: (next: Value): void => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe,
    useValue: (): Value => useSyncExternalStore(subscribe, () => value),
  }
}
