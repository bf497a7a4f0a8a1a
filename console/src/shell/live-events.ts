/** Applies the events of the live stream to the query cache. Loaded after the page. */
import type { QueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { noteChange, rung, setOpen } from '../session/live.ts'
import { meQuery } from '../session/me.ts'
import { takeOwnChange } from '../session/own-writes.ts'
import { joinStream, type LiveEvent } from '../session/stream.ts'

/** A change can concern all pages of a tenant at the same moment. Their requests are spread over this time. */
const spreadMs = 1000

/** Refreshes queries. A visible tab requests at once, a hidden tab when its user returns. */
const renew = (queries: QueryClient, queryKey: readonly unknown[]): void =>
  void queries.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' })

/** Tests whether the session continues, which any request shows. If it has ended, the SDK signs out. */
const probeSession = async (): Promise<void> => {
  if (await client.auth.session()) await client.profile.get().catch(() => undefined)
}

export interface Inbox {
  queries: QueryClient
  inboxKey: readonly unknown[]
}

const applyOpen = ({ queries, inboxKey }: Inbox, isFirst: boolean): void => {
  setOpen(true)
  // The stream does not send changes from before its opening.
  renew(queries, [...inboxKey, 'unread'])
  if (!isFirst) renew(queries, meQuery.queryKey)
}

const applyUnread = async (
  { queries, inboxKey }: Inbox,
  { count, notificationId }: Extract<LiveEvent, { kind: 'unread' }>,
): Promise<void> => {
  const queryKey = [...inboxKey, 'unread']
  // A running request can have read its answer before the change.
  await queries.cancelQueries({ queryKey })
  queries.setQueryData(queryKey, { count })
  if (notificationId === undefined) return
  renew(queries, [...inboxKey, 'latest'])
  noteChange({ id: notificationId, tenant_id: '', action: rung, resource: 'inbox' })
}

const applyChange = async ({ change }: Extract<LiveEvent, { kind: 'change' }>): Promise<void> => {
  if (!(await takeOwnChange(change.resource_id))) noteChange(change)
}

/** The service cannot name the missing changes, so every query is refreshed. */
const applyGap = (queries: QueryClient): void => renew(queries, [])

type Handlers = { [Kind in LiveEvent['kind']]: (event: Extract<LiveEvent, { kind: Kind }>) => unknown }

const createHandler = (inbox: Inbox): ((event: LiveEvent) => void) => {
  const { queries } = inbox
  const renewMe = (): void => renew(queries, meQuery.queryKey)
  let isOpen = false
  let isFirst = true
  const close = (): void => {
    isOpen = false
    setOpen(false)
  }
  const handlers: Handlers = {
    open: ({ isAgain }) => {
      if (!isOpen || isAgain) applyOpen(inbox, isFirst)
      isOpen = true
      isFirst = false
    },
    lost: close,
    end: ({ reason }) => {
      close()
      if (reason === 'signed_out') void probeSession()
      else if (reason === 'not_allowed') renewMe()
    },
    unread: (event) => applyUnread(inbox, event),
    authority: ({ isOfAll }) => setTimeout(renewMe, isOfAll ? Math.random() * spreadMs : 0),
    change: applyChange,
    gap: () => applyGap(queries),
    position: () => undefined,
  }
  return (event) => void (handlers[event.kind] as (event: LiveEvent) => unknown)(event)
}

/** Joins the live stream. Without Web Locks, or without the stream, the page keeps polling. */
export const joinLive = async (tenantId: string, inbox: Inbox, signal: AbortSignal): Promise<void> => {
  const session = await client.auth.session()
  if (!session || !('locks' in navigator) || signal.aborted) return
  joinStream({ sessionId: session.sessionId, tenantId, onEvent: createHandler(inbox), signal })
}
