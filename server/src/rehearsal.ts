import type { Ctx, UncheckedCtx } from './context.ts'
import type { Cache, Invalidation } from './cache/cache.ts'
import type { Db, DbRole, Scope, Store, TransactionDb } from './db/client.ts'
import { isAborted } from './db/errors.ts'
import { asPart } from './db/savepoint.ts'
import { roleOf, settingsOf } from './db/scope.ts'

/**
 * Runs `work` in one transaction. Service functions that `work` calls with its context run their own transactions
 * within it. Each of these sees the changes of the earlier ones. After the commit every replica receives all changes.
 */
export const inOneTransaction = async <T>(ctx: Ctx, work: (ctx: UncheckedCtx) => Promise<T>): Promise<T> => {
  const { parts, tenantId } = ctx
  const { store, cache } = parts
  let changes: Invalidation[] = []
  const result = await store.transaction({ tenantId }, async (db) => {
    changes = []
    const within = { ...parts, store: storeWithin(store, db), cache: holdBack(cache, changes) }
    return work({ ...ctx, parts: within, db, changes: [], effects: [] })
  })
  for (const change of new Set(changes)) await cache.publish(change)
  return result
}

/** Does the same as `inOneTransaction`, but always rolls the transaction back. Throws the error of `work`. */
export const rehearse = <T>(ctx: Ctx, work: (ctx: UncheckedCtx) => Promise<T>): Promise<T> =>
  rollingBack((doomed) => inOneTransaction(ctx, doomed), work)

/** Runs `work` in a transaction that `begin` opens, and always rolls it back. Throws the error of `work`. */
export const rollingBack = async <Within, T>(
  begin: (doomed: (ctx: Within) => Promise<never>) => Promise<never>,
  work: (ctx: Within) => Promise<T>,
): Promise<T> => {
  const outcome: { result?: T } = {}
  const over = new Error('a rehearsal is rolled back')
  try {
    await begin(async (ctx) => {
      outcome.result = await work(ctx)
      throw over
    })
  } catch (err) {
    if (err !== over) throw err
  }
  return outcome.result as T
}

/** A store whose transactions are parts of a running one. A failed part ends the running transaction. */
const storeWithin = (store: Store, db: TransactionDb): Store => ({
  ...store,
  scoped: () => {
    throw new Error('a rehearsal sends every statement in its transaction')
  },
  transaction: (_scope, work) => runWithin(db, work),
})

/**
 * Runs `work` in one transaction with all reads and transactions of its context, each in its own scope, one after
 * another. After the commit every replica receives all changes. What outlasts `work` is refused.
 */
export const inOneSession = async <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  const { parts, tenantId } = ctx
  let changes: Invalidation[] = []
  const result = await parts.store.transaction({ tenantId }, async (db) => {
    changes = []
    const { store, close } = sessionOver(parts.store, db)
    const within = { ...parts, store, cache: holdBack(parts.cache, changes) }
    try {
      return await work({ ...ctx, parts: within, db: store.scoped({ tenantId }) })
    } finally {
      await close()
    }
  })
  for (const change of new Set(changes)) await parts.cache.publish(change)
  return result
}

/**
 * A store over a running transaction. Its parts wait for each other, because each sets its scope. A failed part leaves
 * no change, as a failed transaction.
 */
const sessionOver = (store: Store, db: TransactionDb): { store: Store; close: () => Promise<void> } => {
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  const inTurn = <T>(scope: Scope, role: DbRole, work: (db: TransactionDb) => Promise<T>): Promise<T> => {
    const turn = last.then(() => {
      if (isOver) throw new Error('the transaction of this request is over')
      const { tenantId = '', accountId = '' } = scope
      db.send(settingsOf({ role, 'app.tenant_id': tenantId, 'app.account_id': String(accountId) }))
      return asPart(db, () => runWithin(db, work))
    })
    last = turn.catch(() => undefined)
    return turn
  }
  const scoped = (scope: Scope): Db => {
    const role = roleOf(scope)
    return {
      many: (statement) => inTurn(scope, role, (db) => db.many(statement)),
      one: (statement) => inTurn(scope, role, (db) => db.one(statement)),
      only: (statement) => inTurn(scope, role, (db) => db.only(statement)),
      run: (statement) => inTurn(scope, role, (db) => db.run(statement)),
    }
  }
  const transaction: Store['transaction'] = (scope, work, role = 'tenantry_app') => inTurn(scope, role, work)
  return {
    store: { ...store, scoped, transaction, reading: (scope, work) => transaction(scope, work) },
    close: async () => {
      isOver = true
      await last
    },
  }
}

/** Runs a part of a transaction. A part has no commit of its own: it ends when all sent statements are answered. */
const runWithin = async <T>(db: TransactionDb, work: (db: TransactionDb) => Promise<T>): Promise<T> => {
  const sent: Promise<unknown>[] = []
  const send: TransactionDb['send'] = (statement) => {
    const answered = db.run(statement)
    answered.catch(() => undefined) // thrown at the end of the part
    sent.push(answered)
  }
  try {
    const result = await work({ ...db, send })
    await Promise.all(sent)
    return result
  } catch (err) {
    await Promise.allSettled(sent)
    // The error only repeats that an earlier statement failed. The await throws the error of that statement.
    if (isAborted(err)) await Promise.all(sent)
    throw err
  }
}

/** Collects messages instead of publishing them. `inOneTransaction` publishes them after the commit. */
const holdBack = (cache: Cache, changes: Invalidation[]): Cache => ({
  ...cache,
  publish: async (change) => {
    changes.push(change)
  },
  forgetPresence: async () => undefined,
})
