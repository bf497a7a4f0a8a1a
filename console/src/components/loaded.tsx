import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'

export interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** The height of the skeleton. */
  height: number
  children: (data: T) => ReactNode
}

/** Shows the answer of a query. While the query loads, shows a skeleton; after a failure, its error. */
export const Loaded = <T,>({ query: { data, error, refetch }, height, children }: LoadedProps<T>) => {
  if (data !== undefined) return children(data)
  return error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={height} />
}
