/**
 * Requests that the service sends to itself, for approvals and assistants. A replay uses the context of a caller whom
 * the service has authenticated already, and the transaction of that context. A change with the header `X-Approval-ID`
 * runs its handler in one transaction.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { FastifyContextConfig, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { GatheredRequest } from '../access/operations.ts'
import type { Ctx } from '../context.ts'
import { AppError, errorCodes, invalid, type ErrorName } from '../errors/app-error.ts'
import { RouteRefusal } from '../errors/route-refusal.ts'
import type { App } from './app-type.ts'

interface Replayed {
  ctx: Ctx
  /** Names the one request that may use the context. */
  nonce: string
}

const replayed = new AsyncLocalStorage<Replayed>()

const nonceHeader = 'x-tenantry-replay'

/**
 * The context of a replayed request. Undefined for requests from outside: they do not know the random name of a replay,
 * whatever asynchronous context they are handled in.
 */
export const replayedCtx = ({ raw }: Pick<FastifyRequest, 'raw'>): Ctx | undefined => {
  const store = replayed.getStore()
  return store && raw.headers[nonceHeader] === store.nonce ? store.ctx : undefined
}

/** Sends a request again in a context. Resolves with the data of its answer. Throws its refusal. */
export type Replay = (ctx: Ctx, request: GatheredRequest) => Promise<unknown>

const names = new Map(Object.entries(errorCodes).map(([name, code]) => [code as number, name as ErrorName]))

interface Envelope {
  code: number
  message: string
  data: object | null
}

const dots = /^(?:\.|%2e){1,2}$/i

/** Throws 400 for a path with the segments `.` and `..`, by which it would reach another route than it shows. */
const requirePlainPath = (path: string): void => {
  const [plain = ''] = path.replaceAll(/[\t\n\r]/g, '').split('?', 1)
  if (plain.includes('#') || plain.split(/[/\\]/).some((segment) => dots.test(segment))) {
    throw invalid('path', 'must have no # and no segments . and ..')
  }
}

const retryAfterOf = (header: unknown): number | undefined =>
  header === undefined ? undefined : Number(header)

export const createReplay =
  (app: App, basePath: string): Replay =>
  async (ctx, { method, path, body }) => {
    requirePlainPath(path)
    const nonce = randomUUID()
    const answer = await replayed.run({ ctx, nonce }, async () =>
      app.inject({
        method: method as 'POST',
        url: `${basePath}${path}`,
        headers: { [nonceHeader]: nonce, ...(body !== null && { 'content-type': 'application/json' }) },
        ...(body !== null && { payload: JSON.stringify(body) }),
      }),
    )
    const { code, message, data } = answer.json<Partial<Envelope>>()
    if (answer.statusCode < 400) return data
    // Errors in another form come from other protocols.
    if (code === undefined || message === undefined) throw notReplayed()
    const retryAfterSeconds = retryAfterOf(answer.headers['retry-after'])
    throw new RouteRefusal(names.get(code) ?? 'internal', message, {
      ...(data && { data }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  }

const notReplayed = () => new AppError('malformedRequest', 'This route is not replayed')

/** Whether a context may replay a route. One that gathers the effects of a change replays changes alone. */
const isOpenTo = ({ gathering }: Ctx, { isApprovable, isReplayable }: FastifyContextConfig): boolean =>
  isApprovable === true || (isReplayable === true && !gathering)

/** Refuses replays of all routes that declare none, and requests that only look like replays. */
export const refuseOtherReplays = (app: App): void => {
  app.addHook('onRequest', (request, _reply, done) => {
    const isReplay = request.raw.headers[nonceHeader] !== undefined
    const ctx = replayedCtx(request)
    const isOpen = !isReplay || (ctx !== undefined && isOpenTo(ctx, request.routeOptions.config))
    done(isOpen ? undefined : notReplayed())
  })
}

/** Lets the routes of the scope be replayed for assistants. */
export const allowReplays = (app: App): void => {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, isReplayable: true }
  })
}

/** Makes a change with an approval: `make` runs the handler in the transaction of the context that it gets. */
export type UseApproval = <T>(
  ctx: Ctx,
  asked: { id: number; request: GatheredRequest },
  make: (ctx: Ctx) => Promise<T>,
) => Promise<T>

/** Questions about approvals, and decisions, are no changes that need approval. */
const ofApprovals = /\/approvals(?:\/|$)/

const idPattern = /^[1-9]\d{0,15}$/

const approvalIdOf = ({ raw: { headers } }: FastifyRequest): number | undefined => {
  const text = headers['x-approval-id']
  if (text === undefined) return undefined
  if (typeof text === 'string' && idPattern.test(text)) return Number(text)
  throw invalid('X-Approval-ID', 'must be the id of an approval')
}

/** Lets changes of the scope's routes carry an approval, and be rehearsed. Register it before the envelope. */
export const useApprovals = (app: App, basePath: string, use: UseApproval): void => {
  const requestOf = ({ method, url, body }: FastifyRequest): GatheredRequest => ({
    method,
    path: url.startsWith(basePath) ? url.slice(basePath.length) : url,
    // As it was sent: a checked list has its items.
    body: JSON.parse(JSON.stringify(body ?? null)) as unknown,
  })
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD' || ofApprovals.test(route.url)) return
    route.config = { ...route.config, isApprovable: true }
    const { handler } = route
    const wrapped: RouteHandlerMethod = async function (request, reply) {
      const { gathering } = request.ctx
      if (gathering) {
        gathering.request = requestOf(request)
        return handler.call(this, request, reply)
      }
      const id = approvalIdOf(request)
      if (id === undefined) return handler.call(this, request, reply)
      return use(request.ctx, { id, request: requestOf(request) }, async (ctx) => {
        request.ctx = ctx
        return handler.call(this, request, reply)
      })
    }
    route.handler = wrapped
  })
}
