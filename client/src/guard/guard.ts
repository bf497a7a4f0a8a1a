/** `@tenantry/client/guard`: protects the routes of a product's own backend. */
import { createClient } from '../client.ts'
import type { GivenToken } from '../session/given-token.ts'
import { createAdmitting, type Admit } from './admit.ts'
import type { Forgotten } from './answers.ts'
import { backgroundFetch } from './background-fetch.ts'
import { createCallers } from './caller.ts'
import { createCodes } from './codes.ts'
import { expressGuard, type ExpressGuard } from './express.ts'
import { fastifyGuard, type FastifyGuard } from './fastify.ts'
import { honoGuard, type HonoGuard } from './hono.ts'
import { listen } from './listening.ts'
import { createResource, type MetadataHandlers } from './metadata.ts'
import { needOf, type Needed } from './needs.ts'
import { createPermissions } from './permissions.ts'
import { requestGuard, type RequestGuard } from './request.ts'
import { createVerifier } from './tokens.ts'

export type { Forgotten } from './answers.ts'
export type { Caller } from './caller.ts'
export type { ExpressGuard } from './express.ts'
export type { FastifyGuard } from './fastify.ts'
export type { HonoGuard } from './hono.ts'
export type { MetadataHandlers, ResourceMetadata } from './metadata.ts'
export { allOf, anyOf, signedIn, type Need, type Needed } from './needs.ts'
export type { RefusalBody, RefusalReason } from './refusal.ts'
export type { RequestGuard } from './request.ts'

export interface GuardOptions {
  /** Address of Tenantry without `/api/v1`, such as `https://admin.example.com`. */
  baseUrl: string
  /**
   * The credential of this service at Tenantry, or a function that gives it for each question. It needs `authz:check`, and
   * `tenant:enter` where the callers come from several tenants. `undefined`, as of a variable that is not set, throws.
   */
  key: GivenToken | undefined
  /**
   * The `iss` of access tokens: `TENANTRY_PUBLIC_URL`, unless Tenantry sets `TENANTRY_ISSUER`. By default `baseUrl`; for a
   * Tenantry on this machine `localhost`, `127.0.0.1` and `[::1]` are one.
   */
  issuer?: string | undefined
  /** The `aud` of access tokens, where Tenantry sets `TENANTRY_AUDIENCE`. By default the issuer. */
  audience?: string | undefined
  /**
   * The identifier of this service as a resource of Tenantry, an http(s) address. The guard then takes only tokens for this
   * resource, in place of those for `audience`, and its challenges lead clients to Tenantry (RFC 9728).
   */
  resource?: string | undefined
  /**
   * Keeps a live stream open, and forgets at once what it names: a permission that was taken counts at the next request. The
   * key has to be that of a service account, and at most 5 processes hear with one key. Without a stream, changes count
   * within 2 seconds as they do without this option. `close` ends it.
   */
  listens?: boolean
  /**
   * Gets a line about unknown codes, about tokens of Tenantry with another issuer or audience, and one at most in 30 seconds
   * while Tenantry is away; `console.error` by default.
   */
  log?: (message: string) => void
}

/**
 * Lets a request through when its access token is valid, its session stands and may use the permission. A route names a
 * permission code, or asks by `allOf`, `anyOf` or `signedIn`. Other requests get JSON with 401, 403 or, when the permissions cannot be checked, 503.
 */
export interface Guard {
  /** A middleware: handlers find `request.caller`. */
  express(needed: Needed): ExpressGuard
  /** A hook for `onRequest`: handlers find `request.caller`. */
  fastify(needed: Needed): FastifyGuard
  /** A middleware: handlers find `c.get('caller')`. */
  hono(needed: Needed): HonoGuard
  /** A function from a `Request` to its caller, or to the `Response` that refuses it. */
  request(needed: Needed): RequestGuard
  /**
   * The metadata of the resource, for the routes that its `paths` name: clients without a token find Tenantry by it.
   *
   * @throws TypeError without the option `resource`
   */
  metadata(): MetadataHandlers
  /** Forgets what is remembered of users, of all by default: the next request asks Tenantry again. */
  forget(forgotten?: Forgotten): void
  /** Ends the live stream of `listens`. The guard goes on as without it. */
  close(): void
}

const missingKey =
  'key is missing: pass the key of a service account, for example from the variable TENANTRY_KEY of this process'

/** A request waits no longer for Tenantry. */
const timeoutMs = 2000

// oxlint-disable-next-line no-console -- the default of the option; a product without a logger needs to see it
const logToConsole = (message: string): void => console.error(message)

/**
 * Creates the guard of a service. It needs `jose` beside this package.
 *
 * @throws TypeError when `baseUrl` or `resource` is not an http(s) address, or the key is missing
 * @example
 * const guard = createGuard({ baseUrl: 'https://admin.example.com', key: 'tnt_…' })
 * const mayRead = guard.request('invoice:read')
 * export const handle = async (request: Request) => {
 *   const caller = await mayRead(request)
 *   return caller instanceof Response ? caller : Response.json(`Invoices of ${caller.tenantId}`)
 * }
 */
export const createGuard = ({ log = logToConsole, ...options }: GuardOptions): Guard => {
  const { baseUrl, key, issuer, audience, resource, listens = false } = options
  if (!key) throw new TypeError(missingKey)
  const root = baseUrl.replace(/\/+$/, '')
  const described = createResource(resource, issuer ?? root)
  const connection = { baseUrl: root, accessToken: key, timeoutMs, retries: 1 }
  const client = createClient(connection)
  const [permissions, callers] = [createPermissions(client), createCallers(client)]
  const admitting = createAdmitting({
    verify: createVerifier({ root, issuer, audience, resource }, log),
    permissionsOf: permissions.of,
    callerOf: callers.of,
    isKnown: createCodes(client, log),
    challenge: described.challenge,
    log,
  })
  const admit = (needed: Needed): Admit => {
    const need = needOf(needed)
    described.support(need.codes)
    return admitting(need)
  }
  const forget = (forgotten: Forgotten = {}): void => {
    permissions.forget(forgotten)
    callers.forget(forgotten)
  }
  const close = listens
    ? listen(createClient({ ...connection, fetch: backgroundFetch }), forget, log)
    : () => undefined
  return {
    express: (needed) => expressGuard(admit(needed)),
    fastify: (needed) => fastifyGuard(admit(needed)),
    hono: (needed) => honoGuard(admit(needed)),
    request: (needed) => requestGuard(admit(needed)),
    metadata: described.metadata,
    forget,
    close,
  }
}
