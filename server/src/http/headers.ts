import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'

/**
 * Answers hold what only the caller may see: no cache keeps them, no browser guesses their type, runs anything in them,
 * shows them in a frame or lets another site load them (OWASP, REST Security Cheat Sheet: Security Headers).
 */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** What a page of ours may load: from here and nowhere else, no script inline. `own`: what only this page needs. */
export const pagePolicy = (...own: string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ...own,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** A year, once a proxy we trust said that the request came encrypted: browsers then never ask in the clear again. */
const transportSecurity = 'max-age=31536000'

/** Sets them where a route has not said otherwise. */
export const useDefaultHeaders = (app: App): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(defaultHeaders)
    if (request.protocol === 'https') reply.header('strict-transport-security', transportSecurity)
    // We speak nothing else; what follows on a connection that was to be upgraded is not to be trusted.
    if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
    done()
  })
}

/** For the origins that are configured: what browsers may send and read. Tokens travel in headers, never in cookies. */
const corsOptions = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'x-tenant-id', 'traceparent'],
  exposedHeaders: ['x-trace-id', 'x-total-capped', 'retry-after'],
  maxAge: 600,
}

type Done = (err: Error | null, options: object) => void

/** What the CORS plugin is told for a request: an OPTIONS that is no preflight is a method like any other. */
export const corsFor =
  (origins: string[]) =>
  ({ headers }: FastifyRequest, done: Done): void => {
    const preflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined
    done(null, { ...corsOptions, origin: origins, preflight })
  }
