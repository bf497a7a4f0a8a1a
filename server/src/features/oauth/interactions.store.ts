import sql from 'sql-template-tag'
import type { Db } from '../../db/client.ts'
import type { AuthorizationRequest } from './requests.ts'
import type { Progress } from './progress.ts'

export interface InteractionRow {
  id: string
  request: AuthorizationRequest
  progress: Progress
  created_at: Date
}

export interface NewInteraction {
  id: string
  browserHash: Buffer
  request: AuthorizationRequest
  progress: Progress
  now: Date
  expiresAt: Date
}

export const insertInteraction = (db: Db, row: NewInteraction) =>
  db.run(sql`
    insert into interactions (id, browser_hash, request, progress, created_at, expires_at)
    values (${row.id}, ${row.browserHash}, ${JSON.stringify(row.request)}, ${JSON.stringify(row.progress)}, ${row.now},
      ${row.expiresAt})`)

/** An interaction of this browser. */
export const selectInteraction = (
  db: Db,
  { id, browserHash, now }: Pick<NewInteraction, 'id' | 'browserHash' | 'now'>,
) =>
  db.one<InteractionRow>(sql`
    select id, request, progress, created_at from interactions
    where id = ${id} and browser_hash = ${browserHash} and expires_at > ${now}`)

export const updateProgress = (db: Db, id: string, progress: Progress) =>
  db.run(sql`update interactions set progress = ${JSON.stringify(progress)} where id = ${id}`)

export const deleteInteractionRow = (db: Db, id: string) =>
  db.run(sql`delete from interactions where id = ${id}`)
