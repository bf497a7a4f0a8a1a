import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { loadPart } from '../load-part.ts'
import { useInboxKey } from '../session/inbox.ts'
import { useScope } from '../session/scope.ts'

const load = loadPart(() => import('./hearing.ts'))

/** The page's own parts and requests go first. */
const delayMs = 1000

/** Brings the live stream of the tenant in scope onto the page. */
export const useLive = (): void => {
  const queries = useQueryClient()
  const inboxKey = useInboxKey()
  const { tenantId } = useScope()
  const hear = useEffectEvent(async (tenant: string, signal: AbortSignal) => {
    const { hearLive } = await load()
    await hearLive(tenant, { queries, inboxKey }, signal)
  })
  useEffect(() => {
    const leaving = new AbortController()
    // A part that cannot be loaded leaves the page as it is without the stream.
    const begin = (): void => void hear(tenantId, leaving.signal).catch(() => undefined)
    const timer = setTimeout(begin, delayMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [tenantId])
}
