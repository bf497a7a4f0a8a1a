import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { addingVersion, versionsOf, type NewVersion, type SettingPlace } from './setting-places.sql.ts'

/** The largest value of PostgreSQL's `integer`. */
const versionMax = 2_147_483_647

export interface VersionRow {
  version: number
  /** Null for a deletion and for a secret. */
  value: unknown
  is_deleted: boolean
  changed_by: number
  changed_at: string
  reverted_from: number | null
}

const columns = sql`version, value, is_deleted, changed_by, ${isoTime('changed_at')} as changed_at, reverted_from`

/** Adds a version without a value, for a deletion or a secret. */
export const insertVersion = (
  db: TransactionDb,
  place: SettingPlace,
  row: NewVersion & { version: number },
): void =>
  db.send(sql`
    with written as (
      select ${row.version}::integer as version, null::jsonb as value
    ), ${addingVersion(place, row)}
    select`)

export const selectVersions = (
  db: Db,
  place: SettingPlace,
  { before, limit }: { before: number | undefined; limit: number },
) => {
  const { table, is } = versionsOf(place)
  return db.many<VersionRow>(sql`
    select ${columns} from ${table} where ${is} and version < ${before ?? versionMax}
    order by version desc limit ${limit}`)
}

export const countVersions = (db: Db, place: SettingPlace) => {
  const { table, is } = versionsOf(place)
  return db.only<{ count: number }>(sql`select count(*) as count from ${table} where ${is}`)
}

export const selectVersion = (db: Db, place: SettingPlace, version: number) => {
  const { table, is } = versionsOf(place)
  return db.one<VersionRow>(sql`select ${columns} from ${table} where ${is} and version = ${version}`)
}
