import type { FastifyRequest } from 'fastify'
import { nobody, type Actor } from '../access/actor.ts'
import { readCredential, type Caller } from '../access/credential.ts'
import {
  isAboutAccount,
  may,
  policies,
  requireAccountOpen,
  requireAllowed,
  requireEnabledTenant,
  requireGuestServed,
  requireOpenApi,
  requireOwnSignIn,
  refuseSupport,
  requirePassword,
  requireSupportServed,
  requireUnrestricted,
} from '../access/policies.ts'
import { upsertSupportRequest } from '../access/support.store.ts'
import { selectTenantInScope } from '../access/tenancy.store.ts'
import { inOwnTenant, inTenant, tokenInvalid, type Ctx, type Origin, type Parts } from '../context.ts'
import { AppError, type ErrorName } from '../errors/app-error.ts'
import { readAddress } from '../values/source.ts'
import type { App } from './app-type.ts'
import { countRefused } from './limits.ts'
import { replayedCtx } from './replay.ts'

/**
 * Reads the present permissions of a caller at the address `ip`. Undefined if the credential has ended, or if the
 * caller or the tenant no longer exists.
 */
export type ResolveCaller = (caller: Caller, ip: string) => Promise<Actor | undefined>

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const bearer = /^Bearer +([\w~+/.-]+=*)$/i
/** Paths that require the tenant header (docs/contract.md, "Tenants and scope"). */
const tenantHeaderPaths = /^\/api\/v1\/(?:rbac|notifications)(?:\/|$)/
export const needsTenantHeader = (url: string): boolean => tenantHeaderPaths.test(url)
/** The most characters of a user agent that an audit record keeps. */
const userAgentLengthMax = 512

/**
 * The address of a request: the last address that trusted proxies name, else that of the nearest proxy or the peer.
 * Only this function reads it, because Fastify returns a proxy's text unchanged.
 */
export const addressOf = ({ ip, ips = [ip] }: FastifyRequest): string =>
  ips.map(readAddress).findLast((address) => address !== undefined) ?? ''

const originOf = (request: FastifyRequest): Origin => ({
  traceId: request.id,
  ip: addressOf(request),
  userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
  acceptLanguage: request.headers['accept-language'],
})

/** Gives requests of public endpoints their context: no caller and no tenant in scope. */
export const usePublicContext = (app: App, parts: Parts): void => {
  app.addHook('onRequest', async (request) => {
    request.ctx = {
      parts,
      db: parts.store.scoped({}),
      tenantId: nobody.tenantId,
      actor: nobody,
      allow: undefined,
      origin: originOf(request),
    }
  })
}

export const bearerOf = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]

/** The form in which callers of some endpoints send their credential. */
interface CredentialForm {
  textOf: (request: FastifyRequest) => string | undefined
  read: (tokens: Parts['tokens'], text: string, now: Date) => Promise<Caller | undefined>
  /** The message of 401 for a request without a credential. */
  missing: string
}

const parameter = /:(\w+)/g

/** Counts a request of a support session under the template of its path. */
const noteSupport = async (
  { store }: Parts,
  { tenantId, support }: Actor,
  { method, routeOptions: { url = '' } }: FastifyRequest,
): Promise<void> => {
  if (!support) return
  const path = url.replaceAll(parameter, '{$1}')
  await upsertSupportRequest(store.scoped({ tenantId }), { tenantId, id: support.id }, { method, path })
}

/** Returns the caller of a request. Counts a refused credential for its source, and throws 401. */
type Authenticate = (request: FastifyRequest, origin: Origin) => Promise<Actor>

/**
 * The one way to authenticate a caller: reads the credential, resolves the caller, and counts a refusal. Throws 403 for
 * guests and support sessions at every route that does not name them.
 */
export const createAuthenticate = (
  parts: Parts,
  resolve: ResolveCaller,
  { textOf, read, missing }: CredentialForm,
): Authenticate => {
  const count = countRefused(parts)
  return async (request, { ip }) => {
    const text = textOf(request)
    const caller = text === undefined ? undefined : await read(parts.tokens, text, parts.now())
    const actor = caller && (await resolve(caller, ip))
    if (actor) {
      const { guests, support } = request.routeOptions.config
      requireGuestServed(actor, guests)
      requireSupportServed(actor, support)
      await noteSupport(parts, actor, request)
      return actor
    }
    await count(ip)
    throw text === undefined ? new AppError('tokenMissing', missing) : tokenInvalid()
  }
}

const ofApi: CredentialForm = {
  textOf: ({ headers }) => bearerOf(headers.authorization),
  read: readCredential,
  missing: 'Sign in and send the header Authorization: Bearer <access token>',
}

/**
 * The expiry of the access token of an authenticated request. Undefined for a key. Reads the raw header, because
 * handlers see only headers of their schema.
 */
export const readTokenEnd = async ({ raw, ctx: { parts } }: FastifyRequest): Promise<Date | undefined> =>
  (await readCredential(parts.tokens, bearerOf(raw.headers.authorization) ?? '', parts.now()))?.endsAt

/**
 * The service account of a request to a public endpoint. Undefined without a valid key, and for the key of a disabled
 * tenant.
 */
export const readKeyActor = async (
  { headers, ctx: { parts, origin } }: FastifyRequest,
  resolve: ResolveCaller,
): Promise<Actor | undefined> => {
  const text = bearerOf(headers.authorization)
  const caller = text === undefined ? undefined : await readCredential(parts.tokens, text, parts.now())
  const actor = caller && (await resolve(caller, origin.ip))
  return actor?.key && !actor.isSuspended ? actor : undefined
}

/**
 * Reads the tenant header. Returns the caller's own tenant if the route ignores the header, or if the header is
 * optional and missing.
 */
const requestedTenant = (request: FastifyRequest, actor: Actor): string => {
  if (isAboutAccount(request.routeOptions.config.allow)) return actor.tenantId
  const replay = replayedCtx(request)
  if (replay) return replay.tenantId
  const header = request.headers['x-tenant-id']
  if (header === undefined) {
    if (!needsTenantHeader(request.routeOptions.url ?? '')) return actor.tenantId
    throw new AppError('tenantHeaderMissing', 'Send the header X-Tenant-ID with the id of the tenant')
  }
  if (typeof header !== 'string' || !uuid.test(header)) {
    throw new AppError('tenantHeaderInvalid', 'X-Tenant-ID must be one UUID')
  }
  return header.toLowerCase()
}

/**
 * Puts the tenant that the request names in scope. Only this function reads it from the request. `policies.enterTenant`
 * decides here, and again in `inTransaction`, whether the caller may enter the tenant.
 */
const chooseTenant = async (ctx: Ctx, tenantId: string): Promise<Ctx> => {
  const { actor, allow } = ctx
  if (tenantId !== actor.tenantId) refuseSupport(actor)
  if (!may(actor, policies.enterTenant, tenantId)) {
    throw new AppError('tenantForeign', 'X-Tenant-ID names a tenant you do not belong to')
  }
  requireEnabledTenant(actor, allow)
  // `selectCaller` has already read this tenant's requirements into `actor`.
  if (tenantId === actor.tenantId) {
    requireUnrestricted(actor, allow, { is_factor_required: false })
    return ctx
  }
  const chosen = inTenant(ctx, tenantId)
  const tenant = await selectTenantInScope(chosen.db, tenantId)
  if (!tenant) throw new AppError('tenantUnknown', 'The tenant does not exist')
  requireUnrestricted(actor, allow, tenant)
  return chosen
}

/** Errors about a credential at an endpoint that needs none. Such a route declares them. */
export const refusedCredentials = [
  'permissionMissing',
  'applicationShut',
  'sessionOfApplication',
  'sessionOfConnection',
  'tokenMissing',
  'tokenInvalid',
  'passwordExpired',
  'supportShut',
] as const satisfies ErrorName[]

/**
 * Gives requests the context of a public endpoint, with a caller if they carry a credential. A refused credential gets
 * 401, so that the request does not continue without a caller. Keys get 403.
 */
export const useOptionalAuthentication = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  usePublicContext(app, parts)
  const authenticate = createAuthenticate(parts, resolve, ofApi)
  app.addHook('onRequest', async (request) => {
    if (request.headers.authorization === undefined) return
    const actor = await authenticate(request, request.ctx.origin)
    requireOpenApi(actor, 'account')
    requireOwnSignIn(actor)
    requirePassword(actor, false)
    requireAllowed(actor, 'account')
    request.ctx = { ...request.ctx, actor }
  })
}

/**
 * Authenticates every request of the scope, and checks the permission of its route, `config.allow`. This is the one
 * check for all routes. A route without `config.allow` stops the start. access/policies.ts makes the decision.
 */
export const useAuthentication = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.allow === undefined) throw new Error(`${String(method)} ${url} does not say whom it allows`)
  })
  const authenticate = createAuthenticate(parts, resolve, ofApi)
  /** The context of the caller's own tenant. A replay has one already. */
  const ownContext = async (request: FastifyRequest): Promise<Ctx> => {
    const { allow } = request.routeOptions.config
    const replay = replayedCtx(request)
    if (replay) return { ...inOwnTenant(replay), allow }
    const origin = originOf(request)
    const actor = await authenticate(request, origin)
    const { tenantId } = actor
    return { parts, db: parts.store.scoped({ tenantId }), tenantId, actor, allow, origin }
  }
  app.addHook('onRequest', async (request) => {
    const { allow, allowAlso, servesConnections = false, servesExpired = false } = request.routeOptions.config
    const own = await ownContext(request)
    const { actor } = own
    requireOpenApi(actor, allow)
    requireAccountOpen(actor, allow, servesConnections)
    requirePassword(actor, servesExpired)
    request.ctx = await chooseTenant(own, requestedTenant(request, actor))
    if (allow === undefined) throw new Error('a route of the signed-in scope does not say whom it allows')
    requireAllowed(actor, allow)
    if (allowAlso !== undefined) requireAllowed(actor, allowAlso)
  })
}
