import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'
import type { QueuedRow, Share } from '../../../../db/queue.ts'

/** A logout token that waits to be sent. */
export interface QueuedLogout extends QueuedRow {
  uri: string
  client_id: string
  user_id: number
  session_id: string
}

const taken = sql`q.id, q.uri, q.client_id, q.user_id, q.session_id, q.attempts`

/** The tokens that a replica takes. */
interface LogoutShare extends Omit<Share<QueuedLogout>, 'underWay'> {
  /** Clients with enough running attempts. */
  busy: string[]
  /** The most tokens of each other client. */
  ofEach: number
}

/**
 * Takes the longest due tokens, a few of each client. The statement steps from client to client along the index, so it
 * does not read one client's many tokens.
 */
export const takeLogouts = (db: Db, { now, until, busy, ofEach, limit }: LogoutShare) =>
  db.many<QueuedLogout>(
    sql`
    with recursive clients as (
      (select client_id from logout_queue order by client_id limit 1)
      union all
      select (select q.client_id from logout_queue q where q.client_id > c.client_id order by q.client_id limit 1)
      from clients c
      where c.client_id is not null
    ),
    due as (
      select q.id from clients c
      cross join lateral (
        select id, next_attempt_at from logout_queue
        where client_id = c.client_id and next_attempt_at <= ${now}
        order by next_attempt_at limit ${ofEach}
        for update skip locked
      ) q
      where c.client_id <> all (${busy}::text[])
      order by q.next_attempt_at limit ${limit}
    )
    update logout_queue q set attempts = q.attempts + 1, next_attempt_at = ${until}
    from due
    where q.id = due.id
    returning ${taken}`,
  )
