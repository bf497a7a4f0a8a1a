import sql, { type Sql } from 'sql-template-tag'
import type { Outcome, Statement } from './batch.ts'
import type { Db, DbRole, Scope, TransactionDb } from './client.ts'

/** PostgreSQL ends a statement after this time; the client gives up the connection half a second later. */
const statementTimeoutMs = 4_000
/** PostgreSQL ends an idle transaction after this time, so a frozen process does not keep its locks. */
const idleInTransactionMs = 15_000

/**
 * All settings last until the end of the transaction (the last argument of `set_config`). The next user of the
 * connection therefore starts without them: another request on the lane, another replica behind PgBouncer, or the
 * embedded database's one session. The role comes first, so further rights of the login role never apply. `jit` is
 * off: compiling alone takes longer than these statements. The settings stand in a condition that is never true, so
 * that PostgreSQL returns no row.
 */
const scopeText = `select where concat(set_config('role', $1, true), set_config('app.tenant_id', $2, true),
 set_config('app.account_id', $3, true), set_config('statement_timeout', '${statementTimeoutMs}', true),
 set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true), set_config('jit', 'off', true)) is null`

/** The statement that sets the scope of a transaction. A missing part is set to '', which no policy matches. */
export const scopeStatement = ({ tenantId, accountId }: Scope, role: DbRole): Statement => ({
  text: scopeText,
  values: [role, tenantId ?? '', accountId ?? ''],
})

/** Precedes a read that `takesLong`: PostgreSQL then uses indexes only, and plans for the given values. */
export const alongIndexes: Statement = {
  text: `select where concat(set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
 set_config('plan_cache_mode', 'force_custom_plan', true)) is null`,
  values: [],
}

/** Marks a write: it may wait for a row lock, so no other statement waits behind it. */
const asWrite = ({ text, values }: Sql): Statement => ({ text, values, needsOwnConnection: true })

/** Builds a handle from a function that runs one statement. */
export const dbOver = (execute: <Row>(statement: Statement) => Promise<Outcome<Row>>): Db => ({
  many: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows,
  one: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows[0],
  run: async (statement: Sql) => (await execute(asWrite(statement))).rowCount ?? 0,
})

/** Takes on another role for the rest of the transaction. */
export const actAs = (db: Db, role: DbRole) => db.run(sql`select set_config('role', ${role}, true)`)

/**
 * Runs one statement as the role that reaches users and sessions of one account in all tenants. All three leave in one
 * flush.
 */
export const inAccountScope = <T>(db: TransactionDb, accountId: number, statement: () => T): T => {
  const enter = (role: DbRole, id: string) =>
    db.send(sql`select set_config('role', ${role}, true), set_config('app.account_id', ${id}, true)`)
  enter('tenantry_login', String(accountId))
  const result = statement()
  enter('tenantry_app', '')
  return result
}
