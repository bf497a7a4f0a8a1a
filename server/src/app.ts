import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, { LogController, type FastifyBaseLogger } from 'fastify'
import type { Change } from './cache/cache.ts'
import { isLoopback } from './config-values.ts'
import type { Parts } from './context.ts'
import { auditExportRoutes, auditRoutes } from './features/audit/audit.routes.ts'
import { authRoutes, keySetRoutes, publicAuthRoutes } from './features/auth/auth.routes.ts'
import { createPrincipals, type Principals } from './features/auth/principals.service.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { inboxRoutes, notificationRoutes } from './features/notifications/notifications.routes.ts'
import { assignmentRoutes, roleRoutes } from './features/roles/roles.routes.ts'
import { globalSettingRoutes, tenantSettingRoutes } from './features/settings/settings.routes.ts'
import { pingRoutes, probeRoutes, versionRoutes } from './features/system/system.routes.ts'
import { tenantRoutes } from './features/tenants/tenants.routes.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { useAccessLog } from './http/access-log.ts'
import type { App } from './http/app-type.ts'
import { useAuthentication, usePublicContext, type ResolveCaller } from './http/authenticate.ts'
import { acceptJsonOnly, bodyBytesMax, parseQuery } from './http/body.ts'
import { consoleRoutes } from './http/console.ts'
import { useEnvelope, useEnvelopeForFailures } from './http/envelope.ts'
import { answerClientError, answerError, useErrorAnswers } from './http/error-handler.ts'
import { corsFor, useDefaultHeaders } from './http/headers.ts'
import { limitCallers, limitSources } from './http/limits.ts'
import { metricsRoutes, useRequestMetrics } from './http/metrics.ts'
import { useOpenApi } from './http/openapi.ts'
import { createSerializerCompiler } from './http/serialization.ts'
import { traceIdOf } from './http/trace.ts'
import { compileValidator } from './http/validation.ts'

const basePath = '/api/v1'

/** Probes and versions: bare objects, at the host root and under the base path alike. */
const bareScope = (scope: App, parts: Parts): void => {
  usePublicContext(scope, parts)
  probeRoutes(scope)
  versionRoutes(scope)
}

/** The public keys, where the standard wants them: a bare object at the host root. */
const keySetScope = (scope: App, parts: Parts): void => {
  usePublicContext(scope, parts)
  keySetRoutes(scope)
}

/** Endpoints without authentication, in the envelope. */
const publicScope = (scope: App, parts: Parts): void => {
  useEnvelope(scope)
  usePublicContext(scope, parts)
  limitSources(scope, parts)
  publicAuthRoutes(scope)
}

/** Everything else: in the envelope, authenticated, and each route says whom it allows. */
const signedInScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  authRoutes(scope)
  userRoutes(scope)
  tenantRoutes(scope)
  roleRoutes(scope)
  assignmentRoutes(scope)
  auditRoutes(scope)
  globalSettingRoutes(scope)
  tenantSettingRoutes(scope)
  notificationRoutes(scope)
  inboxRoutes(scope)
  dashboardRoutes(scope)
  pingRoutes(scope)
}

/** What answers with a stream: signed in likewise, and in the envelope only when it fails. */
const signedInStreamScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelopeForFailures(scope)
  limitCallers(scope, parts)
  auditExportRoutes(scope)
}

/** `/ping` is a system path too: it answers at the host root as well. */
const signedInRootScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  pingRoutes(scope)
}

const createServer = ({ config, log }: Parts): App => {
  // Fastify's own lines about listening and requests are said better elsewhere (main.ts, access-log.ts).
  const frameworkLog: FastifyBaseLogger = log.isLevelEnabled('warn') ? log.child({}, { level: 'warn' }) : log
  return fastify({
    loggerInstance: frameworkLog,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: traceIdOf,
    bodyLimit: bodyBytesMax,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // A setting's key has up to 128 characters, which percent-encoding can triple.
    routerOptions: { maxParamLength: 400, querystringParser: parseQuery },
    // A client that dawdles over its request loses its connection; Node looks every few seconds only.
    requestTimeout: 30_000,
    // One that does not read its answer as well: what it does not take would stay in memory. Node counts anew once when
    // it has taken some. Longer than a request waits for the database.
    connectionTimeout: 20_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()
}

/**
 * Builds the HTTP application. Read from top to bottom: what every request passes, then the scopes. `prepare` adds
 * hooks before all routes (tests watch the answers with it).
 */
export const buildApp = async (parts: Parts, prepare?: (app: App) => void): Promise<App> => {
  const app = createServer(parts)
  prepare?.(app)
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(createSerializerCompiler())
  useAccessLog(app, parts.log)
  useRequestMetrics(app, parts.metrics)
  useDefaultHeaders(app)
  useErrorAnswers(app)
  acceptJsonOnly(app)
  const { corsOrigins } = parts.config
  if (corsOrigins.length > 0) await app.register(cors, { delegator: corsFor(corsOrigins) })

  await useOpenApi(app, basePath)

  const principals = createPrincipals(parts)
  parts.cache.subscribe((change) => forget(parts, principals, change))

  await app.register(async (scope: App) => bareScope(scope, parts))
  await app.register(async (scope: App) => bareScope(scope, parts), { prefix: basePath })
  await app.register(async (scope: App) => keySetScope(scope, parts))
  await app.register(async (scope: App) => mainMetrics(scope, parts))
  await app.register(async (scope: App) => consoleRoutes(scope, parts.consoleFolder))
  await app.register(async (scope: App) => publicScope(scope, parts), { prefix: basePath })
  await app.register(async (scope: App) => signedInScope(scope, parts, principals.resolve), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => signedInStreamScope(scope, parts, principals.resolve), {
    prefix: basePath,
  })
  await app.register(async (scope: App) => signedInRootScope(scope, parts, principals.resolve))
  return app
}

/**
 * Metrics on the main port: with a token where one is configured, without only while no one from outside can reach
 * the port. On a port of their own, which is nobody else's business, they are not here.
 */
const mainMetrics = (scope: App, { config, metrics }: Parts): void => {
  const isServed =
    config.metricsPort === undefined && (config.metricsToken !== undefined || isLoopback(config.host))
  if (isServed) metricsRoutes(scope, metrics, config.metricsToken)
}

/** What this replica remembers and another one has changed. */
const forget = (parts: Parts, principals: Principals, change: Change | undefined): void => {
  principals.forget(change)
  if (change !== undefined && change.kind !== 'keys') return
  parts.keys.forget()
  parts.tokens.forget()
}

/** The metrics alone, for a port of their own. */
export const buildMetricsApp = async (parts: Parts): Promise<App> => {
  const app = createServer(parts)
  useErrorAnswers(app)
  metricsRoutes(app, parts.metrics, parts.config.metricsToken)
  return app
}
