import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'

export const selectGlobalPortal = (db: Db) =>
  db.one<{ value: unknown }>(sql`select value from global_settings where key = 'tenantry.portal'`)

/** The home pages of enabled own applications. */
export const selectHomes = (db: Db) =>
  db.many<{ name: string; home_url: string }>(sql`
    select name, home_url from applications
    where origin = 'managed' and not is_third_party and status = 1 and home_url <> ''
    order by id`)
