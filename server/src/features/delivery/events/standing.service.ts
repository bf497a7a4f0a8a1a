/** Checks the callers of streams again: a stream ends when its caller may not follow it any more. */
import { policies, requireMay } from '../../../access/policies.ts'
import { requireStillAllowed, type Parts } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import * as store from './events.store.ts'
import type { EndReason } from './events.schemas.ts'
import { end, hasExpired, type Listener } from './listener.ts'

/** Callers that are read at the same time. */
const readsAtOnce = 20
/** Without word from the other replicas each caller is read this often. */
const uncertainMs = 1250
/** Otherwise this often, beside what the sealed log and the table of sessions tell. */
const certainMs = 15_000

export interface Standing {
  /** Reads the callers of these streams, after the reads under way. */
  check(listeners: Iterable<Listener>): void
  /** Reads the callers that were not read for long. */
  checkOld(listeners: Iterable<Listener>): void
  /**
   * Reads the callers whose sessions have ended. Nobody may have told of it: a replica can lose Redis, or die between its
   * commit and its message. The record then stands in the tenant of the change, and the session can be of another one.
   */
  checkSessions(listeners: Iterable<Listener>): Promise<void>
}

const checkOne = async (listener: Listener): Promise<void> => {
  const { ctx } = listener
  listener.checkedAt = performance.now()
  try {
    const actor = await requireStillAllowed(ctx)
    if (listener.receivesAllTenants) requireMay(actor, policies.receiveAllTenants, undefined)
    listener.ctx = { ...ctx, actor }
  } catch (err) {
    if (err instanceof AppError && err.status < 500) {
      end(listener, reasonOf(listener, err))
    } else {
      // Nobody knows whether the caller stands: the client connects again.
      ctx.parts.log.warn({ err }, 'a stream was closed, because its caller could not be read')
      listener.line.close()
    }
  }
}

const reasonOf = (listener: Listener, { status }: AppError): EndReason => {
  if (hasExpired(listener, listener.ctx.parts.now())) return 'expired'
  return status === 401 ? 'signed_out' : 'not_allowed'
}

export const createStanding = ({ cache, store: database }: Pick<Parts, 'cache' | 'store'>): Standing => {
  const due = new Set<Listener>()
  let isRunning = false

  const run = async (): Promise<void> => {
    isRunning = true
    while (due.size > 0) {
      const some = [...due].slice(0, readsAtOnce)
      for (const listener of some) due.delete(listener)
      await Promise.all(some.map(checkOne))
    }
    isRunning = false
  }

  const check = (listeners: Iterable<Listener>): void => {
    for (const listener of listeners) due.add(listener)
    if (!isRunning) void run()
  }

  return {
    check,
    checkOld: (listeners) => {
      const before = performance.now() - (cache.isHearing() ? certainMs : uncertainMs)
      check([...listeners].filter(({ checkedAt }) => checkedAt < before))
    },
    async checkSessions(listeners) {
      const bySession = Map.groupBy(
        [...listeners].filter(({ ctx }) => ctx.actor.credential?.kind === 'session'),
        ({ ctx }) => ctx.actor.credential?.id ?? '',
      )
      if (bySession.size === 0) return
      const tenantIds = [...bySession.values()].map(([first]) => first?.ctx.actor.tenantId ?? '')
      const ended = await database.transaction(
        {},
        (db) => store.selectEndedSessions(db, tenantIds, [...bySession.keys()]),
        'tenantry_search',
      )
      check(ended.flatMap(({ id }) => bySession.get(id) ?? []))
    },
  }
}
