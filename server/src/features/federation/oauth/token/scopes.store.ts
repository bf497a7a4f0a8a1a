import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'

/** The codes that are permissions of the product. Built-in permissions, with ids below 1000, are never scopes. */
export const selectProductCodes = (db: Db, codes: string[]) =>
  db.many<{ code: string }>(sql`
    select code from permissions where id >= 1000 and removed_at is null and code = any (${codes}::text[])`)
