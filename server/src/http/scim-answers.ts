/** Requests and errors below `/scim/v2`, in the form of RFC 7644. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { errorCodes } from '../errors/app-error.ts'
import { ScimError, type ScimType } from '../errors/scim-error.ts'
import type { App } from './app-type.ts'
import { errorToAnswer, useAnswersToErrors, useAnswersToUnknownPaths } from './error-handler.ts'
import { defaultHeaders } from './headers.ts'

const scimType = 'application/scim+json; charset=utf-8'
/** docs/contract.md, "Limits". */
export const scimBodyBytesMax = 4 * 1_048_576

const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

interface ErrorAnswer {
  status: number
  scimType: ScimType | undefined
  message: string
  retryAfterSeconds?: number | undefined
}

const texts: Partial<Record<number, string>> = {
  413: 'The body has more than 4 MiB',
  415: 'The body must be JSON: send the header Content-Type: application/scim+json',
}

/**
 * Translates an error of the service to one of SCIM. The last platform administrator gets 403, because a directory
 * cannot correct that.
 */
const errorAnswerOf = (thrown: Error, request: FastifyRequest): ErrorAnswer => {
  if (thrown instanceof ScimError) return thrown
  const { status, code, message, fields, retryAfterSeconds } = errorToAnswer(thrown, request)
  if (code === errorCodes.lastPlatformAdmin) return { status: 403, scimType: undefined, message }
  if (status === 409) return { status, scimType: 'uniqueness', message }
  const keyword = fields === undefined ? 'invalidSyntax' : 'invalidValue'
  return {
    status,
    scimType: status === 400 ? keyword : undefined,
    message: texts[status] ?? message,
    retryAfterSeconds,
  }
}

const answer = (
  { status, scimType: keyword, message, retryAfterSeconds }: ErrorAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
) => {
  reply.header('x-trace-id', request.id).headers(defaultHeaders).type(scimType)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  const body = { schemas: [errorSchema], status: String(status), scimType: keyword, detail: message }
  return reply.code(status).send(JSON.stringify(body))
}

const refusalsOf = ({ url, method }: RouteOptions): number[] => [
  ...(url.includes(':') ? [404] : []),
  ...(method === 'GET' ? [] : [409, 413, 415]),
  400,
  401,
  403,
  429,
  500,
  503,
]

/** A part of the standard that the service does not support. */
export const notImplemented = () => new ScimError(501, 'This service does not offer this part of SCIM')

export const send = async (reply: FastifyReply, text: Promise<string>) =>
  reply.type(scimType).send(await text)

export const sendCreated = async (reply: FastifyReply, made: Promise<string>) => {
  const text = await made
  // JSON escapes a quote inside a value, so no value matches the name.
  const [, location] = /"location":"([^"]+)"/.exec(text) ?? []
  if (location !== undefined) reply.header('location', location)
  return reply.code(201).type(scimType).send(text)
}

export const sendNothing = async (reply: FastifyReply, done: Promise<void>) => {
  await done
  return reply.code(204).send()
}

type KeepRefusal = (request: FastifyRequest, message: string) => Promise<void>

/** Answers errors of the scope's routes in this form. Before that, `keep` gets the message of each. */
export const useScimErrors = (app: App, failure: TSchema, keep: KeepRefusal): void => {
  useAnswersToErrors(app, async (thrown, request, reply) => {
    const refusal = errorAnswerOf(thrown, request)
    await keep(request, refusal.message)
    return answer(refusal, request, reply)
  })
  useAnswersToUnknownPaths(app)
  app.addHook('onRoute', (route) => {
    const refusals = refusalsOf(route).map((status) => [
      status,
      { ...failure, 'x-response-description': STATUS_CODES[status] ?? '' },
    ])
    route.schema = {
      ...route.schema,
      response: { ...Object.fromEntries(refusals), ...(route.schema?.response as object) },
    }
  })
}
