import type { Cache, Limit } from '../../cache/cache.ts'
import type { Ctx } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { sourceOf } from '../../source.ts'
import { fold } from '../../text.ts'

/** Contract, Authentication: after ten failures in 15 minutes a source waits. */
const perSource: Limit = { name: 'guess-source', points: 10, windowSeconds: 900 }
/** "A far higher count over all sources slows the account as a whole": ten sources' worth. */
const perAccount: Limit = { name: 'guess-account', points: 100, windowSeconds: 900 }
/** A slowed account takes one attempt a minute from each source: its owner, from elsewhere, is never locked out. */
const whenSlowed: Limit = { name: 'guess-slowed', points: 1, windowSeconds: 60 }

const tooMany = (retryAfterSeconds: number) =>
  new AppError('tooManyFailures', `Too many failed attempts. Try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })

const giveBack = async (cache: Cache, limits: Limit[], key: string): Promise<void> => {
  for (const limit of limits) await cache.giveBack(limit, key)
}

/**
 * Runs one attempt at a password within the limits on guessing: 429 when they are used up. The attempt is counted
 * before it runs, so that many at once cannot slip through, and given back unless it failed. `attempt` tells whether
 * the password was right.
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
    // What was refused was no failure: kept, it would lengthen the wait.
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
