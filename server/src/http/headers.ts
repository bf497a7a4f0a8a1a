import type { FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'

/**
 * Answers belong to one caller: caches do not keep them, and browsers do not sniff, run, frame or share them (OWASP,
 * REST Security Cheat Sheet: Security Headers).
 */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** The content security policy of our pages: own origin only, no inline script. `own` adds the sources of one page. */
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

/** One year. Sent when a trusted proxy says that the request arrived encrypted; browsers then refuse plain HTTP. */
const transportSecurity = 'max-age=31536000'

/** Sets the default headers unless the route has set them. After `stopping` each answer closes its connection. */
export const useDefaultHeaders = (app: App, stopping: AbortSignal): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(defaultHeaders)
    if (request.protocol === 'https') reply.header('strict-transport-security', transportSecurity)
    // The service supports no other protocol. Closing the connection drops the bytes after an upgrade request.
    const isLast = stopping.aborted || request.headers.upgrade !== undefined
    if (isLast) reply.header('connection', 'close')
    done()
  })
}

/** CORS rules for configured origins. Tokens of the API travel in headers, never in cookies. */
const corsOptions = {
  methods: ['GET', 'POST', 'PUT', 'DELETE'],
  allowedHeaders: ['authorization', 'content-type', 'x-tenant-id', 'traceparent', 'last-event-id'],
  exposedHeaders: ['x-trace-id', 'x-total-capped', 'x-sort-ignored', 'x-total-count', 'retry-after'],
  maxAge: 600,
}

type Done = (err: Error | null, options: object) => void

/** Options of the CORS plugin for one request. OPTIONS without preflight headers is an ordinary method. */
export const corsFor =
  (origins: string[]) =>
  ({ headers }: FastifyRequest, done: Done): void => {
    const preflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined
    done(null, { ...corsOptions, origin: origins, preflight })
  }
