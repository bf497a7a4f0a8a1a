/** Requests and errors below `/oauth2`, in the form of RFC 6749 and RFC 6750. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from '../values/type.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../errors/app-error.ts'
import { frontDoorFault, isBehindFrontDoor } from '../config/front-door.ts'
import { OAuthError, type OAuthErrorName } from '../errors/oauth-error.ts'
import type { App } from './app-type.ts'
import { acceptFormsOnly } from './body.ts'
import { errorToAnswer, useAnswersToErrors } from './error-handler.ts'
import { defaultHeaders } from './headers.ts'
import { TraceId } from './schemas.ts'

/** The body of every error of the scope. */
export const OAuthFailure = Type.Object(
  {
    error: Type.String({ examples: ['invalid_grant'] }),
    error_description: Type.String({ examples: ['The code is unknown, or was used already'] }),
    trace_id: TraceId,
  },
  { title: 'OAuthError' },
)

/** Errors that every route of the scope can have. */
export const sharedRefusals = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const

const formTexts: Partial<Record<number, string>> = {
  413: 'The body has more than 64 KiB',
  415: 'The body must be a form: send the header Content-Type: application/x-www-form-urlencoded',
}

const namesByStatus: Partial<Record<number, OAuthErrorName>> = {
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Translates an error of the service to one of RFC 6749. */
const inForm = ({ status, message, retryAfterSeconds }: AppError, texts: typeof formTexts): OAuthError => {
  const isKnown = status in namesByStatus || status in formTexts
  return new OAuthError(
    namesByStatus[status] ?? 'invalid_request',
    texts[status] ?? message,
    isKnown ? status : 400,
    retryAfterSeconds,
  )
}

/**
 * The header `WWW-Authenticate`. It names the client's scheme (RFC 6749, 5.2), or the fault of its token (RFC 6750, 3).
 */
const challengeOf = ({ error, status }: OAuthError, { headers }: FastifyRequest): string | undefined => {
  if (error === 'invalid_token' || error === 'insufficient_scope') {
    return headers.authorization === undefined ? 'Bearer' : `Bearer error="${error}"`
  }
  return status === 401 && headers.authorization !== undefined ? 'Basic realm="Tenantry"' : undefined
}

const answerBy =
  (texts: typeof formTexts) => (thrown: Error, request: FastifyRequest, reply: FastifyReply) => {
    const error = thrown instanceof OAuthError ? thrown : inForm(errorToAnswer(thrown, request), texts)
    const challenge = challengeOf(error, request)
    reply.header('x-trace-id', request.id).headers(defaultHeaders)
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
    if (challenge !== undefined) reply.header('www-authenticate', challenge)
    return reply
      .code(error.status)
      .send({ error: error.error, error_description: error.message, trace_id: request.id })
  }

/** The status of an error, except for 429 and 503. */
export const statusOfRefusal = (name: OAuthErrorName): number => {
  if (name === 'invalid_client' || name === 'invalid_token') return 401
  return name === 'insufficient_scope' ? 403 : 400
}

const failuresOf = ({ method, config }: RouteOptions): Record<number, TSchema> => {
  const own = (config?.refuses ?? []).map(statusOfRefusal)
  const statuses = new Set([400, 429, 500, 503, ...(method === 'GET' ? [] : [413, 415]), ...own])
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      { ...OAuthFailure, 'x-response-description': STATUS_CODES[status] ?? '' },
    ]),
  )
}

/** Throws for a known parameter that the client repeats. Removes parameters without a value (RFC 6749, 3.1). */
const requireSingle = (schema: unknown, values: unknown): void => {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  const parameters = (values ?? {}) as Record<string, unknown>
  for (const name of Object.keys(properties)) {
    if (parameters[name] === '') delete parameters[name]
    if (!Array.isArray(parameters[name])) continue
    throw new OAuthError(
      name === 'resource' ? 'invalid_target' : 'invalid_request',
      `${name} was given more than once`,
    )
  }
}

/**
 * Answers 503 while the configuration closes the front door. Retry-After is a minute, because an operator must correct
 * the configuration.
 */
export const requireOpenFrontDoor = (app: App, config: Config): void => {
  const fault = frontDoorFault(config)
  if (fault === undefined) return
  app.addHook('onRequest', async ({ url }) => {
    if (isBehindFrontDoor(url)) throw new AppError('frontDoorShut', fault, { retryAfterSeconds: 60 })
  })
}

/** Answers errors of the scope's routes in the form of RFC 6749. */
const useOAuthErrors = (app: App, texts: typeof formTexts): void => {
  useAnswersToErrors(app, answerBy(texts))
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
    const own = route.schema?.response as object
    route.schema = { ...route.schema, response: { ...failuresOf(route), ...own } }
  })
}

/** For a scope with JSON bodies. Its errors have the form of RFC 6749. */
export const useOAuthJson = (app: App): void => useOAuthErrors(app, {})

/** For a scope with form bodies. Its errors have the form of RFC 6749. */
export const useOAuthForm = (app: App): void => {
  acceptFormsOnly(app)
  useOAuthErrors(app, formTexts)
  app.addHook('preValidation', async ({ routeOptions: { schema }, query, body }) => {
    requireSingle(schema?.querystring, query)
    requireSingle(schema?.body, body)
  })
}
