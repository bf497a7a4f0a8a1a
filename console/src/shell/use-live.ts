import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { loadPart } from '../load-part.ts'
import { useIsWaiting } from '../session/ended.ts'
import { useInboxKey } from '../session/inbox.ts'
import { useScope } from '../session/scope.ts'

const load = loadPart(() => import('./live-events.ts'))

/** The page's own parts and requests come first. */
const delayMs = 1000

export const useLive = (): void => {
  const queries = useQueryClient()
  const inboxKey = useInboxKey()
  const { tenantId } = useScope()
  const isWaiting = useIsWaiting()
  const join = useEffectEvent(async (tenant: string, signal: AbortSignal) => {
    const { joinLive } = await load()
    await joinLive(tenant, { queries, inboxKey }, signal)
  })
  useEffect(() => {
    if (isWaiting) return undefined
    const leaving = new AbortController()
    // If the part cannot be loaded, the page works without the stream.
    const begin = (): void => void join(tenantId, leaving.signal).catch(() => undefined)
    const timer = setTimeout(begin, delayMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [tenantId, isWaiting])
}
