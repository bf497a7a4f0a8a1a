import sql from 'sql-template-tag'
import type { TransactionDb } from './client.ts'
import { isAborted } from './errors.ts'

const undo = sql`rollback to savepoint part`

/** Runs a part of a transaction. If it throws, only the part is rolled back, and the transaction can go on. */
export const asPart = async <T>(db: TransactionDb, work: () => Promise<T>): Promise<T> => {
  db.send(sql`savepoint part`)
  try {
    const result = await work()
    db.send(sql`release savepoint part`)
    return result
  } catch (err) {
    // The first rollback can leave in the flush of a statement that fails, so that PostgreSQL skips it.
    await db.run(undo).catch((failed: unknown) => {
      if (!isAborted(failed)) throw failed
      return db.run(undo)
    })
    throw err
  }
}
