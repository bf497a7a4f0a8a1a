import sql from 'sql-template-tag'
import type { Db } from '../../../../db/client.ts'

/** The picture of a user as a data URL. */
export const selectPicture = (db: Db, tenantId: string, userId: number) =>
  db.one<{ avatar: string }>(sql`
    select avatar from users where tenant_id = ${tenantId} and id = ${userId} and avatar <> ''`)
