/** Parts of statements about lists of users, for several stores. */
import sql, { empty, type Sql } from 'sql-template-tag'
import { containing, onOneLine } from '../../../values/text.ts'
import { isoTime } from '../../../db/columns.ts'

export const columns = sql`id, tenant_id, username, email, nickname, avatar, status, ${isoTime('last_login_at')} as last_login`

export interface UserFilter {
  status?: 0 | 1 | undefined
  sort?: 'id' | '-id'
  /** Only users after this id, in list order. */
  afterId?: number | undefined
}

/** Writes the status exactly as the partial index of disabled users does, so that PostgreSQL uses it. */
export const ofStatus = (status: UserFilter['status']): Sql =>
  status === undefined ? empty : status === 0 ? sql`and status = 0` : sql`and status = 1`

export const after = ({ sort, afterId }: UserFilter, id = sql`id`): Sql => {
  if (afterId === undefined) return empty
  return sort === '-id' ? sql`and ${id} < ${afterId}` : sql`and ${id} > ${afterId}`
}

export const inOrder = ({ sort }: UserFilter, id = sql`id`): Sql =>
  sort === '-id' ? sql`order by ${id} desc` : sql`order by ${id}`

export const patternOf = (search: string): string => containing(onOneLine(search))
