import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { errorCodes, type AppError } from '../errors.ts'
import type { App } from './app-type.ts'
import { defaultHeaders } from './headers.ts'
import { SecondStep, type CountedList } from './schemas.ts'

const TraceId = Type.String({
  description: 'The trace id of the request; also in the header X-Trace-Id and in the log.',
  examples: ['4bf92f3577b34da6a3ce929d0e0e4736'],
})

const Success = (data: TSchema) =>
  Type.Object({
    code: Type.Integer({ const: 0, examples: [0] }),
    message: Type.String({ examples: ['success'] }),
    data,
    trace_id: TraceId,
  })

const FieldErrors = Type.Object({
  errors: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['username'] }),
      message: Type.String({ examples: ['must have at least 3 characters'] }),
    }),
  ),
})

/** The body of every error answer. */
export const Failure = Type.Object(
  {
    code: Type.Integer({
      description: 'HTTP status × 100 + a number of its own. Later versions may add codes.',
      enum: Object.values(errorCodes),
      examples: [40001],
    }),
    message: Type.String({ examples: ['username: must have at least 3 characters'] }),
    data: Type.Union([Type.Null(), FieldErrors, SecondStep]),
    trace_id: TraceId,
  },
  { title: 'Error' },
)

/** Every route can answer with these statuses. */
const sharedStatuses = [429, 500, 503]
const signedInStatuses = [400, 401, 403, 404]

const statusesOf = (route: RouteOptions): number[] => {
  const { allow, fails = [] } = route.config ?? {}
  // A client can send a body with any method, even where the route expects none.
  const fromBody = route.method === 'GET' ? [] : [400, 413, 415]
  const fromAuthentication = allow === undefined ? [] : signedInStatuses
  return [...new Set([...fails, ...fromBody, ...fromAuthentication, ...sharedStatuses])].toSorted(
    (a, b) => a - b,
  )
}

const failuresOf = (route: RouteOptions): Record<number, TSchema> =>
  Object.fromEntries(
    statusesOf(route).map((status) => [status, describe(Failure, STATUS_CODES[status] ?? '')]),
  )

/** For routes that stream their own answer: only errors use the envelope. */
export const useEnvelopeForFailures = (app: App): void => {
  app.addHook('onRoute', (route) => {
    route.schema = {
      ...route.schema,
      response: { ...(route.schema?.response as object), ...failuresOf(route) },
    }
  })
}

/**
 * Wraps every answer of the scope's routes into the envelope. The schema declared for 200 describes `data`. A route
 * without one stops the start, so no answer goes out without a schema.
 */
export const useEnvelope = (app: App): void => {
  app.addHook('onRoute', (route) => {
    const { 200: data } = (route.schema?.response ?? {}) as Record<number, TSchema>
    if (!data) throw new Error(`${String(route.method)} ${route.url} has no response schema`)
    route.schema = {
      ...route.schema,
      response: { 200: describe(Success(data), 'Success'), ...failuresOf(route) },
    }
    const { handler } = route
    route.handler = async function (this: typeof app, request, reply) {
      const result: unknown = await handler.call(this, request, reply)
      if (hasMark(result, 'isCapped')) reply.header('x-total-capped', 'true')
      if (hasMark(result, 'isSortIgnored')) reply.header('x-sort-ignored', 'true')
      return success(request, result)
    }
  })
}

const describe = (schema: TSchema, description: string): TSchema => ({ ...schema, description })

/** Answers with the items, and tells the total in the header. */
export const withTotal = <T>(reply: FastifyReply, { items, total }: CountedList<T>): T[] => {
  reply.header('x-total-count', String(total))
  return items
}

/** A mark is no field of the response schema, so the body leaves it out. */
const hasMark = (result: unknown, mark: string): boolean =>
  typeof result === 'object' && result !== null && Reflect.get(result, mark) === true

const success = (request: FastifyRequest, data: unknown) => ({
  code: 0,
  message: 'success',
  data: data ?? null,
  trace_id: request.id,
})

/** Answers with an error in the envelope. */
export const sendFailure = (request: FastifyRequest, reply: FastifyReply, error: AppError) => {
  // No hook has run yet when Fastify itself refuses a URL.
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
