import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import type { RouteOptions } from 'fastify'
import { mcpUrl } from './config/front-door.ts'
import type { Parts } from './context.ts'
import { applicationRoutes } from './features/federation/applications/applications.routes.ts'
import { reviewReportRoutes, reviewRoutes } from './features/federation/reviews/reviews.routes.ts'
import { grantRoutes } from './features/federation/applications/grants.routes.ts'
import { resourceRoutes } from './features/federation/applications/resources.routes.ts'
import { auditExportRoutes, auditRoutes } from './features/audit/audit/audit.routes.ts'
import { authRoutes, keySetRoutes, publicAuthRoutes } from './features/sign-in/auth/auth.routes.ts'
import { publicEmailCodeRoutes } from './features/sign-in/auth/email-code.routes.ts'
import { emailRoutes, publicEmailRoutes } from './features/sign-in/auth/email.routes.ts'
import {
  acceptInvitationRoutes,
  invitationRoutes,
  publicInvitationRoutes,
} from './features/tenancy/invitations/invitations.routes.ts'
import { approvalRoutes } from './features/tenancy/approvals/approvals.routes.ts'
import { approvalPolicyRoutes } from './features/tenancy/approvals/policies.routes.ts'
import { useApproval } from './features/tenancy/approvals/use.service.ts'
import {
  assistantRoutes,
  resourceMetadataRoutes,
} from './features/federation/assistants/assistants.routes.ts'
import { createProtocol } from './features/federation/assistants/protocol.service.ts'
import { authzRoutes } from './features/accounts/authz/authz.routes.ts'
import { authorizeRoutes, resumeRoutes } from './features/federation/oauth/authorize/authorize.routes.ts'
import { interactionRoutes } from './features/federation/oauth/interaction/interactions.routes.ts'
import { linkRoutes } from './features/federation/oauth/interaction/links.routes.ts'
import type { ClientGate } from './features/federation/oauth/clients/client-authentication.service.ts'
import { consoleSessionRoutes } from './features/federation/oauth/console/console-session.routes.ts'
import { discoveryRoutes } from './features/federation/oauth/discovery/discovery.routes.ts'
import { registrationRoutes } from './features/federation/oauth/clients/registration.routes.ts'
import { logoutQuestionRoutes, logoutRoutes } from './features/federation/oauth/logout/logout.routes.ts'
import { tokenRoutes, userinfoRoutes } from './features/federation/oauth/token/token.routes.ts'
import { limitRoutes } from './features/configuration/limits/limits.routes.ts'
import { dashboardRoutes } from './features/tenancy/dashboard/dashboard.routes.ts'
import type { Streams } from './features/delivery/events/streams.service.ts'
import { eventRoutes } from './features/delivery/events/events.routes.ts'
import { importRoutes } from './features/tenancy/imports/imports.routes.ts'
import { flagOverrideRoutes, flagRoutes } from './features/configuration/flags/flags.routes.ts'
import { ofrepRoutes } from './features/configuration/flags/ofrep.routes.ts'
import { EvaluationFailure } from './features/configuration/flags/ofrep.schemas.ts'
import { readPortal } from './features/configuration/portal/portal.service.ts'
import { portalRoutes } from './features/configuration/portal/portal.routes.ts'
import { robotsRoutes, useProofOfWork } from './features/sign-in/robots/robots.routes.ts'
import { membershipRoutes } from './features/sign-in/memberships/memberships.routes.ts'
import { identityRoutes } from './features/accounts/identities/identities.routes.ts'
import { factorRoutes } from './features/accounts/factors/factors.routes.ts'
import {
  inboxRoutes,
  notificationRoutes,
  sendingRoutes,
} from './features/delivery/notifications/notifications.routes.ts'
import { personalDataRoutes } from './features/sign-in/personal-data/personal-data.routes.ts'
import { catalogueRoutes } from './features/accounts/roles/catalogue.routes.ts'
import { elevationRoutes, eligibilityRoutes } from './features/accounts/roles/elevations.routes.ts'
import { assignmentRoutes } from './features/accounts/roles/assignments.routes.ts'
import { roleRoutes } from './features/accounts/roles/roles.routes.ts'
import {
  keyRoutes,
  serviceAccountRoutes,
} from './features/accounts/service-accounts/service-accounts.routes.ts'
import { directoryRoutes, groupRoutes } from './features/tenancy/scim/groups.routes.ts'
import { keepRefusal, scimRoutes } from './features/tenancy/scim/scim.routes.ts'
import { ScimFailure } from './features/tenancy/scim/scim.schemas.ts'
import { sessionRoutes } from './features/accounts/sessions/sessions.routes.ts'
import {
  confirmSignUpRoutes,
  organizationRoutes,
  publicSignUpRoutes,
} from './features/tenancy/sign-up/sign-up.routes.ts'
import { supportRoutes } from './features/sign-in/support/support.routes.ts'
import { attributeRoutes } from './features/configuration/attributes/attributes.routes.ts'
import { userAttributeRoutes } from './features/accounts/user-attributes/user-attributes.routes.ts'
import { tenantAttributeRoutes } from './features/tenancy/tenants/tenant-attributes.routes.ts'
import { definitionRoutes } from './features/configuration/settings/definitions.routes.ts'
import { effectiveRoutes, userSettingRoutes } from './features/accounts/user-settings/user-settings.routes.ts'
import { settingHistoryRoutes } from './features/configuration/settings/history.routes.ts'
import { secretSettingRoutes } from './features/configuration/settings/secrets.routes.ts'
import { settingRoutes } from './features/configuration/settings/settings.routes.ts'
import { pingRoutes, probeRoutes, versionRoutes } from './features/tenancy/system/system.routes.ts'
import { samlFormBytesMax, samlRoutes } from './features/federation/sso/saml.routes.ts'
import { attemptRoutes, publicSignInRoutes, signInRoutes } from './features/federation/sso/sign-in.routes.ts'
import { publicSetupRoutes, setupRoutes } from './features/federation/setup/setup.routes.ts'
import { connectionRoutes } from './features/federation/sso/connections.routes.ts'
import { providerAnswerRoutes } from './features/federation/providers/sign-in.routes.ts'
import { providerRoutes, providerTicketRoutes } from './features/federation/providers/providers.routes.ts'
import { domainRoutes } from './features/federation/sso/domains.routes.ts'
import { tenantRoutes } from './features/tenancy/tenants/tenants.routes.ts'
import { userRoutes } from './features/accounts/users/users.routes.ts'
import { webhookDeliveryRoutes, webhookRoutes } from './features/delivery/webhooks/webhooks.routes.ts'
import { createMemories, type Memories } from './memories.ts'
import { useAccessLog } from './http/access-log.ts'
import { createAnswerPages } from './http/answer-pages.ts'
import type { App } from './http/app-type.ts'
import {
  useAuthentication,
  useOptionalAuthentication,
  usePublicContext,
  type ResolveCaller,
} from './http/authenticate.ts'
import { acceptFormsOnly, acceptJsonOnly } from './http/body.ts'
import { consoleRoutes, wellKnownPages } from './http/console.ts'
import { useEnvelope, useEnvelopeForFailures } from './http/envelope.ts'
import { useErrorAnswers } from './http/error-handler.ts'
import { documentedErrors } from './http/error-meanings.ts'
import { answerHead, corsFor, requireHost, useDefaultHeaders } from './http/headers.ts'
import { createAssistantCount, limitCallers, limitQuestions, limitSources } from './http/limits.ts'
import { mainMetrics } from './http/metrics-app.ts'
import { useRequestMetrics } from './http/metrics.ts'
import { requireOpenFrontDoor, useOAuthForm, useOAuthJson } from './http/oauth-answers.ts'
import { useOfrepErrors } from './http/ofrep-answers.ts'
import { useEvaluators } from './http/ofrep-caller.ts'
import { collectRoutes, useOpenApi } from './http/openapi.ts'
import { allowAssistants, allowEveryOrigin, allowPageOrigins, requireOwnPages } from './http/page-origins.ts'
import { useScimErrors } from './http/scim-answers.ts'
import { useDirectories } from './http/scim-caller.ts'
import { allowReplays, createReplay, refuseOtherReplays, useApprovals } from './http/replay.ts'
import { useAssistants } from './http/mcp-answers.ts'
import { createServer } from './http/server.ts'

const basePath = '/api/v1'

const pages = createAnswerPages(({ db }) => readPortal(db))

/** Probes and versions: bare objects, at the host root and also below the base path. */
const bareScope = (scope: App, parts: Parts, { pingStores }: Memories): void => {
  usePublicContext(scope, parts)
  probeRoutes(scope, pingStores)
  versionRoutes(scope)
}

/** Documents at their standard paths: bare objects at the host root. */
const wellKnownScope = (scope: App, parts: Parts): void => {
  answerHead(scope)
  allowEveryOrigin(scope)
  usePublicContext(scope, parts)
  keySetRoutes(scope)
  discoveryRoutes(scope)
  wellKnownPages(scope, parts.config.publicUrl)
  if (parts.config.mcp === 'on') resourceMetadataRoutes(scope)
}

/** OAuth 2.0 and OpenID Connect, with the standards' forms and errors. */
const oauthScope = async (scope: App, parts: Parts, gate: ClientGate): Promise<void> => {
  await scope.register(cookie)
  useOAuthForm(scope)
  allowPageOrigins(scope, gate.allowsOrigin)
  allowAssistants(scope, parts.config, gate.isSelfRegistered)
  usePublicContext(scope, parts)
  tokenRoutes(scope, gate)
  userinfoRoutes(scope, gate)
  authorizeRoutes(scope, pages)
  logoutRoutes(scope, pages)
}

/** Evaluation of flags, with the bodies and errors of the OpenFeature Remote Evaluation Protocol. */
const ofrepScope = (scope: App, parts: Parts, { principals, flags, gate }: Memories): void => {
  useOfrepErrors(scope, EvaluationFailure)
  const { corsOrigins } = parts.config
  const allows = async (origin: string) => corsOrigins.includes(origin) || gate.allowsOrigin(origin)
  allowPageOrigins(scope, allows, { allowed: ['if-none-match', 'x-api-key'], exposed: ['etag'] })
  usePublicContext(scope, parts)
  useEvaluators(scope, parts, principals.resolve)
  ofrepRoutes(scope, flags)
}

/** Directories push users and groups, with the bodies and errors of SCIM 2.0. */
const scimScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useScimErrors(scope, ScimFailure, keepRefusal)
  usePublicContext(scope, parts)
  useDirectories(scope, parts, resolve)
  scimRoutes(scope)
  groupRoutes(scope)
}

/** Redirects to the tenants' sign-in providers, and the answers of those providers. */
const ssoScope = async (scope: App, parts: Parts, { providers }: Memories): Promise<void> => {
  await scope.register(cookie)
  acceptFormsOnly(scope, samlFormBytesMax)
  useEnvelopeForFailures(scope)
  usePublicContext(scope, parts)
  limitSources(scope, parts)
  signInRoutes(scope, providers, pages)
  samlRoutes(scope, pages)
  providerAnswerRoutes(scope, providers, pages)
}

/** Clients that register themselves send JSON, and get the standard's errors. */
const registrationScope = (scope: App, parts: Parts, gate: ClientGate): void => {
  useOAuthJson(scope)
  allowEveryOrigin(scope)
  usePublicContext(scope, parts)
  registrationRoutes(scope, gate)
}

/** Endpoints of the service's own sign-in pages, in the envelope. */
const interactionScope = async (scope: App, parts: Parts, resolve: ResolveCaller): Promise<void> => {
  await scope.register(cookie)
  useEnvelope(scope)
  usePublicContext(scope, parts)
  requireOwnPages(scope)
  limitSources(scope, parts)
  useProofOfWork(scope, resolve)
  interactionRoutes(scope)
  linkRoutes(scope)
  resumeRoutes(scope, pages)
  logoutQuestionRoutes(scope)
}

/** The Model Context Protocol, with its own form of answers. Its tools reach the routes of the API. */
const assistantScope = (
  scope: App,
  parts: Parts,
  { principals, runningRehearsals: running }: Memories,
  routes: readonly RouteOptions[],
): void => {
  usePublicContext(scope, parts)
  useAssistants(scope, parts, principals.resolve)
  const answer = createProtocol(
    {
      url: mcpUrl(parts.config),
      routes,
      basePath,
      errors: documentedErrors,
      countChange: createAssistantCount(parts).change,
    },
    {
      replay: createReplay(scope, basePath),
      running,
      isOwnSetting: (key) => parts.builtInSettings.has(key),
    },
  )
  assistantRoutes(scope, answer)
}

/** Endpoints without authentication, in the envelope. */
const publicScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useEnvelope(scope)
  usePublicContext(scope, parts)
  limitSources(scope, parts)
  useProofOfWork(scope, resolve)
  robotsRoutes(scope)
  publicAuthRoutes(scope)
  publicEmailRoutes(scope)
  publicEmailCodeRoutes(scope)
  publicInvitationRoutes(scope)
  publicSignUpRoutes(scope)
  publicSignInRoutes(scope)
  publicSetupRoutes(scope)
}

/** The console's session, which the cookie of its browser proves, in the envelope. */
const consoleSessionScope = async (scope: App, parts: Parts): Promise<void> => {
  await scope.register(cookie)
  useEnvelope(scope)
  usePublicContext(scope, parts)
  requireOwnPages(scope)
  limitSources(scope, parts)
  consoleSessionRoutes(scope)
}

/** Endpoints that need no authentication, but check a credential if the request has one, in the envelope. */
const optionalScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useOptionalAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitSources(scope, parts)
  acceptInvitationRoutes(scope)
  confirmSignUpRoutes(scope)
}

/** The sign-in of a tenant's people at its own provider. */
const ownSignInRoutes = (scope: App): void => {
  domainRoutes(scope)
  connectionRoutes(scope)
  attemptRoutes(scope)
  setupRoutes(scope)
}

/** Roles, and who has them. */
const authorityRoutes = (scope: App): void => {
  roleRoutes(scope)
  assignmentRoutes(scope)
  eligibilityRoutes(scope)
  elevationRoutes(scope)
  supportRoutes(scope)
}

/** Changes that others must approve. */
const changesOfOthersRoutes = (scope: App, { runningRehearsals }: Memories): void => {
  approvalPolicyRoutes(scope)
  approvalRoutes(scope, createReplay(scope, basePath), runningRehearsals)
}

/** Consents, and reviews of all that people and machines hold. */
const heldRoutes = (scope: App): void => {
  grantRoutes(scope)
  reviewRoutes(scope)
}

/** Endpoints for signed-in callers, in the envelope. Each route declares the permission it needs. */
const signedInScope = (scope: App, parts: Parts, memories: Memories): void => {
  useAuthentication(scope, parts, memories.principals.resolve)
  allowReplays(scope)
  useApprovals(scope, basePath, useApproval)
  useEnvelope(scope)
  const countCaller = limitCallers(scope, parts)
  authRoutes(scope)
  emailRoutes(scope)
  sessionRoutes(scope)
  membershipRoutes(scope)
  organizationRoutes(scope)
  factorRoutes(scope)
  identityRoutes(scope)
  userRoutes(scope, memories.countUsers)
  importRoutes(scope, countCaller)
  invitationRoutes(scope)
  serviceAccountRoutes(scope)
  keyRoutes(scope)
  tenantRoutes(scope)
  limitRoutes(scope)
  authorityRoutes(scope)
  changesOfOthersRoutes(scope, memories)
  catalogueRoutes(scope)
  applicationRoutes(scope)
  resourceRoutes(scope)
  heldRoutes(scope)
  auditRoutes(scope, memories.largeTotals)
  settingRoutes(scope, memories.secretKeys)
  definitionRoutes(scope)
  attributeRoutes(scope)
  userAttributeRoutes(scope)
  tenantAttributeRoutes(scope)
  settingHistoryRoutes(scope, memories.secretKeys)
  effectiveRoutes(scope, memories.effective)
  secretSettingRoutes(scope)
  portalRoutes(scope)
  userSettingRoutes(scope)
  directoryRoutes(scope)
  notificationRoutes(scope)
  sendingRoutes(scope)
  inboxRoutes(scope)
  ownSignInRoutes(scope)
  providerRoutes(scope)
  webhookRoutes(scope)
  webhookDeliveryRoutes(scope)
  flagRoutes(scope)
  flagOverrideRoutes(scope)
  dashboardRoutes(scope, memories.countUsers)
  pingRoutes(scope)
}

/** Endpoints for signed-in callers whose answer belongs to the browser: its cookie is compared later. */
const signedInBrowserScope = async (scope: App, parts: Parts, resolve: ResolveCaller): Promise<void> => {
  await scope.register(cookie)
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  providerTicketRoutes(scope)
}

/** Questions about permissions, which a product's backend asks for all its users. */
const questionScope = (
  scope: App,
  parts: Parts,
  { principals, permissionCache, runningPreviews }: Memories,
): void => {
  useAuthentication(scope, parts, principals.resolve)
  allowReplays(scope)
  useEnvelope(scope)
  limitQuestions(scope, parts)
  authzRoutes(scope, permissionCache, runningPreviews)
}

/** Endpoints that stream: authenticated, and only their errors in the envelope. */
const signedInStreamScope = (scope: App, parts: Parts, resolve: ResolveCaller, streams: Streams): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelopeForFailures(scope)
  limitCallers(scope, parts)
  auditExportRoutes(scope)
  personalDataRoutes(scope)
  reviewReportRoutes(scope)
  eventRoutes(scope, streams)
}

/** `/ping` is a system path, so it answers at the host root as well. */
const signedInRootScope = (scope: App, parts: Parts, resolve: ResolveCaller): void => {
  useAuthentication(scope, parts, resolve)
  useEnvelope(scope)
  limitCallers(scope, parts)
  pingRoutes(scope)
}

const registerRoot = async (
  app: App,
  parts: Parts,
  memories: Memories,
  routes: readonly RouteOptions[],
): Promise<void> => {
  const { gate } = memories
  const { resolve } = memories.principals
  const oauth = { prefix: '/oauth2' }
  await app.register(async (scope: App) => bareScope(scope, parts, memories))
  await app.register(async (scope: App) => bareScope(scope, parts, memories), { prefix: basePath })
  await app.register(async (scope: App) => wellKnownScope(scope, parts))
  await app.register(async (scope: App) => oauthScope(scope, parts, gate), oauth)
  await app.register(async (scope: App) => registrationScope(scope, parts, gate), oauth)
  await app.register(async (scope: App) => interactionScope(scope, parts, resolve), oauth)
  await app.register(async (scope: App) => ssoScope(scope, parts, memories))
  await app.register(async (scope: App) => ofrepScope(scope, parts, memories), { prefix: '/ofrep' })
  await app.register(async (scope: App) => scimScope(scope, parts, resolve), { prefix: '/scim/v2' })
  await app.register(async (scope: App) => mainMetrics(scope, parts))
  await app.register(async (scope: App) => consoleRoutes(scope, parts.consoleFolder))
  await app.register(async (scope: App) => consoleSessionScope(scope, parts))
  await app.register(async (scope: App) => signedInRootScope(scope, parts, resolve))
  if (parts.config.mcp === 'off') return
  await app.register(async (scope: App) => assistantScope(scope, parts, memories, routes))
}

/** The scopes below the base path. */
const registerApi = async (app: App, parts: Parts, memories: Memories): Promise<void> => {
  const { principals, streams } = memories
  const { resolve } = principals
  const api = { prefix: basePath }
  await app.register(async (scope: App) => publicScope(scope, parts, resolve), api)
  await app.register(async (scope: App) => optionalScope(scope, parts, resolve), api)
  await app.register(async (scope: App) => signedInScope(scope, parts, memories), api)
  await app.register(async (scope: App) => signedInBrowserScope(scope, parts, resolve), api)
  await app.register(async (scope: App) => questionScope(scope, parts, memories), api)
  await app.register(async (scope: App) => signedInStreamScope(scope, parts, resolve, streams), api)
}

/**
 * Builds the HTTP application: first the hooks of every request, then the scopes. `prepare` adds hooks before all
 * routes. Tests observe the answers with it.
 */
export const buildApp = async (parts: Parts, prepare?: (app: App) => void): Promise<App> => {
  const app = createServer(parts)
  prepare?.(app)
  useAccessLog(app, parts.log)
  useRequestMetrics(app, parts.metrics)
  useDefaultHeaders(app, parts.stopping.signal)
  requireHost(app)
  requireOpenFrontDoor(app, parts.config)
  useErrorAnswers(app)
  refuseOtherReplays(app)
  acceptJsonOnly(app)
  const { corsOrigins } = parts.config
  if (corsOrigins.length > 0) await app.register(cors, { delegator: corsFor(corsOrigins) })

  const routes = collectRoutes(app)
  await useOpenApi(app, basePath, parts, routes)

  const memories = createMemories(parts)
  await registerRoot(app, parts, memories, routes)
  await registerApi(app, parts, memories)
  return app
}
