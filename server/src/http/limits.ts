import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Ctx, Parts } from '../context.ts'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

/**
 * Bounds what one caller can ask of this process, however many replicas there are: 100 requests a second for a signed-in
 * user, 5 for a source that has not signed in, over a minute. Guessing passwords is limited apart (guessing.ts).
 */
const windowSeconds = 60
const signedInPoints = 6000
const anonymousPoints = 300

interface Caller {
  ip: string
  ctx: Ctx
}

const limitBy = (
  app: App,
  { points, keyOf }: { points: number; keyOf: (caller: Caller) => string },
): void => {
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds })
  app.addHook('onRequest', async (request) => {
    try {
      await limiter.consume(keyOf(request))
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection
      throw new AppError('tooManyRequests', 'Too many requests. Slow down', {
        retryAfterSeconds: Math.max(1, Math.ceil(rejection.msBeforeNext / 1000)),
      })
    }
  })
}

/** For routes without authentication. */
export const limitSources = (app: App, { config }: Parts): void => {
  if (config.rateLimit) limitBy(app, { points: anonymousPoints, keyOf: ({ ip }) => ip })
}

/** For routes of signed-in callers; after authentication. */
export const limitCallers = (app: App, { config }: Parts): void => {
  if (config.rateLimit) limitBy(app, { points: signedInPoints, keyOf: ({ ctx }) => String(ctx.actor.userId) })
}
