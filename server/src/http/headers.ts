import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'
import type { App } from './app-type.ts'

/**
 * An answer belongs to one caller. Caches do not keep it, and browsers do not sniff, run, frame or share it (OWASP,
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

/**
 * The content security policy of the service's pages: only the service's origin, no inline script. `own` adds the
 * sources of one page.
 */
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

/** One year. Sent if a trusted proxy reports that the request arrived encrypted. Browsers then refuse plain HTTP. */
const transportSecurity = 'max-age=31536000'

/** Sets the default headers unless the route has set them. After `stopping` each answer closes its connection. */
export const useDefaultHeaders = (app: App, stopping: AbortSignal): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(defaultHeaders)
    if (request.protocol === 'https') reply.header('strict-transport-security', transportSecurity)
    // The service supports no other protocol. Closing the connection drops the bytes that follow an upgrade request.
    const isLast = stopping.aborted || request.headers.upgrade !== undefined
    if (isLast) reply.header('connection', 'close')
    done()
  })
}

/**
 * A host with an optional port (RFC 9110, 7.2). The host is a name, an IPv4 address, or an IPv6 address in brackets.
 */
const hostPattern = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i

/** Counts the lines of `rawHeaders`, because in `headers` Node keeps only the first of several. */
const countHosts = (rawHeaders: string[]): number =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length

/**
 * Throws 400 unless a request names one host, or no host with HTTP/1.0 (RFC 9112, 3.2). With two hosts, a proxy could
 * use the other one. Node itself would answer a missing host without the envelope.
 */
export const requireHost = (app: App): void => {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    const hosts = countHosts(raw.rawHeaders)
    const isNamed = hosts === 1 && hostPattern.test(raw.headers.host ?? '')
    if (isNamed || (hosts === 0 && raw.httpVersion === '1.0')) return done()
    reply.header('connection', 'close')
    done(new AppError('malformedRequest', 'Send one header Host with the host that the URL names'))
  })
}

/** Answers HEAD on every GET route of the scope, because caches and monitors request public documents with it. */
export const answerHead = (app: App): void => {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET') return
    app.route({ ...route, method: 'HEAD', schema: { ...route.schema, hide: true } })
  })
}

/** CORS rules for configured origins. The API's tokens are in headers, never in cookies. */
const corsOptions = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'x-tenant-id',
    'traceparent',
    'last-event-id',
    'if-match',
    'if-none-match',
    'x-approval-id',
  ],
  exposedHeaders: ['x-trace-id', 'x-total-capped', 'x-sort-ignored', 'x-total-count', 'retry-after', 'etag'],
  maxAge: 600,
}

type Done = (err: Error | null, options: object) => void

/** For these paths page-origins.ts decides, by the origins of applications. */
const pathsOfApplications = /^\/(?:oauth2|ofrep|\.well-known)\//

/** Options of the CORS plugin for one request. OPTIONS without preflight headers is an ordinary method. */
export const corsFor =
  (origins: string[]) =>
  ({ headers, url }: FastifyRequest, done: Done): void => {
    const preflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined
    done(null, { ...corsOptions, origin: pathsOfApplications.test(url) ? false : origins, preflight })
  }
