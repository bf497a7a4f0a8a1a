/** Whether the session has ended under a page with unsaved work, which waits for its person to sign in again. */
import { useSyncExternalStore } from 'react'

let isWaiting = false
const listeners = new Set<() => void>()

const set = (waiting: boolean): void => {
  isWaiting = waiting
  for (const listener of listeners) listener()
}

export const waitForSignIn = (): void => set(true)

/** The same person has signed in again, or has given up the work. */
export const goOn = (): void => set(false)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useIsWaiting = (): boolean => useSyncExternalStore(subscribe, () => isWaiting)
