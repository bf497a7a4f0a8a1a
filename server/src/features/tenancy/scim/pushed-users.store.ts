import sql from 'sql-template-tag'
import type { Db } from '../../../db/client.ts'
import { fold } from '../../../values/text.ts'
import type { Raw } from './values.ts'

/** A resource of the directory, with or without a user. */
export interface PushedUser {
  id: string
  user_id: number | null
  active: boolean
  external_id: string | null
  display_name: string
  name: Raw
  extension: Raw
  texts: Record<string, string>
}

export const selectPushed = (db: Db, tenantId: string, email: string) =>
  db.one<PushedUser>(sql`
    select id, user_id, active, external_id, display_name, name, extension, texts from scim_users
    where tenant_id = ${tenantId} and email_folded = ${fold(email)}`)

export const updateLinked = (db: Db, tenantId: string, { id, userId }: { id: string; userId: number }) =>
  db.run(sql`update scim_users set user_id = ${userId} where tenant_id = ${tenantId} and id = ${id}`)
