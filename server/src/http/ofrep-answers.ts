/** Errors below `/ofrep`, in the form of the OpenFeature Remote Evaluation Protocol. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { OfrepError } from '../errors/ofrep-error.ts'
import type { App } from './app-type.ts'
import { errorToAnswer, useAnswersToErrors } from './error-handler.ts'
import { defaultHeaders } from './headers.ts'

/** Only errors that the caller can correct have a code. */
const codeOf = (status: number, isBroken: boolean): string | undefined => {
  if (status === 413 || status === 415) return 'GENERAL'
  if (status !== 400) return undefined
  return isBroken ? 'PARSE_ERROR' : 'INVALID_CONTEXT'
}

interface ErrorAnswer {
  status: number
  code: string | undefined
  message: string
  retryAfterSeconds?: number | undefined
}

const errorAnswerOf = (thrown: Error, request: FastifyRequest): ErrorAnswer => {
  if (thrown instanceof OfrepError) return thrown
  const { status, message, fields, retryAfterSeconds } = errorToAnswer(thrown, request)
  return { status, code: codeOf(status, fields === undefined), message, retryAfterSeconds }
}

/** The flag's key in the path. Undefined for a bulk evaluation. */
const keyIn = ({ params }: FastifyRequest): string | undefined =>
  (params as { key?: string } | undefined)?.key

const answer = (thrown: Error, request: FastifyRequest, reply: FastifyReply) => {
  const { status, code, message, retryAfterSeconds } = errorAnswerOf(thrown, request)
  reply.header('x-trace-id', request.id).headers(defaultHeaders)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(status).send({
    ...(code !== undefined && { key: keyIn(request), errorCode: code }),
    errorDetails: message,
  })
}

const refusalsOf = ({ url }: RouteOptions): number[] => [
  ...(url.includes(':') ? [404] : []),
  400,
  401,
  403,
  413,
  415,
  429,
  500,
  503,
]

/** Answers errors of the scope's routes in this form. */
export const useOfrepErrors = (app: App, failure: TSchema): void => {
  useAnswersToErrors(app, answer)
  app.addHook('onRoute', (route) => {
    if (route.schema?.hide) return
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
