/** Notifies users on their streams of changes of their inbox. */
import type { Parts } from '../../../context.ts'
import * as store from './events.store.ts'
import { send, type Listener } from './listener.ts'
import type { Invalidation } from '../../../cache/cache.ts'

/** The most new notifications of a user that one event sends. The unread count covers the others. */
const notificationsMax = 20

export type InboxChange = Extract<Invalidation, { kind: 'inbox' }>

const isOf = ({ ctx: { actor } }: Listener, { tenantId, userId }: InboxChange): boolean =>
  actor.key === undefined && actor.tenantId === tenantId && (userId === 0 || actor.userId === userId)

/** The unread count of each user, and the new notifications, oldest first. One statement reads those of all users. */
const readInboxes = async (
  { store: database }: Pick<Parts, 'store'>,
  { tenantId, firstId, lastId }: InboxChange,
  userIds: number[],
) => {
  const db = database.scoped({ tenantId })
  const range = { firstId, lastId, limit: notificationsMax }
  const [counts, added] = await Promise.all([
    store.countUnread(db, tenantId, userIds),
    lastId === 0 ? [] : store.selectNewNotifications(db, tenantId, userIds, range),
  ])
  return {
    counts: new Map(counts.map(({ user_id: id, count }) => [id, count])),
    added: Map.groupBy(added.toReversed(), ({ user_id: id }) => id),
  }
}

/** Sends the new notifications of a change, or only the unread count. */
export const sendInboxes = async (
  parts: Pick<Parts, 'store'>,
  listeners: Iterable<Listener>,
  change: InboxChange,
): Promise<void> => {
  const concerned = [...listeners].filter((listener) => isOf(listener, change))
  if (concerned.length === 0) return
  const userIds = [...new Set(concerned.map(({ ctx }) => ctx.actor.userId))]
  const { counts, added } = await readInboxes(parts, change, userIds)
  for (const listener of concerned) {
    const { userId } = listener.ctx.actor
    const count = counts.get(userId) ?? 0
    if (change.lastId === 0) send(listener, 'unread', { count })
    for (const notification of added.get(userId) ?? []) {
      send(listener, 'notification', { notification, unread_count: count })
    }
  }
}

/** Sends the unread count to all listeners, because notices of changes may be lost. */
export const sendAllCounts = async (
  parts: Pick<Parts, 'store'>,
  listeners: Iterable<Listener>,
): Promise<void> => {
  const byTenant = Map.groupBy([...listeners], ({ ctx }) => ctx.actor.tenantId)
  for (const [tenantId, some] of byTenant) {
    await sendInboxes(parts, some, { kind: 'inbox', tenantId, userId: 0, firstId: 0, lastId: 0 })
  }
}
