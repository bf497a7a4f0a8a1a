/**
 * Sign-ins of persons in browsers, on which sessions of applications depend. They belong to accounts, not to tenants.
 */
import sql, { type Sql } from 'sql-template-tag'
import { isoTime } from '../../../db/columns.ts'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isLiving, lastUsedFirst, withProofs } from './living.sql.ts'
import type { ListedSession } from './sessions.store.ts'

/** Adds proofs to those of the sign-in. */
export const updateSignInProofs = (
  db: TransactionDb,
  { id, proofs, now }: { id: string; proofs: readonly string[]; now: Date },
): void => db.send(sql`update sign_ins set amr = ${withProofs(proofs)}, auth_time = ${now} where id = ${id}`)

/** Keeps the sign-in valid after its account's epoch has risen. */
export const updateSignInKept = (db: TransactionDb, id: string, accountId: number): void =>
  db.send(sql`
    update sign_ins set account_epoch = (select session_epoch from accounts where id = ${accountId})
    where id = ${id}`)

export const updateSignInWithoutMfa = (db: TransactionDb, id: string): void =>
  db.send(sql`update sign_ins set amr = array_remove(amr, 'mfa') where id = ${id}`)

/** SQL: true if the sign-in `s` has opened a session in the tenant, or no session at all. */
const isUsedIn = (tenantId: string): Sql =>
  sql`(${tenantId}::uuid = any (s.tenant_ids) or s.tenant_ids = '{}')`

const selectSignIns = (db: Db, condition: Sql, now: Date) =>
  db.many<ListedSession>(sql`
    select s.id, '' as tenant_id, ${isoTime('s.created_at')} as created_at, ${isoTime('s.last_used_at')} as last_used_at,
      s.ip, s.user_agent, null as browser_sign_in, null as application, null as support
    from sign_ins s
    join accounts a on a.id = s.account_id
    where ${condition} and ${isLiving(now)}
    ${lastUsedFirst}`)

export const selectSignInsOfAccount = (db: Db, accountId: number, now: Date) =>
  selectSignIns(db, sql`s.account_id = ${accountId}`, now)

/** The sign-ins that end with the sessions of a user of the tenant. */
export const selectSignInsOfUser = (db: Db, tenantId: string, userId: number, now: Date) =>
  selectSignIns(
    db,
    sql`
      s.account_id = (select account_id from users where tenant_id = ${tenantId} and id = ${userId})
      and ${isUsedIn(tenantId)}`,
    now,
  )

export const selectSignInsByConnections = (db: Db, tenantId: string, accountId: number, now: Date) =>
  selectSignIns(db, sql`s.account_id = ${accountId} and s.connection_tenant_id = ${tenantId}`, now)

export const deleteSignInRow = (db: TransactionDb, accountId: number, id: string) =>
  db.run(sql`delete from sign_ins where account_id = ${accountId} and id = ${id}`)

/** Deletes the sign-ins that could open another session of the account's user in the tenant. */
export const deleteSignInRowsOfUser = (db: Db, tenantId: string, accountId: number) =>
  db.many<{ id: string }>(
    sql`delete from sign_ins s where s.account_id = ${accountId} and ${isUsedIn(tenantId)} returning s.id`,
  )
