import type pg from 'pg'
import { openTransactionSender, type TransactionSender, type Outcome, type Statement } from './batch.ts'
import type { DbRole, Scope, TransactionDb } from './client.ts'
import { DatabaseUnavailable, isAborted } from './errors.ts'
import type { Pool } from './pool.ts'
import { repeatUndone } from './repeat.ts'
import { dbOver, scopeStatement } from './scope.ts'

/** One attempt at a transaction, on a connection of its own. */
interface Attempt {
  execute: TransactionSender
  /** True if no statement may use the connection any more, because another caller can have it. */
  ended: boolean
  /** The first error of any statement, even if `work` caught it. */
  failure: unknown
  /** Statements whose outcome `work` does not await. Each resolves with true if it succeeded. */
  sent: Promise<boolean>[]
  waits: WaitLimits
}

/** The longest waits of a transaction in milliseconds: for the reply to each statement, and for the commit. */
export interface WaitLimits {
  replyMs: number
  commitMs: number
}

/**
 * Runs `work` in one transaction, on a connection of the pool. It commits when `work` resolves, and rolls back when
 * `work` throws. After a deadlock or a serialization conflict all of `work` runs again, at most three more times. So
 * it must have no effects outside the database.
 *
 * Throws the error of `work`, PostgreSQL's error, or DatabaseUnavailable. After a failed commit the outcome is
 * unknown.
 */
export async function runTransaction<T>(
  { pool, waits }: { pool: Pool; waits: WaitLimits },
  opening: { scope: Scope; role: DbRole; mode?: string },
  work: (db: TransactionDb) => Promise<T>,
): Promise<T> {
  const begin = [
    { text: `begin ${opening.mode ?? ''}`, values: [] },
    scopeStatement(opening.scope, opening.role),
  ]
  let failure: unknown
  const attemptOnce = () => {
    failure = undefined
    return pool.lend(async (client, firstReplyMs) => {
      // A request that waited long for its connection has less time for the commit.
      const commitMs = waits.commitMs - (waits.replyMs - firstReplyMs)
      const attempt = newAttempt(client, { ...waits, commitMs })
      try {
        return await runAttempt(attempt, () => attempt.execute(begin, firstReplyMs), work)
      } finally {
        failure = attempt.failure
      }
    })
  }
  return repeatUndone(attemptOnce, () => failure)
}

const newAttempt = (client: pg.Client, waits: WaitLimits): Attempt => ({
  execute: openTransactionSender(client),
  ended: false,
  failure: undefined,
  sent: [],
  waits,
})

async function runAttempt<T>(
  attempt: Attempt,
  begin: () => Promise<unknown>,
  work: (db: TransactionDb) => Promise<T>,
): Promise<T> {
  try {
    // The first statements of `work` leave directly after `begin`. PostgreSQL refuses them if `begin` fails.
    const [, result] = await Promise.all([guarded(attempt, begin()), (async () => work(handleOf(attempt)))()])
    await commit(attempt)
    return result
  } catch (err) {
    await rollback(attempt)
    throw isAborted(err) ? attempt.failure : err
  }
}

const handleOf = (attempt: Attempt): TransactionDb => ({
  ...dbOver(<Row>(statement: Statement) => sendWithin<Row>(attempt, statement)),
  send(statement) {
    // A statement that cannot be sent throws here, so that `work` cannot resolve without it.
    const answered = sendWithin(attempt, statement)
    attempt.sent.push(
      answered.then(
        () => true,
        () => false,
      ),
    )
  },
})

/** Throws at once if the statement cannot be sent. */
function sendWithin<Row>(attempt: Attempt, statement: Statement): Promise<Outcome<Row>> {
  if (attempt.ended) {
    throw new Error('this database handle belongs to a transaction that has ended: await every statement')
  }
  return guarded(attempt, attempt.execute<Row>([statement], attempt.waits.replyMs))
}

async function guarded<T>(attempt: Attempt, answered: Promise<T>): Promise<T> {
  try {
    return await answered
  } catch (err) {
    attempt.failure ??= err
    throw err
  }
}

/**
 * Commits without awaiting sent statements. PostgreSQL answers the commit of a failed transaction with a rollback
 * instead of an error. It skips the commit behind a statement that fails in the same flush.
 */
async function commit(attempt: Attempt): Promise<void> {
  attempt.ended = true
  const statements = [{ text: 'commit', values: [] }]
  const committing = guarded(attempt, attempt.execute(statements, attempt.waits.commitMs))
  const [{ command }, ...sent] = await Promise.all([committing, ...attempt.sent])
  if (command === 'COMMIT') return
  if (sent.includes(false) || attempt.failure instanceof DatabaseUnavailable) throw attempt.failure
  throw new Error('the transaction was rolled back: a statement in it failed and its error was caught', {
    cause: attempt.failure,
  })
}

async function rollback(attempt: Attempt): Promise<void> {
  attempt.ended = true
  // The pool closes the connection, and PostgreSQL rolls the transaction back.
  if (attempt.failure instanceof DatabaseUnavailable) throw attempt.failure
  const undo = () => attempt.execute([{ text: 'rollback', values: [] }], attempt.waits.replyMs)
  await undo().catch((err: unknown) => {
    // A sent statement has just failed. The rollback left in the same flush, so PostgreSQL skipped it.
    if (!isAborted(err)) throw err
    return undo()
  })
}
