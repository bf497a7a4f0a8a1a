/**
 * The directory's active state of a user. `status_behind` keeps the administrators' status while the directory's state
 * is inactive.
 */
import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { fold, searchedText } from '../../../values/text.ts'
import type { User } from './users.schemas.ts'

/**
 * Sets the nickname and the directory's active state. Returns the status that follows from that state and the
 * administrators' status.
 */
export const updatePushed = (db: Db, user: User, isActive: boolean, now: Date) =>
  db.only<{ status: 0 | 1 }>(sql`
    update users set nickname = ${user.nickname}, search_folded = ${searchedText(user)}, updated_at = ${now},
      status = case when ${isActive}::boolean then coalesce(status_behind, status) else 0 end,
      status_behind = case when ${isActive}::boolean then null else coalesce(status_behind, status) end
    where tenant_id = ${user.tenant_id} and id = ${user.id}
    returning status`)

/** Links a new user to the directory's resource with the same address. Returns the directory's active state. */
export const updateResource = (db: Db, { tenant_id: tenantId, id, email }: User) =>
  db.one<{ active: boolean }>(sql`
    update scim_users set user_id = ${id}
    where tenant_id = ${tenantId} and email_folded = ${fold(email)} and user_id is null
    returning active`)

/** Disables the user also on the administrators' side, while the directory's state is inactive. */
export const updateStatusBehind = (db: TransactionDb, tenantId: string, id: number): void =>
  db.send(sql`
    update users set status_behind = 0 where tenant_id = ${tenantId} and id = ${id} and status_behind is not null`)

/** Keeps only the present status: users that the directory disabled stay disabled. */
export const deleteSwitches = (db: Db, tenantId: string, limit: number) =>
  db.run(sql`
    update users set status_behind = null
    where tenant_id = ${tenantId} and id = any (array(
      select id from users where tenant_id = ${tenantId} and status = 0 and status_behind is not null limit ${limit}))`)

/** The account, if it has no owner. */
export const selectUnowned = (db: Db, accountId: number) =>
  db.one<{ id: number }>(sql`
    select id from accounts where id = ${accountId} and password_scheme = 'none' and not has_own_password
      and proved_email is distinct from email_folded`)
