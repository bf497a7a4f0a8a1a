/**
 * Locks of accounts, until the transaction ends. PostgreSQL locks the row. On Citus `accounts` is a reference table: a row
 * lock there stops every account, so an advisory lock of the coordinator stands for the row. A lock or a change of an
 * account that others must wait for therefore takes one of these (decision 0143).
 */
import sql, { type Sql } from 'sql-template-tag'
import { orOnCitus } from './scope.ts'

const key = (accountId: Sql): Sql => sql`(hashtext('tenantry account'), hashtext((${accountId})::text))`

const locked = (accountId: Sql): Sql => sql`select pg_advisory_xact_lock${key(accountId)}`

/** Locks the account that a query on `accounts` finds. */
export const lockingAccount = (accountId: number | Sql, found: Sql): Sql =>
  orOnCitus(
    sql`${found} for no key update`,
    locked(typeof accountId === 'number' ? sql`${accountId}` : accountId),
    found,
  )

/** Locks the same account against a change; several transactions can do so. */
export const sharingAccount = (accountId: number, found: Sql): Sql =>
  orOnCitus(sql`${found} for share`, sql`select pg_advisory_xact_lock_shared${key(sql`${accountId}`)}`, found)

/** Changes an account, and locks it. */
export const changingAccount = (accountId: number, change: Sql): Sql =>
  orOnCitus(change, locked(sql`${accountId}`), change)

/** Locks the account of a user of a tenant. */
export const lockingAccountOfUser = (tenantId: string, userId: number): Sql =>
  orOnCitus(
    sql`
    select a.id from users u
    join accounts a on a.id = u.account_id
    where u.tenant_id = ${tenantId} and u.id = ${userId}
    for no key update of a`,
    // Beside a table that only the coordinator has, the coordinator takes the lock. The tenant's node would take its own.
    sql`
    ${locked(sql`u.account_id`)} from pg_dist_local_group,
      (select account_id from users where tenant_id = ${tenantId} and id = ${userId} offset 0) u`,
  )
