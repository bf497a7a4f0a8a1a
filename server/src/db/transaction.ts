import type pg from 'pg'
import { isStalePlan, send } from './batch.ts'
import type { Outcome, Statement } from './batch.ts'
import type { Db, DbRole, Scope } from './client.ts'
import { DatabaseUnavailable, sqlState } from './errors.ts'
import type { Pool } from './pool.ts'
import { dbOver, scopeStatement } from './scope.ts'

/** One attempt at a transaction, on a connection of its own. */
interface Attempt {
  client: pg.Client
  /** No statement may use the connection any more: the next caller may have it. */
  ended: boolean
  /** The error of the first statement that failed, whatever `work` made of it. */
  failure: unknown
  replyMs: number
}

/** Times a transaction is begun anew after it lost a deadlock or a serialization conflict. */
const retriesMax = 3

/**
 * Runs `work` in one transaction, on a connection lent by the pool: committed when it resolves, rolled back when it
 * throws. After a deadlock or a serialization conflict all of `work` runs again, at most three times more, so it must
 * have no effects outside the database. `replyMs` bounds the wait for each statement.
 *
 * Throws what `work` throws, PostgreSQL's error, or DatabaseUnavailable (after a failed commit: outcome unknown).
 */
export async function runTransaction<T>(
  pool: Pool,
  replyMs: number,
  opening: { scope: Scope; role: DbRole; mode?: string },
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const begin = [
    { text: `begin ${opening.mode ?? ''}`, values: [] },
    scopeStatement(opening.scope, opening.role),
  ]
  for (let retries = 0; ; retries++) {
    let failure: unknown
    try {
      return await pool.lend(async (client, firstReplyMs) => {
        const attempt: Attempt = { client, ended: false, failure: undefined, replyMs }
        try {
          return await runAttempt(attempt, () => send(client, begin, firstReplyMs), work)
        } finally {
          failure = attempt.failure
        }
      })
    } catch (err) {
      if (retries === retriesMax || !isWorthRetrying(failure)) throw err
    }
  }
}

async function runAttempt<T>(
  attempt: Attempt,
  begin: () => Promise<unknown>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const db = dbOver((statement) => sendWithin(attempt, statement))
  try {
    // What `work` sends first follows the beginning at once. Should that fail, the server refuses what follows.
    const [, result] = await Promise.all([guarded(attempt, begin), work(db)])
    await commit(attempt)
    return result
  } catch (err) {
    if (!attempt.ended) await rollback(attempt)
    throw err
  }
}

async function sendWithin<Row>(attempt: Attempt, statement: Statement): Promise<Outcome<Row>> {
  if (attempt.ended) {
    throw new Error('this database handle belongs to a transaction that has ended: await every statement')
  }
  return guarded(attempt, () => send<Row>(attempt.client, [statement], attempt.replyMs))
}

async function guarded<T>(attempt: Attempt, statement: () => Promise<T>): Promise<T> {
  try {
    return await statement()
  } catch (err) {
    attempt.failure ??= err
    throw err
  }
}

async function commit(attempt: Attempt): Promise<void> {
  attempt.ended = true
  const statements = [{ text: 'commit', values: [] }]
  const { command } = await guarded(attempt, () => send(attempt.client, statements, attempt.replyMs))
  // PostgreSQL answers the commit of a failed transaction with a rollback and no error.
  if (command === 'COMMIT') return
  if (attempt.failure instanceof DatabaseUnavailable) throw attempt.failure
  throw new Error('the transaction was rolled back: a statement in it failed and its error was caught', {
    cause: attempt.failure,
  })
}

async function rollback(attempt: Attempt): Promise<void> {
  attempt.ended = true
  // The pool closes the connection then, and PostgreSQL rolls back whatever it was in.
  if (attempt.failure instanceof DatabaseUnavailable) throw attempt.failure
  await send(attempt.client, [{ text: 'rollback', values: [] }], attempt.replyMs)
}

const isWorthRetrying = (failure: unknown) =>
  sqlState(failure) === '40001' || sqlState(failure) === '40P01' || isStalePlan(failure)
