import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

export const selectGlobal = (db: Db, key: string) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = ${key}`)
