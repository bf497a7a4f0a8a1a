/** Requests and errors at `/mcp`: the Streamable HTTP of the Model Context Protocol, with the errors of JSON-RPC. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readScope } from '../access/assistant-scopes.ts'
import { readAssistantCredential } from '../access/credential.ts'
import type { Actor } from '../access/actor.ts'
import { requireEnabledTenant, requireUnrestricted } from '../access/policies.ts'
import type { Config } from '../config/config.ts'
import { mcpUrl } from '../config/front-door.ts'
import { tokenInvalid, type Parts } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { ScopeError } from '../errors/scope-error.ts'
import type { App } from './app-type.ts'
import { bearerOf, createAuthenticate, type ResolveCaller } from './authenticate.ts'
import { errorToAnswer, useAnswersToErrors } from './error-handler.ts'
import { defaultHeaders } from './headers.ts'
import { createAssistantCount } from './limits.ts'

/** The path of the metadata of the resource (RFC 9728, 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp'

/** The code of JSON-RPC for errors of a server. `data.code` is that of the API. */
const serverError = -32_000

const challengeOf = (
  { publicUrl }: Config,
  { headers }: FastifyRequest,
  error: AppError | ScopeError,
): string | undefined => {
  const metadata = `resource_metadata="${publicUrl}${resourceMetadataPath}"`
  if (error instanceof ScopeError) {
    return `Bearer error="insufficient_scope", scope="${error.scopes.join(' ')}", ${metadata}`
  }
  if (error.status !== 401) return undefined
  const fault = headers.authorization === undefined ? '' : 'error="invalid_token", '
  return `Bearer ${fault}scope="${readScope}", ${metadata}`
}

const answerBy = (config: Config) => (thrown: Error, request: FastifyRequest, reply: FastifyReply) => {
  const error = thrown instanceof ScopeError ? thrown : errorToAnswer(thrown, request)
  const challenge = challengeOf(config, request, error)
  reply.header('x-trace-id', request.id).headers(defaultHeaders)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  if (error instanceof ScopeError) {
    return reply.code(403).send(failure({ error: 'insufficient_scope' }, error.message))
  }
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  return reply.code(error.status).send(failure({ code: error.code }, error.message))
}

const failure = (data: object, message: string) => ({
  jsonrpc: '2.0',
  id: null,
  error: { code: serverError, message, data },
})

/** Throws 403 for a page of another origin: DNS rebinding, or a cross-site request. */
const requireOwnOrigin = ({ publicUrl }: Config, { origin }: FastifyRequest['headers']): void => {
  if (origin !== undefined && origin !== new URL(publicUrl).origin) {
    throw new AppError('foreignPage', 'Pages of other origins may not call this')
  }
}

/** Throws 401 for a session that is not narrowed to what its person consented to. */
const requireConsented = ({ credential, application }: Actor): void => {
  if (credential?.kind === 'session' && application?.narrowedTo !== undefined) return
  if (credential?.kind !== 'key') throw tokenInvalid()
}

/** Answers errors in the form of JSON-RPC, and authenticates and counts every request of the scope. */
export const useAssistants = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  const { config } = parts
  useAnswersToErrors(app, answerBy(config))
  const authenticate = createAuthenticate(parts, resolve, {
    textOf: ({ headers }) => bearerOf(headers.authorization),
    read: (tokens, text, now) => readAssistantCredential(tokens, text, now, mcpUrl(config)),
    missing: 'Sign in to Tenantry by OAuth. The header WWW-Authenticate says where',
  })
  const count = createAssistantCount(parts)
  app.addHook('onRequest', async (request) => {
    requireOwnOrigin(config, request.headers)
    const { ctx } = request
    const actor = await authenticate(request, ctx.origin)
    requireConsented(actor)
    await count.call(actor)
    requireEnabledTenant(actor, 'caller')
    requireUnrestricted(actor, 'caller', { is_factor_required: false })
    const { tenantId } = actor
    request.ctx = { ...ctx, db: parts.store.scoped({ tenantId }), actor, tenantId }
  })
}

const isOfProtocol = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === 'string' && /^(?:accept|content-type|mcp-.+)$/.test(entry[0])

/** The headers that the protocol reads. */
export const protocolHeadersOf = (headers: FastifyRequest['headers']): Headers =>
  new Headers(Object.entries(headers).filter(isOfProtocol))

/** Sends an answer of the protocol's library. */
export const sendWebAnswer = async (reply: FastifyReply, answer: Promise<Response>) => {
  const given = await answer
  for (const [name, value] of given.headers) reply.header(name, value)
  reply.code(given.status)
  return reply.send(await given.text())
}
