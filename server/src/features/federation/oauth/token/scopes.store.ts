import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'

/**
 * The codes among these that are permissions of the product. A built-in permission, with an id below 1000, is never a
 * scope.
 */
export const selectProductCodes = (db: Db, codes: string[]) =>
  db.many<{ code: string }>(sql`
    select code from permissions where id >= 1000 and removed_at is null and code = any (${codes}::text[])`)
