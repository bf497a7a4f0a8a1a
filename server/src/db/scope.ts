import sql, { join, type Sql } from 'sql-template-tag'
import type { Outcome, Settings, Statement } from './batch.ts'
import type { Db, DbRole, Scope, TransactionDb } from './client.ts'

/** PostgreSQL ends a statement after this time. The client closes the connection soon after (`forPostgres`). */
const statementTimeoutMs = 4_000
/** PostgreSQL ends an idle transaction after this time, so that a frozen process does not keep its locks. */
const idleInTransactionMs = 15_000

/** Settings with the same value in every scope. */
const bounds = `set_config('statement_timeout', '${statementTimeoutMs}', true),
 set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true), set_config('jit', 'off', true)`

/**
 * All settings last until the end of the transaction (the last argument of `set_config`). The connection's next user
 * therefore starts without them: another request on the lane, another replica behind PgBouncer, or the embedded
 * database's one session. The role comes first, so that other rights of the login role never apply. `jit` is off,
 * because only compiling takes longer than these statements. The settings are in a condition that is never true, so
 * that PostgreSQL returns no row.
 */
const scopeText = `select where concat(set_config('role', $1, true), set_config('app.tenant_id', $2, true),
 set_config('app.account_id', $3, true), ${bounds}) is null`

/** The statement that sets the scope of a transaction. A missing part becomes "", which no policy matches. */
export const scopeStatement = ({ tenantId, accountId }: Scope, role: DbRole): Statement => ({
  text: scopeText,
  values: [role, tenantId ?? '', accountId ?? ''],
  isSetting: true,
})

/** The role of a scope: that of an account, or that of requests. */
export const roleOf = ({ accountId }: Scope): DbRole =>
  accountId === undefined ? 'tenantry_app' : 'tenantry_login'

export const settingsOf = (settings: Settings): Sql => {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  return sql`select where concat(${join(calls)}) is null`
}

/** Runs before a read that `takesLong`. PostgreSQL then uses only indexes, and plans for the given values. */
export const longReadSettings: Statement = Object.assign(
  settingsOf({ enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_custom_plan' }),
  { isSetting: true },
)

/** Marks a write. A write can wait for a row lock, and no other statement must wait behind it. */
const asWrite = ({ text, values }: Statement): Statement => ({ text, values, needsOwnConnection: true })

export const dbOver = (execute: <Row>(statement: Statement) => Promise<Outcome<Row>>): Db => ({
  many: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows,
  one: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows[0],
  only: async <Row>(statement: Sql) => {
    const [row] = (await execute<Row>(statement)).rows
    if (row === undefined) throw new Error('a statement that always returns a row returned none')
    return row
  },
  run: async (statement: Sql) => (await execute(asWrite(statement))).rowCount ?? 0,
})

/** Takes on another role for the rest of the transaction. */
export const actAs = (db: Db, role: DbRole) => db.run(settingsOf({ role }))

/**
 * Runs one statement as the role that reaches the users and sessions of one account in all tenants. The statement and
 * both changes of the role leave in one flush.
 */
export const inAccountScope = <T>(db: TransactionDb, accountId: number, statement: () => T): T => {
  const enter = (role: DbRole, id: string) => db.send(settingsOf({ role, 'app.account_id': id }))
  enter('tenantry_login', String(accountId))
  const result = statement()
  enter('tenantry_app', '')
  return result
}
