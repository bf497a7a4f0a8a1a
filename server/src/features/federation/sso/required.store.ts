import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

/** A session that an active connection has opened since `since`. */
export const selectFreshSession = (db: Db, tenantId: string, id: string, since: Date) =>
  db.one(sql`
    select from sessions s
    join connections c on c.tenant_id = s.tenant_id and c.id = s.connection_id
    where s.tenant_id = ${tenantId} and s.id = ${id} and c.status = 'active'
      and coalesce(s.auth_time, s.created_at) > ${since}`)
