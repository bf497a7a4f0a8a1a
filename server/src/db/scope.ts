import sql, { join, type Sql } from 'sql-template-tag'
import { send, type Outcome, type Settings, type Statement } from './batch.ts'
import type { Db, DbRole, Scope, TransactionDb } from './client.ts'

/** PostgreSQL ends a statement after this time; the client gives up the connection soon after (`forPostgres`). */
const statementTimeoutMs = 4_000
/** PostgreSQL ends an idle transaction after this time, so a frozen process does not keep its locks. */
const idleInTransactionMs = 15_000

/** Calls that set the same in every scope. */
export const bounds = `set_config('statement_timeout', '${statementTimeoutMs}', true),
 set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true), set_config('jit', 'off', true)`

/**
 * All settings last until the end of the transaction (the last argument of `set_config`). The next user of the
 * connection therefore starts without them: another request on the lane, another replica behind PgBouncer, or the
 * embedded database's one session. The role comes first, so further rights of the login role never apply. `jit` is
 * off: compiling alone takes longer than these statements. The settings stand in a condition that is never true, so
 * that PostgreSQL returns no row.
 */
const scopeText = `select where concat(set_config('role', $1, true), set_config('app.tenant_id', $2, true),
 set_config('app.account_id', $3, true), ${bounds}) is null`

/** The statement that sets the scope of a transaction. A missing part is set to '', which no policy matches. */
export const scopeStatement = ({ tenantId, accountId }: Scope, role: DbRole): Statement => ({
  text: scopeText,
  values: [role, tenantId ?? '', accountId ?? ''],
  isSetting: true,
})

type Send = typeof send

/** The way of scopes and settings to the rows: PostgreSQL has both in one place, Citus has not (citus.ts). */
export interface Dialect {
  /** Sends statements that are a transaction of their own. */
  send: Send
  /** Begins the scope of a transaction. */
  scope(scope: Scope, role: DbRole): Statement[]
  /** The statements that are sent for one. */
  expand(statement: Statement): Statement[]
  /** Finishes the rows of a statement that was sent as another one. */
  finish?<Row>(statement: Statement, outcome: Outcome<Row>): Outcome<Row>
  /** Passes a computed setting on, within a transaction. */
  passSetting?(
    statement: Statement,
    run: (next: Statement) => Promise<Outcome<{ value: string }>>,
  ): Promise<void>
}

/** The dialect of a database without further nodes. */
export const onePostgres: Dialect = {
  send,
  scope: (scope, role) => [scopeStatement(scope, role)],
  expand: (statement) => [statement],
}

/** A statement that sets settings until the end of the transaction. */
export const settingsOf = (settings: Settings): Sql & { settings: Settings } => {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  return Object.assign(sql`select where concat(${join(calls)}) is null`, { settings })
}

/** Marks a statement that sets a setting to a value from a row. */
export const computing = (setting: string, statement: Sql): Sql =>
  Object.assign(statement, { computed: setting })

/** Gives a statement another text for Citus, where the first one cannot be planned over its nodes, or costs too much. */
export const orOnCitus = (statement: Sql, ...overNodes: Sql[]): Sql =>
  Object.assign(statement, { onCitus: overNodes })

/** Precedes a read that `takesLong`: PostgreSQL then uses indexes only, and plans for the given values. */
export const longReadSettings: Statement = Object.assign(
  settingsOf({ enable_seqscan: 'off', enable_bitmapscan: 'off', plan_cache_mode: 'force_custom_plan' }),
  { isSetting: true },
)

/** Marks a write: it may wait for a row lock, so no other statement waits behind it. */
const asWrite = ({ text, values, settings, computed, onCitus }: Statement): Statement => ({
  text,
  values,
  needsOwnConnection: true,
  settings,
  computed,
  onCitus,
})

/** Builds a handle from a function that runs one statement. */
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
 * Runs one statement as the role that reaches users and sessions of one account in all tenants. All three leave in one
 * flush.
 */
export const inAccountScope = <T>(db: TransactionDb, accountId: number, statement: () => T): T => {
  const enter = (role: DbRole, id: string) => db.send(settingsOf({ role, 'app.account_id': id }))
  enter('tenantry_login', String(accountId))
  const result = statement()
  enter('tenantry_app', '')
  return result
}
