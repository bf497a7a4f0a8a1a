/** Which sign-in methods a tenant accepts for its sessions. */
import sql from 'sql-template-tag'
import { barrierOf, sessionBarrier, sessionReaches, type Barrier } from '../../../access/reach.sql.ts'
import type { Db } from '../../../db/client.ts'
import { takesLong } from '../../../db/columns.ts'
import { endingSessions } from './ending.sql.ts'

interface OpeningSession {
  tenantId: string
  userId: number
  connectionId: string | null
  amr: readonly string[]
  hasMfa: boolean
}

/** The barrier between a new session of the user and the tenant. Null if the tenant would accept it. */
export const selectBarrier = (db: Db, { tenantId, userId, connectionId, amr, hasMfa }: OpeningSession) =>
  db.one<{ username: string; barrier: Barrier | null }>(sql`
    select u.username, ${barrierOf({
      tenantId: sql`u.tenant_id`,
      userId: sql`u.id`,
      amr: sql`${amr}::text[]`,
      hasMfa: sql`${hasMfa}::boolean`,
      connectionId: sql`${connectionId}::uuid`,
    })} as barrier
    from users u where u.tenant_id = ${tenantId} and u.id = ${userId}`)

export const selectSessionBarrier = (db: Db, tenantId: string, id: string) =>
  db.one<{ barrier: Barrier | null }>(sql`
    select ${sessionBarrier} as barrier from sessions s where s.tenant_id = ${tenantId} and s.id = ${id}`)

export const selectTenantIds = (db: Db) =>
  db.many<{ id: string }>(takesLong(sql`select id from tenants where deleted_at is null`))

/** Deletes up to `limit` sessions that use a sign-in method the tenant does not accept. Returns their number. */
export const deleteUnreachingRows = async (db: Db, tenantId: string, limit: number): Promise<number> =>
  (
    await db.many(
      endingSessions(sql`
      s.tenant_id = ${tenantId} and s.ctid = any (array(
        select s.ctid from sessions s where s.tenant_id = ${tenantId} and not ${sessionReaches} limit ${limit}))`),
    )
  ).length
