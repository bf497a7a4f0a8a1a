import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import { versionsOf, type SettingPlace } from './setting-places.sql.ts'

/** The largest value of PostgreSQL's `integer`. */
const versionMax = 2_147_483_647
const versionsMax = 20

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

export interface NewVersion {
  version: number
  /** Undefined for a deletion and for a secret. */
  valueJson: string | undefined
  isDeleted: boolean
  changedBy: number
  now: Date
  revertedFrom: number | undefined
}

/** Inserts a version, and deletes those before the last 20. */
export const insertVersion = (db: TransactionDb, place: SettingPlace, row: NewVersion): void => {
  const { table, is, names, values } = versionsOf(place)
  const { version, valueJson = null, revertedFrom = null } = row
  db.send(sql`
    insert into ${table} (${names}, version, value, is_deleted, changed_by, changed_at, reverted_from)
    values (${values}, ${version}, ${valueJson}::jsonb, ${row.isDeleted}, ${row.changedBy}, ${row.now}, ${revertedFrom})`)
  if (version === 1) return
  db.send(sql`update ${table} set is_latest = false where ${is} and is_latest and version < ${version}`)
  if (version > versionsMax) {
    db.send(sql`delete from ${table} where ${is} and version <= ${version - versionsMax}`)
  }
}

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
