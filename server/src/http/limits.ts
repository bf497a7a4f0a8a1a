import { createMemoryLimiter } from '../cache/limiter.ts'
import type { Limit } from '../cache/cache.ts'
import type { Parts } from '../context.ts'
import { AppError } from '../errors.ts'
import { sourceOf } from '../source.ts'
import type { App } from './app-type.ts'

/**
 * Bounds what one caller can ask of this process, however many replicas there are: 100 requests a second for a
 * signed-in user, 5 for a source that has not signed in, over a minute. Guessing passwords is limited apart
 * (guessing.ts).
 */
const signedIn: Limit = { name: 'signed-in', points: 6000, windowSeconds: 60 }
const anonymous: Limit = { name: 'anonymous', points: 300, windowSeconds: 60 }
/** Many users behind one address may come with a token that has just expired. */
const refused: Limit = { name: 'refused', points: 1200, windowSeconds: 60 }

/** Counts one request of a caller or a source: 429 beyond the limit. */
export type CountRequest = (key: string) => Promise<void>

const createCount = (limit: Limit, { config }: Pick<Parts, 'config'>): CountRequest => {
  if (!config.rateLimit) return async () => {}
  const limiter = createMemoryLimiter()
  return async (key) => {
    const { allowed, retryAfterSeconds } = await limiter.consume(limit, key)
    if (!allowed) throw new AppError('tooManyRequests', 'Too many requests. Slow down', { retryAfterSeconds })
  }
}

/** For routes without authentication. */
export const limitSources = (app: App, parts: Parts): void => {
  const count = createCount(anonymous, parts)
  app.addHook('onRequest', async ({ ip }) => count(sourceOf(ip)))
}

/** For requests whose token is refused: they come from a source that has not signed in. */
export const countRefused = (parts: Parts): CountRequest => {
  const count = createCount(refused, parts)
  return (ip) => count(sourceOf(ip))
}

/** For routes of signed-in callers; after authentication. Users of two tenants can have the same id. */
export const limitCallers = (app: App, parts: Parts): void => {
  const count = createCount(signedIn, parts)
  app.addHook('onRequest', async ({ ctx }) => count(`${ctx.actor.tenantId} ${ctx.actor.userId}`))
}
