/** Reads the callers of streams again. Ends a stream if its caller may no longer follow it. */
import { policies, requireMay } from '../../../access/policies.ts'
import { requireStillAllowed, type Parts } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import * as store from './events.store.ts'
import type { EndReason } from './events.schemas.ts'
import { end, hasExpired, type Listener } from './listener.ts'

/** The most callers that are read at once. */
const readsAtOnce = 20
/** The interval between two reads of a caller while this replica receives no messages of others. */
const uncertainMs = 1250
/** The interval for support sessions, which much can end. */
const supportMs = 1250
/** The interval otherwise, because the sealed log and the sessions' table report changes sooner. */
const certainMs = 15_000

export interface CallerChecks {
  /** Reads the callers of these streams, after the reads in progress. */
  check(listeners: Iterable<Listener>): void
  /** Reads the callers whose last read is too old. */
  checkOld(listeners: Iterable<Listener>): void
  /**
   * Reads the callers whose sessions have ended. A replica that loses Redis, or dies between commit and message, does
   * not report an end. The record is in the tenant of the change, but the session can belong to another tenant.
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
      // The caller's permissions are unknown, so the client must connect again.
      ctx.parts.log.warn({ err }, 'a stream was closed, because its caller could not be read')
      listener.line.close()
    }
  }
}

const reasonOf = (listener: Listener, { status }: AppError): EndReason => {
  if (hasExpired(listener, listener.ctx.parts.now())) return 'expired'
  return status === 401 ? 'signed_out' : 'not_allowed'
}

export const createCallerChecks = ({
  cache,
  store: database,
}: Pick<Parts, 'cache' | 'store'>): CallerChecks => {
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
      const usualMs = cache.isHearing() ? certainMs : uncertainMs
      const isOld = ({ checkedAt, ctx: { actor } }: Listener) =>
        checkedAt < performance.now() - (actor.support ? supportMs : usualMs)
      check([...listeners].filter(isOld))
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
