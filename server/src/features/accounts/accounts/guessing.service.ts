import type { Cache, Limit } from '../../../cache/cache.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { sourceOf } from '../../../values/source.ts'
import { fold } from '../../../values/text.ts'

/** A source waits after ten failures in 15 minutes (docs/contract.md, "Authentication"). */
const perSource: Limit = { name: 'guess-source', points: 10, windowSeconds: 900 }
/** Failures from all sources together slow the account. The limit is ten times that of a source. */
const perAccount: Limit = { name: 'guess-account', points: 100, windowSeconds: 900 }
/** A slowed account accepts one attempt a minute from each source, so that attackers cannot lock the owner out. */
const whenSlowed: Limit = { name: 'guess-slowed', points: 1, windowSeconds: 60 }

const tooMany = (retryAfterSeconds: number) =>
  new AppError('tooManyFailures', `Too many failed attempts. Try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })

const giveBack = async (cache: Cache, limits: Limit[], key: string): Promise<void> => {
  for (const limit of limits) await cache.giveBack(limit, key)
}

/**
 * Runs one password attempt within the limits on guessing; throws 429 above them. Counts the attempt before it runs, so
 * that parallel attempts cannot exceed the limit. Uncounts it unless it fails. `attempt` returns whether the password
 * is right.
 */
export const countingGuesses = async (
  ctx: Ctx,
  email: string,
  attempt: () => Promise<boolean>,
): Promise<boolean> => {
  const { cache, config } = ctx.parts
  if (!config.rateLimit) return attempt()
  const account = fold(email)
  const key = `${account} ${sourceOf(ctx.origin.ip)}`
  const isSlowed = (await cache.count(perAccount, account)) >= perAccount.points
  const limits = isSlowed ? [perSource, whenSlowed] : [perSource]
  const taken: Limit[] = []
  for (const limit of limits) {
    const { allowed, retryAfterSeconds } = await cache.consume(limit, key)
    taken.push(limit)
    if (allowed) continue
    // The count drops a refused attempt, because it would lengthen the wait.
    await giveBack(cache, taken, key)
    throw tooMany(retryAfterSeconds)
  }
  let isWrong = false
  try {
    const isRight = await attempt()
    isWrong = !isRight
    return isRight
  } finally {
    if (isWrong) await cache.consume(perAccount, account)
    else await giveBack(cache, limits, key)
  }
}
