/** Lets pages of browser applications read answers. Their requests carry no cookies. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Ctx } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import type { App } from './app-type.ts'

/** True if pages of the origin may call the route. */
export type AllowsOrigin = (origin: string) => Promise<boolean>

/** Headers of requests and answers that a scope adds to those of all scopes. */
export interface ExtraHeaders {
  allowed: string[]
  exposed: string[]
}

const noExtra: ExtraHeaders = { allowed: [], exposed: [] }

const preflightHeaders = ({ allowed }: ExtraHeaders) => ({
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': [
    'authorization, content-type, traceparent, mcp-protocol-version',
    ...allowed,
  ].join(', '),
  'access-control-max-age': '600',
})

/** Answers the CORS preflights of the routes that `concerns` selects. */
const answerPreflights = (
  app: App,
  concerns: (config?: FastifyContextConfig) => boolean,
  extra = noExtra,
): void => {
  const paths = new Set<string>()
  app.addHook('onRoute', ({ config, routePath }) => {
    if (!concerns(config) || paths.has(routePath)) return
    paths.add(routePath)
    app.options(routePath, { config: { ...config }, schema: { hide: true } }, async (_request, reply) => {
      if (reply.hasHeader('access-control-allow-origin')) reply.headers(preflightHeaders(extra))
      return reply.code(204).send()
    })
  })
}

/** Lets pages of allowed origins call the scope's routes for browsers. */
export const allowPageOrigins = (app: App, allows: AllowsOrigin, extra = noExtra): void => {
  const exposed = ['x-trace-id, retry-after, www-authenticate', ...extra.exposed].join(', ')
  answerPreflights(app, (config) => config?.isForBrowsers === true, extra)
  app.addHook('onRequest', async ({ routeOptions, headers: { origin } }, reply) => {
    if (!routeOptions.config.isForBrowsers) return
    reply.header('vary', 'origin')
    if (origin === undefined || !(await allows(origin))) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', exposed)
  })
}

/**
 * Lets every page call the routes for clients that registered themselves, if the configuration allows such clients. A
 * preflight names no client, so it passes. `isSelfRegistered` decides about the client of a request.
 */
export const allowAssistants = (
  app: App,
  { clientDocuments, clientRegistration }: Config,
  isSelfRegistered: (ctx: Ctx, clientId: string) => Promise<boolean>,
): void => {
  if (clientDocuments === 'off' && clientRegistration === 'off') return
  const allow = (reply: FastifyReply) => reply.header('access-control-allow-origin', '*')
  const concerns = (request: FastifyRequest, reply: FastifyReply): boolean =>
    request.routeOptions.config.isForAssistants === true && !reply.hasHeader('access-control-allow-origin')
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS' && concerns(request, reply)) allow(reply)
  })
  app.addHook('preValidation', async (request, reply) => {
    const { client_id: clientId } = (request.body ?? {}) as { client_id?: unknown }
    if (typeof clientId !== 'string' || !concerns(request, reply)) return
    if (await isSelfRegistered(request.ctx, clientId)) allow(reply)
  })
}

/** Lets every page call the routes of the scope, which use no cookies. */
export const allowEveryOrigin = (app: App): void => {
  answerPreflights(app, () => true)
  app.addHook('onRequest', (_request: FastifyRequest, reply: FastifyReply, done) => {
    reply.header('access-control-allow-origin', '*')
    done()
  })
}

/** Throws 403 unless the request comes from a page of this installation. */
export const requireOwnPages = (app: App): void => {
  app.addHook('onRequest', async ({ method, headers, ctx }) => {
    if (method === 'GET') return
    const own = new URL(ctx.parts.config.publicUrl).origin
    if (headers['sec-fetch-site'] === 'same-origin' || headers.origin === own) return
    throw new AppError('foreignPage', 'Only a page of this service may do this')
  })
}
