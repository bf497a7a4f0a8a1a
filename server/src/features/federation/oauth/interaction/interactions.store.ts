import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'
import type { AuthorizationRequest } from '../request/authorization-request.ts'
import type { Progress } from './interaction-progress.ts'

export interface InteractionRow {
  id: string
  request: AuthorizationRequest
  progress: Progress
  version: number
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
    select id, request, progress, version, created_at from interactions
    where id = ${id} and browser_hash = ${browserHash} and expires_at > ${now}`)

/** An interaction as an act has read it. */
type Read = Pick<InteractionRow, 'id' | 'version'>

/** 0 where another act has changed the interaction since it was read, or has ended it. */
export const updateProgress = (db: Db, { id, version }: Read, progress: Progress) =>
  db.run(sql`
    update interactions set progress = ${JSON.stringify(progress)}, version = version + 1
    where id = ${id} and version = ${version}`)

/** 0 as `updateProgress`. */
export const deleteInteractionRow = (db: Db, { id, version }: Read) =>
  db.run(sql`delete from interactions where id = ${id} and version = ${version}`)
