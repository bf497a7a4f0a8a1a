/** Pages of other origins that may read answers: those of browser applications, never with cookies. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

/** Whether pages of an origin may call. */
export type AllowsOrigin = (origin: string) => Promise<boolean>

/** Headers of requests and answers that a scope adds to those of all scopes. */
export interface FurtherHeaders {
  allowed: string[]
  exposed: string[]
}

const preflightHeaders = ({ allowed }: FurtherHeaders) => ({
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': ['authorization, content-type, traceparent', ...allowed].join(', '),
  'access-control-max-age': '600',
})

/** Lets pages of allowed origins call the routes of the scope that are for browsers. */
export const allowPageOrigins = (
  app: App,
  allows: AllowsOrigin,
  further: FurtherHeaders = { allowed: [], exposed: [] },
): void => {
  const exposed = ['x-trace-id, retry-after, www-authenticate', ...further.exposed].join(', ')
  const preflights = new Set<string>()
  app.addHook('onRoute', ({ config, routePath }) => {
    if (!config?.isForBrowsers || preflights.has(routePath)) return
    preflights.add(routePath)
    app.options(
      routePath,
      { config: { isForBrowsers: true }, schema: { hide: true } },
      async (_request, reply) => {
        if (reply.hasHeader('access-control-allow-origin')) reply.headers(preflightHeaders(further))
        return reply.code(204).send()
      },
    )
  })
  app.addHook('onRequest', async ({ routeOptions, headers: { origin } }, reply) => {
    if (!routeOptions.config.isForBrowsers) return
    reply.header('vary', 'origin')
    if (origin === undefined || !(await allows(origin))) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', exposed)
  })
}

/** Every page may read public documents. */
export const allowEveryOrigin = (app: App): void => {
  app.addHook('onRequest', (_request: FastifyRequest, reply: FastifyReply, done) => {
    reply.header('access-control-allow-origin', '*')
    done()
  })
}

/** Throws 403 unless a page of this installation asks. */
export const requireOwnPages = (app: App): void => {
  app.addHook('onRequest', async ({ method, headers, ctx }) => {
    if (method === 'GET') return
    const own = new URL(ctx.parts.config.publicUrl).origin
    if (headers['sec-fetch-site'] === 'same-origin' || headers.origin === own) return
    throw new AppError('foreignPage', 'Only a page of this service may do this')
  })
}
