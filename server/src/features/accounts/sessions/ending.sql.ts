/** The deletion of sessions, for every reason except expiry. */
import sql, { type Sql } from 'sql-template-tag'

const queued = sql`insert into logout_queue (uri, client_id, session_tenant, user_id, session_id)`

/**
 * Deletes sessions `s`, and queues the logout tokens for their applications. Every end of a session except expiry uses
 * it.
 */
export const endingSessions = (condition: Sql): Sql =>
  sql`
    with ended as (delete from sessions s where ${condition}
        returning tenant_id, user_id, id, sign_in_id, is_shared, application_id),
      told as (
        ${queued}
        select p.backchannel_logout_uri, p.client_id, e.tenant_id, e.user_id, e.id
        from ended e
        join applications p on p.id = e.application_id
        where p.backchannel_logout_uri <> '')
    select tenant_id, user_id, id, sign_in_id, is_shared, application_id from ended`
