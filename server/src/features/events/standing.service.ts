/** Looks whether the callers of streams still stand: a stream ends when its caller may not hear it any more. */
import { policies, requireMay } from '../../access/policies.ts'
import { requireStillAllowed, type Parts } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { end, type Listener } from './listener.ts'

/** Callers that are read at the same time. */
const readsAtOnce = 20
/** Without word from the other replicas each caller is read this often. */
const uncertainMs = 1250
/** Otherwise this often: a replica can die between its commit and its message. */
const certainMs = 15_000

export interface Standing {
  /** Reads the callers of these streams, after the reads under way. */
  check(listeners: Iterable<Listener>): void
  /** Reads the callers that were not read for long. */
  checkOld(listeners: Iterable<Listener>): void
}

const checkOne = async (listener: Listener): Promise<void> => {
  const { ctx } = listener
  listener.checkedAt = performance.now()
  try {
    const actor = await requireStillAllowed(ctx)
    if (listener.hearsAllTenants) requireMay(actor, policies.hearAllTenants, undefined)
    listener.ctx = { ...ctx, actor }
  } catch (err) {
    if (err instanceof AppError && err.status < 500) {
      end(listener, err.status === 401 ? 'signed_out' : 'not_allowed')
    } else {
      // Nobody knows whether the caller stands: the client connects again.
      ctx.parts.log.warn({ err }, 'a stream was closed, because its caller could not be read')
      listener.line.close()
    }
  }
}

export const createStanding = ({ cache }: Pick<Parts, 'cache'>): Standing => {
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
  }
}
