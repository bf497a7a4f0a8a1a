import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from '../values/type.ts'
import type { AppError } from '../errors/app-error.ts'
import type { App } from './app-type.ts'
import { failuresOf } from './failures.ts'
import { defaultHeaders } from './headers.ts'
import { JsonText } from './remembered-answer.ts'
import { TraceId, type CountedList } from './schemas.ts'

const Success = (data: TSchema) =>
  Type.Object({
    code: Type.Integer({ const: 0, examples: [0] }),
    message: Type.String({ examples: ['success'] }),
    data,
    trace_id: TraceId,
  })

/** For routes that stream their own answers: only their errors use the envelope. */
export const useEnvelopeForFailures = (app: App): void => {
  app.addHook('onRoute', (route) => {
    route.schema = {
      ...route.schema,
      response: { ...(route.schema?.response as object), ...failuresOf(route) },
    }
  })
}

/**
 * Wraps every answer of the scope's routes into the envelope. The route's schema for 200 describes `data`. A route
 * without that schema stops the start.
 */
export const useEnvelope = (app: App): void => {
  app.addHook('onRoute', (route) => {
    const { 200: data, 304: notModified } = (route.schema?.response ?? {}) as Record<number, TSchema>
    if (!data) throw new Error(`${String(route.method)} ${route.url} has no response schema`)
    route.schema = {
      ...route.schema,
      response: {
        200: { ...Success(data), description: 'Success' },
        ...(notModified && { 304: notModified }),
        ...failuresOf(route),
      },
    }
    const { handler } = route
    route.handler = async function (this: typeof app, request, reply) {
      const result: unknown = await handler.call(this, request, reply)
      if (hasMark(result, 'isCapped')) reply.header('x-total-capped', 'true')
      if (hasMark(result, 'isSortIgnored')) reply.header('x-sort-ignored', 'true')
      // A reply is thenable: `await` waits until the reply was sent, and gives undefined.
      if (reply.sent || reply.raw.headersSent) return reply
      return result instanceof JsonText ? sendText(request, reply, result) : success(request, result)
    }
  })
}

/** Answers with the items, and sets the header X-Total-Count. */
export const withTotal = <T>(reply: FastifyReply, { items, total }: CountedList<T>): T[] => {
  reply.header('x-total-count', String(total))
  return items
}

/** True if the result has a mark. The response schema has no field for the mark, so the body omits it. */
const hasMark = (result: unknown, mark: string): boolean =>
  typeof result === 'object' && result !== null && Reflect.get(result, mark) === true

const success = (request: FastifyRequest, data: unknown) => ({
  code: 0,
  message: 'success',
  data: data ?? null,
  trace_id: request.id,
})

const asIs = (text: string): string => text

/** The envelope around data that is JSON already. */
const sendText = (request: FastifyRequest, reply: FastifyReply, { text }: JsonText) =>
  reply
    .type('application/json; charset=utf-8')
    .serializer(asIs)
    .send(`{"code":0,"message":"success","data":${text},"trace_id":"${request.id}"}`)

export const sendFailure = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
  // No hook has run yet if Fastify itself refuses a URL.
  reply.header('x-trace-id', request.id).headers(defaultHeaders)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(error.status).send({
    code: error.code,
    message: error.message,
    data: error.data ?? (error.fields ? { errors: error.fields } : null),
    trace_id: request.id,
  })
}
