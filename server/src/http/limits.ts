import type { FastifyRequest } from 'fastify'
import { createMemoryLimiter } from '../cache/limiter.ts'
import type { Actor } from '../access/actor.ts'
import type { Limit } from '../cache/cache.ts'
import type { Parts } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { sourceOf } from '../values/source.ts'
import type { App } from './app-type.ts'

/**
 * Limits of this process. A source without a valid token has 5 requests a second, averaged over a minute. Settings
 * limit signed-in callers. Password guessing has its own limits (guessing.service.ts). Decision 0027 explains why each process
 * counts for itself.
 */
const anonymous: Limit = { name: 'anonymous', points: 300, windowSeconds: 60 }
/** Many users behind one address can send expired tokens at the same time. */
const refused: Limit = { name: 'refused', points: 1200, windowSeconds: 60 }

/** Counts one request of a caller or a source. Throws 429 beyond the limit. */
export type CountRequest = (key: string) => Promise<void>

const createCount = (limit: Limit, { config, now }: Pick<Parts, 'config' | 'now'>): CountRequest => {
  if (!config.rateLimit) return async () => {}
  const limiter = createMemoryLimiter(now)
  return async (key) => {
    const { allowed, retryAfterSeconds } = await limiter.consume(limit, key)
    if (!allowed) throw new AppError('tooManyRequests', 'Too many requests. Slow down', { retryAfterSeconds })
  }
}

/** Limits routes without authentication, by source. */
export const limitSources = (app: App, parts: Parts): void => {
  const count = createCount(anonymous, parts)
  app.addHook('onRequest', async ({ ctx }) => count(sourceOf(ctx.origin.ip)))
}

/** Limits requests with a refused token, by source. */
export const countRefused = (parts: Parts): CountRequest => {
  const count = createCount(refused, parts)
  return (ip) => count(sourceOf(ip))
}

const perMinute = (name: string, points: number): Limit => ({ name, points, windowSeconds: 60 })

/** Counts a part of a large request as a request of the caller. Throws 429 beyond the limit. */
export type CountCaller = (actor: Actor) => Promise<void>

/** The requests of a support session are not those of its user. */
const subjectOf = ({ guest, support, userId }: Actor): string | number =>
  guest?.linkId ?? support?.id ?? userId

/**
 * Counts each user, each key and the guests of each setup link separately. The counter's name contains the tenant,
 * because two tenants can have equal ids.
 */
export const createCallerCount = (parts: Pick<Parts, 'config' | 'now'>): CountCaller => {
  const { requestsPerMinute, keyRequestsPerMinute } = parts.config
  const countUser = createCount(perMinute('users', requestsPerMinute), parts)
  const countKey = createCount(perMinute('keys', keyRequestsPerMinute), parts)
  return (actor) =>
    actor.key
      ? countKey(`${actor.tenantId} ${actor.key.id}`)
      : countUser(`${actor.tenantId} ${subjectOf(actor)}`)
}

/** Counts requests of directories: 50 a second for a key (docs/contract.md, "Limits"). */
export const createDirectoryCount = (parts: Pick<Parts, 'config' | 'now'>): CountCaller => {
  const count = createCount({ name: 'directories', points: 50, windowSeconds: 1 }, parts)
  return ({ tenantId, key }) => count(`${tenantId} ${key?.id ?? 0}`)
}

/** Counts calls of assistants, and those that change something: 120 and 20 a minute for a session or key. */
export const createAssistantCount = (
  parts: Pick<Parts, 'config' | 'now'>,
): { call: CountCaller; change: CountCaller } => {
  const keyOf = ({ tenantId, credential }: Actor) => `${tenantId} ${credential?.id ?? ''}`
  const call = createCount(perMinute('calls of assistants', 120), parts)
  const change = createCount(perMinute('changes of assistants', 20), parts)
  return { call: (actor) => call(keyOf(actor)), change: (actor) => change(keyOf(actor)) }
}

/** Limits signed-in callers, after authentication. Returns the counter, for requests that count as several. */
export const limitCallers = (app: App, parts: Parts): CountCaller => {
  const countCaller = createCallerCount(parts)
  app.addHook('onRequest', async ({ ctx: { actor } }) => countCaller(actor))
  return countCaller
}

/**
 * A client with a valid proof has a limit of its own. Any other client shares the limit of its source
 * (docs/contract.md, "Sign in with Tenantry").
 */
export interface ClientLimits {
  /** The key is the address of a request. */
  countSource: CountRequest
  /** The key is the id of a client. */
  countClient: CountRequest
}

export const createClientLimits = (parts: Parts): ClientLimits => {
  const count = createCount(perMinute('sources of clients', 300), parts)
  return {
    countSource: (ip) => count(sourceOf(ip)),
    countClient: createCount(perMinute('clients', 6000), parts),
  }
}

/**
 * The user of a question about permissions, as text of limited length. The question is not validated yet. A value of
 * any other type counts as no user.
 */
const askedUser = ({ query, body }: FastifyRequest): string => {
  const [inBody, inQuery] = [body, query].map((part) => (part as { user_id?: unknown } | undefined)?.user_id)
  const asked = inBody ?? inQuery
  return typeof asked === 'number' || typeof asked === 'string' ? String(asked).slice(0, 20) : ''
}

/**
 * Limits questions about permissions. A product's backend asks about all its users with one key, so each user in its
 * questions has the limit of a key. Each kind of question has a counter of its own. Otherwise a flood of checks would
 * block the guard's question, and the user could not use the product.
 */
export const limitQuestions = (app: App, parts: Parts): void => {
  const { requestsPerMinute, keyRequestsPerMinute } = parts.config
  const countUser = createCount(perMinute('questions', requestsPerMinute), parts)
  const countKey = createCount(perMinute('questions of keys', keyRequestsPerMinute), parts)
  app.addHook('preValidation', async (request) => {
    const { actor, tenantId } = request.ctx
    if (!actor.key) return countUser(`${actor.tenantId} ${subjectOf(actor)}`)
    const question = `${tenantId} ${askedUser(request)} ${request.routeOptions.url ?? ''}`
    return countKey(`${actor.tenantId} ${actor.key.id} ${question}`)
  })
}
