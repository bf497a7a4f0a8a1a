/** Which sign-in methods a tenant accepts for its sessions. */
import sql from 'sql-template-tag'
import { reachesTenant, sessionReaches } from '../../../access/reach.sql.ts'
import type { Db } from '../../../db/client.ts'
import { endingSessions } from './ending.sql.ts'

interface OpeningSession {
  tenantId: string
  userId: number
  connectionId: string | null
  hasMfa: boolean
}

/** Whether the tenant would accept a session of the user. */
export const selectReach = (db: Db, { tenantId, userId, connectionId, hasMfa }: OpeningSession) =>
  db.one<{ username: string; reaches: boolean }>(sql`
    select u.username, ${reachesTenant({
      tenantId: sql`u.tenant_id`,
      userId: sql`u.id`,
      hasMfa: sql`${hasMfa}::boolean`,
      connectionId: sql`${connectionId}::uuid`,
    })} as reaches
    from users u where u.tenant_id = ${tenantId} and u.id = ${userId}`)

/** Deletes up to `limit` sessions that use a sign-in method the tenant does not accept. Returns their number. */
export const deleteUnreachingRows = async (db: Db, tenantId: string, limit: number): Promise<number> =>
  (
    await db.many(
      endingSessions(sql`
      s.tenant_id = ${tenantId} and s.ctid = any (array(
        select s.ctid from sessions s where s.tenant_id = ${tenantId} and not ${sessionReaches} limit ${limit}))`),
    )
  ).length
