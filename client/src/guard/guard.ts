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
export type { Acting } from './permissions.ts'
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
   * The credential of this service at Tenantry, or a function that gives it for each question. It needs
   * `authz:check`, and `tenant:enter` if callers come from several tenants. `undefined`, such as an unset variable,
   * throws.
   */
  key: GivenToken | undefined
  /**
   * The `iss` of access tokens: `TENANTRY_PUBLIC_URL`, unless Tenantry sets `TENANTRY_ISSUER`. Default: `baseUrl`. If
   * `baseUrl` names this machine, `localhost`, `127.0.0.1` and `[::1]` are equal.
   */
  issuer?: string | undefined
  /** The `aud` of access tokens, if Tenantry sets `TENANTRY_AUDIENCE`. Default: the issuer. */
  audience?: string | undefined
  /**
   * The identifier of this service as a resource of Tenantry, an http(s) address. The guard then takes only tokens
   * for this resource, not those for `audience`. Its challenges name Tenantry as the authorization server (RFC 9728).
   */
  resource?: string | undefined
  /**
   * Admits tokens of support sessions, too: somebody works as the user, and `caller.actor` names that person. Routes that
   * record the caller must then record the actor.
   */
  support?: boolean
  /**
   * Opens a live stream, and forgets at once the answers that Tenantry says have changed: a removed permission counts
   * at the next request. `key` must then belong to a service account, and at most 5 processes can share one key.
   * Without a stream, changes count within 2 seconds. `close` ends the stream.
   */
  listens?: boolean
  /**
   * Receives lines about unknown codes, and about tokens of Tenantry with another issuer or audience. While Tenantry
   * does not answer, at most one line comes per 30 seconds. Default: `console.error`.
   */
  log?: (message: string) => void
}

/**
 * Admits a request if its access token is valid, its session has not ended, and both may use the permission. A route
 * names a permission code, or asks by `allOf`, `anyOf` or `signedIn`. Other requests get JSON with 401 or 403, or 503
 * if the permissions cannot be checked.
 */
export interface Guard {
  /** A middleware. It sets `request.caller`. */
  express(needed: Needed): ExpressGuard
  /** A hook for `onRequest`. It sets `request.caller`. */
  fastify(needed: Needed): FastifyGuard
  /** A middleware. Handlers read `c.get('caller')`. */
  hono(needed: Needed): HonoGuard
  /** Returns the caller of a `Request`, or the `Response` that refuses it. */
  request(needed: Needed): RequestGuard
  /**
   * The metadata of the resource, for routes at its `paths`. Clients without a token find Tenantry by it.
   *
   * @throws TypeError without the option `resource`
   */
  metadata(): MetadataHandlers
  /** Forgets the remembered answers about users, by default all. The next request asks Tenantry again. */
  forget(forgotten?: Forgotten): void
  /** Ends the live stream of `listens`. The guard keeps working without it. */
  close(): void
}

const missingKey =
  'key is missing: pass the key of a service account, for example from the variable TENANTRY_KEY of this process'

/** A request waits this long for Tenantry at most. */
const timeoutMs = 2000

// oxlint-disable-next-line no-console -- the default of the option; a product without a logger needs to see it
const logToConsole = (message: string): void => console.error(message)

/**
 * Creates the guard of a service. It needs the package `jose` beside this one.
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
  const { baseUrl, key, issuer, audience, resource, listens = false, support = false } = options
  if (!key) throw new TypeError(missingKey)
  const root = baseUrl.replace(/\/+$/, '')
  const described = createResource(resource, issuer ?? root)
  const connection = { baseUrl: root, accessToken: key, timeoutMs, retries: 1 }
  const client = createClient(connection)
  const [permissions, callers] = [createPermissions(client), createCallers(client)]
  const admitting = createAdmitting({
    verify: createVerifier({ root, issuer, audience, resource, support }, log),
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
