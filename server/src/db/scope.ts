import sql, { type Sql } from 'sql-template-tag'
import type { Outcome, Statement } from './batch.ts'
import type { Db, DbRole, Scope } from './client.ts'

/** PostgreSQL ends a statement itself after this long; half a second later its client gives up on the connection. */
const statementTimeoutMs = 4_000
/** A transaction whose process froze or vanished gives up its locks after this long. */
const idleInTransactionMs = 15_000

/**
 * Everything here lasts until the end of the transaction only (the last argument of `set_config`), on purpose: the
 * next user of the connection starts with nothing, whether that is another request on the same lane, another replica
 * behind PgBouncer in transaction mode, or the one session of the embedded database. The role comes first, so that
 * whatever else the login role may do, no statement of a request can. Nothing is compiled: where PostgreSQL expects a
 * statement to be long, that alone takes longer than ours do. It is the condition of a row that there never is: nothing
 * has to be sent back.
 */
const scopeText = `select where concat(set_config('role', $1, true), set_config('app.tenant_id', $2, true),
 set_config('app.account_id', $3, true), set_config('statement_timeout', '${statementTimeoutMs}', true),
 set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', true), set_config('jit', 'off', true)) is null`

/** The statement that puts a transaction into scope; what is not in scope is set to '', which no policy matches. */
export const scopeStatement = ({ tenantId, accountId }: Scope, role: DbRole): Statement => ({
  text: scopeText,
  values: [role, tenantId ?? '', accountId ?? ''],
})

/** A handle on a way to run one statement. */
export const dbOver = (execute: <Row>(statement: Statement) => Promise<Outcome<Row>>): Db => ({
  many: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows,
  one: async <Row>(statement: Sql) => (await execute<Row>(statement)).rows[0],
  run: async (statement: Sql) => (await execute(statement)).rowCount ?? 0,
})

/** Takes on another role for the rest of the transaction. */
export const actAs = (db: Db, role: DbRole) => db.run(sql`select set_config('role', ${role}, true)`)
