import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'

export interface NewSession {
  tenantId: string
  id: string
  userId: number
  now: Date
  expiresAt: Date
}

export const insertSession = (db: Db, session: NewSession) =>
  db.run(sql`
    insert into sessions (tenant_id, id, user_id, rotated_at, created_at, expires_at)
    values (${session.tenantId}, ${session.id}, ${session.userId}, ${session.now}, ${session.now},
      ${session.expiresAt})`)

export interface SessionRow {
  generation: number
  rotated_at: Date
  user_status: number
  tenant_status: number
}

/** The session with what decides over its refresh, locked: one refresh of a session at a time. */
export const selectSessionForUpdate = (db: Db, tenantId: string, sessionId: string, userId: number) =>
  db.one<SessionRow>(sql`
    select s.generation, s.rotated_at, u.status as user_status, t.status as tenant_status
    from sessions s
    join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = ${tenantId} and s.id = ${sessionId} and s.user_id = ${userId}
    for update of s`)

export const updateSessionGeneration = (
  db: Db,
  session: Pick<NewSession, 'tenantId' | 'id' | 'now' | 'expiresAt'>,
) =>
  db.run(sql`
    update sessions
    set generation = generation + 1, rotated_at = ${session.now}, expires_at = ${session.expiresAt}
    where tenant_id = ${session.tenantId} and id = ${session.id}`)

export const deleteSessionRow = (db: Db, tenantId: string, sessionId: string) =>
  db.run(sql`delete from sessions where tenant_id = ${tenantId} and id = ${sessionId}`)

/** Ends every session of a user but `keptId` ("" keeps none). */
export const deleteSessionRowsOfUser = (db: Db, tenantId: string, userId: number, keptId: string) =>
  db.run(sql`
    delete from sessions
    where tenant_id = ${tenantId} and user_id = ${userId} and id::text <> ${keptId}`)

/** Deletes up to `limit` sessions that have expired, of any tenant. As the role `tenantry_purge`. */
export const deleteExpiredSessionRows = (db: Db, limit: number) =>
  db.run(sql`
    delete from sessions
    where ctid = any (array(select ctid from sessions where expires_at < now() limit ${limit}))`)
