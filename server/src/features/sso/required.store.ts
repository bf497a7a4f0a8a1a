import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'

/** A session that an active connection has opened since a moment. */
export const selectFreshSession = (db: Db, tenantId: string, id: string, since: Date) =>
  db.one(sql`
    select from sessions s
    join connections c on c.tenant_id = s.tenant_id and c.id = s.connection_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and c.status = 'active'
      and coalesce(s.auth_time, s.created_at) > ${since}`)

/** Whether the tenant has another active connection. */
export const selectOtherActive = (db: Db, tenantId: string, id: string) =>
  db.one(sql`
    select from connections where tenant_id = ${tenantId} and id <> ${id} and status = 'active' limit 1`)
