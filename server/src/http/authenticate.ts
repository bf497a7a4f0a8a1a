import type { FastifyRequest } from 'fastify'
import {
  inTenant,
  nobody,
  tenantDisabled,
  tokenInvalid,
  type Actor,
  type Ctx,
  type Origin,
  type Parts,
} from '../context.ts'
import type { Claims } from '../crypto/tokens.ts'
import { AppError } from '../errors.ts'
import { builtInTenant, type Allow } from '../permissions.ts'
import { selectTenantExists } from '../tenancy.store.ts'
import type { App } from './app-type.ts'
import { countRefused } from './limits.ts'

/** Who the bearer of a valid token is now; undefined when session, user or tenant are no more. */
export type ResolveCaller = (claims: Claims) => Promise<Actor | undefined>

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const bearer = /^Bearer +([\w~+/.-]+=*)$/i
/** Contract, Tenants and scope: these are never called without a tenant header. */
const tenantHeaderPaths = /^\/api\/v1\/(?:rbac|notifications)(?:\/|$)/
export const needsTenantHeader = (url: string): boolean => tenantHeaderPaths.test(url)
/** More of a user agent than this is of no use in an audit record. */
const userAgentLengthMax = 512

const originOf = (request: FastifyRequest): Origin => ({
  traceId: request.id,
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLengthMax),
})

/** Gives the requests of endpoints without authentication their context: nobody calls, no tenant is in scope. */
export const usePublicContext = (app: App, parts: Parts): void => {
  app.addHook('onRequest', async (request) => {
    const db = parts.store.scoped({})
    request.ctx = {
      parts,
      db,
      tenantId: builtInTenant.id,
      actor: nobody,
      allow: undefined,
      origin: originOf(request),
    }
  })
}

const tokenOf = (header: string | undefined): string | undefined => bearer.exec(header ?? '')?.[1]

/** Whoever the token stands for now; undefined without one that is good. */
const authenticate = async (
  parts: Parts,
  resolve: ResolveCaller,
  header: string | undefined,
): Promise<Actor | undefined> => {
  const token = tokenOf(header)
  const claims = token === undefined ? undefined : await parts.tokens.verify('access', token, parts.now())
  return claims && resolve(claims)
}

const refusal = (header: string | undefined): AppError =>
  tokenOf(header) === undefined
    ? new AppError('tokenMissing', 'Sign in and send the header Authorization: Bearer <access token>')
    : tokenInvalid()

/** The tenant that the header names; the caller's own where it may be left out. */
const requestedTenant = (request: FastifyRequest, actor: Actor): string => {
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

/** The tenant is decided here and nowhere else: one's own, or, for platform administrators, any that exists. */
const chooseTenant = async (ctx: Ctx, tenantId: string): Promise<Ctx> => {
  const { actor } = ctx
  if (tenantId !== actor.tenantId && !actor.isPlatformAdmin) {
    throw new AppError('tenantForeign', 'X-Tenant-ID names a tenant you do not belong to')
  }
  if (actor.isSuspended) throw tenantDisabled()
  if (tenantId === actor.tenantId) return ctx
  if (!(await selectTenantExists(ctx.db, tenantId))) {
    throw new AppError('tenantUnknown', 'The tenant does not exist')
  }
  return inTenant(ctx, tenantId)
}

/** The permission is decided here and nowhere else (what depends on the other side: authority.ts). */
const requirePermission = (actor: Actor, allow: Allow | undefined): void => {
  if (allow === undefined) throw new Error('a route of the signed-in scope does not say whom it allows')
  if (allow !== 'caller' && !actor.permissions.has(allow)) {
    throw new AppError('permissionMissing', `This needs the permission ${allow}. Ask an administrator for it`)
  }
}

/** Authenticates every request of the scope, and checks `config.allow`, without which a route stops the start. */
export const useAuthentication = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.allow === undefined) throw new Error(`${String(method)} ${url} does not say whom it allows`)
  })
  const count = countRefused(parts)
  app.addHook('onRequest', async (request) => {
    const actor = await authenticate(parts, resolve, request.headers.authorization)
    if (!actor) {
      await count(request.ip)
      throw refusal(request.headers.authorization)
    }
    const { allow } = request.routeOptions.config
    const own: Ctx = {
      parts,
      db: parts.store.scoped({ tenantId: actor.tenantId }),
      tenantId: actor.tenantId,
      actor,
      allow,
      origin: originOf(request),
    }
    request.ctx = await chooseTenant(own, requestedTenant(request, actor))
    requirePermission(actor, allow)
  })
}
