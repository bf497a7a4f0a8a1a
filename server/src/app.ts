import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import type { Change } from './cache/cache.ts'
import { isLoopback } from './config/config-values.ts'
import type { Parts } from './context.ts'
import { auditExportRoutes, auditRoutes } from './features/audit/audit.routes.ts'
import { authRoutes, wellKnownRoutes, publicAuthRoutes } from './features/auth/auth.routes.ts'
import { consoleSessionRoutes } from './features/auth/console-session.routes.ts'
import { emailRoutes, publicEmailRoutes } from './features/auth/email.routes.ts'
import {
  acceptInvitationRoutes,
  invitationRoutes,
  publicInvitationRoutes,
} from './features/invitations/invitations.routes.ts'
import { createPrincipals, type Principals } from './features/auth/principals.service.ts'
import { authzRoutes } from './features/authz/authz.routes.ts'
import { createHolders, type Holders } from './features/authz/holders.service.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import { createStreams, type Streams } from './features/events/streams.service.ts'
import { membershipRoutes } from './features/memberships/memberships.routes.ts'
import { factorRoutes } from './features/factors/factors.routes.ts'
import {
  inboxRoutes,
  notificationRoutes,
  sendingRoutes,
} from './features/notifications/notifications.routes.ts'
import { catalogueRoutes } from './features/roles/catalogue.routes.ts'
import { assignmentRoutes, roleRoutes } from './features/roles/roles.routes.ts'
import { keyRoutes, serviceAccountRoutes } from './features/service-accounts/service-accounts.routes.ts'
import { sessionRoutes } from './features/sessions/sessions.routes.ts'
import { globalSettingRoutes, tenantSettingRoutes } from './features/settings/settings.routes.ts'
import { pingRoutes, probeRoutes, versionRoutes } from './features/system/system.routes.ts'
import { tenantRoutes } from './features/tenants/tenants.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { webhookDeliveryRoutes, webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import { useAccessLog } from './http/access-log.ts'
import type { App } from './http/app-type.ts'
import {
  useAuthentication,
  useOptionalAuthentication,
  usePublicContext,
  type ResolveCaller,
} from './http/authenticate.ts'
import { acceptJsonOnly, bodyBytesMax, parseQuery } from './http/body.ts'
import { consoleRoutes } from './http/console.ts'
import { useEnvelope, useEnvelopeForFailures } from './http/envelope.ts'
import { answerClientError, answerError, useErrorAnswers } from './http/error-handler.ts'
import { corsFor, requireHost, useDefaultHeaders } from './http/headers.ts'
import { limitCallers, limitQuestions, limitSources } from './http/limits.ts'
import { metricsRoutes, useRequestMetrics } from './http/metrics.ts'
import { useOpenApi } from './http/openapi.ts'
import { createSerializerCompiler } from './http/serialization.ts'
import { traceIdOf } from './http/trace.ts'
import { compileValidator } from './http/validation.ts'

const basePath = '/api/v1'

/** Probes and versions: bare objects, at the host root and under the base path. */
const bareScope = (scope: App, parts: Parts): void => {
  usePublicContext(scope, parts)
  probeRoutes(scope)
  versionRoutes(scope)
}

/** Documents at their standard paths: bare objects at the host root. */
const wellKnownScope = (scope: App, parts: Parts): void => {
  usePublicContext(scope, parts)
  wellKnownRoutes(scope)
}

/** Endpoints without authentication, in the envelope. */
const publicScope = (scope: App, parts: Parts): void => {
  useEnvelope(scope)
  usePublicContext(scope, parts)
  limitSources(scope, parts)
  publicAuthRoutes(scope)
  publicEmailRoutes(scope)
  publicInvitationRoutes(scope)
}

/** The session of the console, which the cookie of its browser proves, in the envelope. */
const consoleSessionScope = async (scope: App, parts: Parts): Promise<void> => {
  await scope.register(cookie)
  useEnvelope(scope)
  usePublicContext(scope, parts)
  limitSources(scope, parts)
  consoleSessionRoutes(scope)
}

/** Endpoints without authentication that look at the caller's all the same, in the envelope. */
const optionalScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useOptionalAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitSources(scope, parts)
  acceptInvitationRoutes(scope)
}

/** Endpoints for signed-in callers, in the envelope. Each route declares the permission it needs. */
const signedInScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  authRoutes(scope)
  emailRoutes(scope)
  sessionRoutes(scope)
  membershipRoutes(scope)
  factorRoutes(scope)
  userRoutes(scope)
  invitationRoutes(scope)
  serviceAccountRoutes(scope)
  keyRoutes(scope)
  tenantRoutes(scope)
  roleRoutes(scope)
  assignmentRoutes(scope)
  catalogueRoutes(scope)
  auditRoutes(scope)
  globalSettingRoutes(scope)
  tenantSettingRoutes(scope)
  notificationRoutes(scope)
  sendingRoutes(scope)
  inboxRoutes(scope)
  webhookRoutes(scope)
  webhookDeliveryRoutes(scope)
  dashboardRoutes(scope)
  pingRoutes(scope)
}

/** Questions about permissions, which a product's backend asks for all its users. */
const questionScope = (scope: App, parts: Parts, resolve: ResolveCaller, holders: Holders): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitQuestions(scope, parts)
  authzRoutes(scope, holders)
}

/** Endpoints that stream: authenticated, and in the envelope only when they fail. */
const signedInStreamScope = (scope: App, parts: Parts, resolve: ResolveCaller, streams: Streams): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelopeForFailures(scope)
  limitCallers(scope, parts)
  auditExportRoutes(scope)
  eventRoutes(scope, streams)
}

/** `/ping` is a system path, so it answers at the host root as well. */
const signedInRootScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  pingRoutes(scope)
}

const createServer = ({ config, log }: Parts): App => {
  // main.ts and access-log.ts log the start and the requests, so Fastify logs warnings only.
  const frameworkLog: FastifyBaseLogger = log.isLevelEnabled('warn') ? log.child({}, { level: 'warn' }) : log
  return fastify({
    loggerInstance: frameworkLog,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: traceIdOf,
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // A setting's key has up to 128 characters; percent-encoding can triple them.
    routerOptions: { maxParamLength: 400, querystringParser: parseQuery },
    // Ends a request that its client sends too slowly. Node checks every few seconds.
    requestTimeout: 30_000,
    // Ends a connection whose client does not read its answer, which would stay in memory. Node restarts the timer
    // once when the client reads a part. Longer than a request waits for the database.
    connectionTimeout: 20_000,
    // requireHost answers a missing host in the envelope.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
}

/**
 * Builds the HTTP application: first the hooks of every request, then the scopes. `prepare` adds hooks before all
 * routes; tests watch the answers with it.
 */
export const buildApp = async (parts: Parts, prepare?: (app: App) => void): Promise<App> => {
  const app = createServer(parts)
  prepare?.(app)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(createSerializerCompiler())
  useAccessLog(app, parts.log)
  useRequestMetrics(app, parts.metrics)
  useDefaultHeaders(app, parts.stopping.signal)
  requireHost(app)
  useErrorAnswers(app)
  acceptJsonOnly(app)
  const { corsOrigins } = parts.config
  if (corsOrigins.length > 0) await app.register(cors, { delegator: corsFor(corsOrigins) })

  await useOpenApi(app, basePath)

  const principals = createPrincipals(parts)
  const holders = createHolders()
  const streams = createStreams(parts)
  parts.cache.subscribe((change) => {
    forget(parts, principals, change)
    holders.forget(change)
    streams.hear(change)
  })

  await app.register(async (scope: App) => bareScope(scope, parts))
  await app.register(async (scope: App) => bareScope(scope, parts), { prefix: basePath })
  await app.register(async (scope: App) => wellKnownScope(scope, parts))
  await app.register(async (scope: App) => mainMetrics(scope, parts))
  await app.register(async (scope: App) => consoleRoutes(scope, parts.consoleFolder))
  await app.register(async (scope: App) => consoleSessionScope(scope, parts))
  await app.register(async (scope: App) => publicScope(scope, parts), { prefix: basePath })
  await app.register(async (scope: App) => optionalScope(scope, parts, principals.resolve), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => signedInScope(scope, parts, principals.resolve), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => questionScope(scope, parts, principals.resolve, holders), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => signedInStreamScope(scope, parts, principals.resolve, streams), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => signedInRootScope(scope, parts, principals.resolve))
  return app
}

/**
 * Serves metrics on the main port. Without a configured token they are served only on a loopback address. With a
 * metrics port of their own they are not served here.
 */
const mainMetrics = (scope: App, { config, metrics }: Parts): void => {
  const isServed =
    config.metricsPort === undefined && (config.metricsToken !== undefined || isLoopback(config.host))
  if (isServed) metricsRoutes(scope, metrics, config.metricsToken)
}

/** Drops cached state that another replica has changed. */
const forget = (parts: Parts, principals: Principals, change: Change | undefined): void => {
  principals.forget(change)
  if (change !== undefined && change.kind !== 'keys') return
  parts.keys.forget()
  parts.tokens.forget()
}

/** An application that serves only metrics, on a port of its own. */
export const buildMetricsApp = async (parts: Parts): Promise<App> => {
  const app = createServer(parts)
  requireHost(app)
  useErrorAnswers(app)
  metricsRoutes(app, parts.metrics, parts.config.metricsToken)
  return app
}
