/** The directory's switch of a user. `status_behind` keeps the administrators' one while the directory's is off. */
import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { fold, searchedText } from '../../../values/text.ts'
import type { User } from './users.schemas.ts'

/** Sets the nickname and the directory's switch. Returns the status: both switches together. */
export const updatePushed = (db: Db, user: User, isActive: boolean, now: Date) =>
  db.only<{ status: 0 | 1 }>(sql`
    update users set nickname = ${user.nickname}, search_folded = ${searchedText(user)}, updated_at = ${now},
      status = case when ${isActive}::boolean then coalesce(status_behind, status) else 0 end,
      status_behind = case when ${isActive}::boolean then null else coalesce(status_behind, status) end
    where tenant_id = ${user.tenant_id} and id = ${user.id}
    returning status`)

/** Makes a new user the one of the resource that a directory pushed with their address. Tells the directory's switch. */
export const updateResource = (db: Db, { tenant_id: tenantId, id, email }: User) =>
  db.one<{ active: boolean }>(sql`
    update scim_users set user_id = ${id}
    where tenant_id = ${tenantId} and email_folded = ${fold(email)} and user_id is null
    returning active`)

/** Sets the administrators' switch to off while the directory's is off. */
export const updateStatusBehind = (db: TransactionDb, tenantId: string, id: number): void =>
  db.send(sql`
    update users set status_behind = 0 where tenant_id = ${tenantId} and id = ${id} and status_behind is not null`)

/** Without a directory one switch is left, and it stays off where the directory's was off. */
export const deleteSwitches = (db: Db, tenantId: string, limit: number) =>
  db.run(sql`
    update users set status_behind = null
    where tenant_id = ${tenantId} and id = any (array(
      select id from users where tenant_id = ${tenantId} and status = 0 and status_behind is not null limit ${limit}))`)

/** The account, while nobody has made it their own. */
export const selectUnowned = (db: Db, accountId: number) =>
  db.one<{ id: number }>(sql`
    select id from accounts where id = ${accountId} and password_scheme = 'none' and not has_own_password
      and proved_email is distinct from email_folded`)
