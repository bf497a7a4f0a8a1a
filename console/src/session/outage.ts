import { onlineManager } from '@tanstack/react-query'
import { ApiError } from '@tenantry/client'
import { createContext, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export interface Outage {
  /** Whether the service answers, but not its database. */
  isDatabase: boolean
  /** The time of the first failure, in the API's format. */
  since: string
}

let current: Outage | undefined
const listeners = new Set<() => void>()

const set = (outage: Outage | undefined): void => {
  current = outage
  for (const listener of listeners) listener()
}

const begin = (isDatabase: boolean): void => {
  if (current?.isDatabase !== isDatabase) {
    set({ isDatabase, since: current?.since ?? new Date().toISOString() })
  }
}

/** Whether no request would succeed at the moment: without a network, service or database. */
export const isOutage = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (['network', 'timeout', 'databaseUnavailable'].includes(error.reason) ||
    // A proxy answers in place of the service.
    (error.code === 0 && error.status >= 502))

export const noteAnswer = (): void => {
  if (current) set(undefined)
}

export const noteError = (error: unknown): void => {
  if (isOutage(error)) begin(error.reason === 'databaseUnavailable')
  else if (error instanceof ApiError && error.code !== 0) noteAnswer()
}

onlineManager.subscribe((isOnline) => {
  if (!isOnline) begin(false)
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useOutage = (): Outage | undefined => useSyncExternalStore(subscribe, () => current)

/** The outage that a banner on the page reports, so that the parts below it need not. */
export const ReportedOutage = createContext<Outage | undefined>(undefined)

/** Runs each time when an outage ends. */
export const useAfterOutage = (run: () => void): void => {
  const finish = useEffectEvent(run)
  useEffect(
    () =>
      subscribe(() => {
        if (!current) finish()
      }),
    [],
  )
}
