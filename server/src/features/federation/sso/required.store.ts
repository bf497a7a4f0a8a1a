import sql from 'sql-template-tag'
import { sessionComesBySso } from '../../../access/reach.sql.ts'
import type { Db } from '../../../db/client.ts'

/** A session that an active connection has opened since `since`. */
export const selectFreshSession = (db: Db, tenantId: string, id: string, since: Date) =>
  db.one(sql`
    select from sessions s
    join connections c on c.tenant_id = s.tenant_id and c.id = s.connection_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and c.status = 'active'
      and coalesce(s.auth_time, s.created_at) > ${since}`)

/** The people and the live sessions that a requirement of single sign-on ends. */
export const measureRequirement = (db: Db, tenantId: string, now: Date) =>
  db.one<{ users: number; sessions: number }>(sql`
    select count(distinct s.user_id)::int as users, count(*)::int as sessions
    from sessions s
    join accounts a on a.id = s.account_id
    where s.tenant_id = ${tenantId} and s.expires_at > ${now} and s.account_epoch = a.session_epoch
      and not ${sessionComesBySso}`)
