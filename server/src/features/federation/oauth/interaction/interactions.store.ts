import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'
import type { AuthorizationRequest } from '../request/authorization-request.ts'
import type { InteractionProgress } from './interaction-progress.ts'

export interface InteractionRow {
  id: string
  request: AuthorizationRequest
  progress: InteractionProgress
  version: number
  created_at: Date
}

export interface NewInteraction {
  id: string
  browserHash: Buffer
  request: AuthorizationRequest
  progress: InteractionProgress
  now: Date
  expiresAt: Date
}

export const insertInteraction = (db: Db, row: NewInteraction) =>
  db.run(sql`
    insert into interactions (id, browser_hash, request, progress, created_at, expires_at)
    values (${row.id}, ${row.browserHash}, ${JSON.stringify(row.request)}, ${JSON.stringify(row.progress)}, ${row.now},
      ${row.expiresAt})`)

export const selectInteraction = (
  db: Db,
  { id, browserHash, now }: Pick<NewInteraction, 'id' | 'browserHash' | 'now'>,
) =>
  db.one<InteractionRow>(sql`
    select id, request, progress, version, created_at from interactions
    where id = ${id} and browser_hash = ${browserHash} and expires_at > ${now}`)

/** An interaction with the version that a request has read. */
type ReadVersion = Pick<InteractionRow, 'id' | 'version'>

/** Returns 0 if a concurrent request has changed or ended the interaction. */
export const updateProgress = (db: Db, { id, version }: ReadVersion, progress: InteractionProgress) =>
  db.run(sql`
    update interactions set progress = ${JSON.stringify(progress)}, version = version + 1
    where id = ${id} and version = ${version}`)

/** Returns 0 if a concurrent request has changed or ended the interaction. */
export const deleteInteractionRow = (db: Db, { id, version }: ReadVersion) =>
  db.run(sql`delete from interactions where id = ${id} and version = ${version}`)
