/** Brings the events of the live stream onto the page. Fetched after the page. */
import type { QueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { noteChange, rung, setOpen } from '../session/live.ts'
import { meQuery } from '../session/me.ts'
import { takeOwnChange } from '../session/own-changes.ts'
import { joinStream, type LiveEvent } from '../session/stream.ts'

/** All pages of a tenant get a change for all at one moment: they ask within this time. */
const spreadMs = 1000

/** A tab in sight asks at once. A hidden one asks when its user returns. */
const renew = (queries: QueryClient, queryKey: readonly unknown[]): void =>
  void queries.invalidateQueries({ queryKey, refetchType: document.hidden ? 'none' : 'active' })

/** Lets the SDK find out whether the session is over: then it signs out, as after any 401. */
const probeSession = async (): Promise<void> => {
  if (await client.auth.session()) await client.profile.get().catch(() => undefined)
}

export interface Inbox {
  queries: QueryClient
  inboxKey: readonly unknown[]
}

const applyOpen = ({ queries, inboxKey }: Inbox, isFirst: boolean): void => {
  setOpen(true)
  // Changes before the stream opened were not sent.
  renew(queries, [...inboxKey, 'unread'])
  if (!isFirst) renew(queries, meQuery.queryKey)
}

const applyUnread = async (
  { queries, inboxKey }: Inbox,
  { count, notificationId }: Extract<LiveEvent, { kind: 'unread' }>,
): Promise<void> => {
  const queryKey = [...inboxKey, 'unread']
  // An answer that is under way is older.
  await queries.cancelQueries({ queryKey })
  queries.setQueryData(queryKey, { count })
  if (notificationId === undefined) return
  renew(queries, [...inboxKey, 'latest'])
  noteChange({ id: notificationId, tenant_id: '', action: rung, resource: 'inbox' })
}

const applyChange = async ({ change }: Extract<LiveEvent, { kind: 'change' }>): Promise<void> => {
  if (!(await takeOwnChange(change.resource_id))) noteChange(change)
}

/** The service cannot say which changes are missing. */
const applyGap = (queries: QueryClient): void => renew(queries, [])

type Handlers = { [Kind in LiveEvent['kind']]: (event: Extract<LiveEvent, { kind: Kind }>) => unknown }

/** Gives the function that brings an event onto the page. */
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
    place: () => undefined,
  }
  return (event) => void (handlers[event.kind] as (event: LiveEvent) => unknown)(event)
}

/** Joins the live stream. Without Web Locks, or without the stream, the page asks regularly as before. */
export const joinLive = async (tenantId: string, inbox: Inbox, signal: AbortSignal): Promise<void> => {
  const session = await client.auth.session()
  if (!session || !('locks' in navigator) || signal.aborted) return
  joinStream({ sessionId: session.sessionId, tenantId, onEvent: createHandler(inbox), signal })
}
