import { onlineManager } from '@tanstack/react-query'
import { ApiError } from '@tenantry/client'
import { createContext, useEffect, useEffectEvent } from 'react'
import { createStore } from '../store.ts'

export interface Outage {
  /** True if the service answers, but its database does not. */
  isDatabase: boolean
  /** The time of the first failure, in the API's format. */
  since: string
}

const { get, set, subscribe, useValue } = createStore<Outage | undefined>(undefined)

const begin = (isDatabase: boolean): void => {
  if (get()?.isDatabase !== isDatabase) {
    set({ isDatabase, since: get()?.since ?? new Date().toISOString() })
  }
}

/** True if network, service or database does not answer, so that no request succeeds. */
export const isOutage = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (['network', 'timeout', 'databaseUnavailable'].includes(error.reason) ||
    // A proxy answered instead of the service.
    (error.code === 0 && error.status >= 502))

export const noteAnswer = (): void => {
  if (get()) set(undefined)
}

export const noteError = (error: unknown): void => {
  if (isOutage(error)) begin(error.reason === 'databaseUnavailable')
  else if (error instanceof ApiError && error.code !== 0) noteAnswer()
}

onlineManager.subscribe((isOnline) => {
  if (!isOnline) begin(false)
})

export const useOutage = useValue

/** The outage that the page's banner reports. Parts below the banner do not report it again. */
export const ReportedOutage = createContext<Outage | undefined>(undefined)

/** Runs the function whenever an outage ends. */
export const useAfterOutage = (run: () => void): void => {
  const finish = useEffectEvent(run)
  useEffect(
    () =>
      subscribe(() => {
        if (!get()) finish()
      }),
    [],
  )
}
