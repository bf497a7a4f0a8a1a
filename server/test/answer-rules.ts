/**
 * Rules for every answer of the service in every test. A request has one answer, with a declared status and error, and
 * the declared shape without further fields. Errors have the envelope, with the trace id of the header.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { errorCodes, type ErrorName } from '../src/errors/app-error.ts'
import { ScimFailure } from '../src/features/tenancy/scim/scim.schemas.ts'
import { OAuthFailure, sharedRefusals } from '../src/http/oauth-answers.ts'
import type { OAuthErrorName } from '../src/errors/oauth-error.ts'
import { errorsOf, Failure } from '../src/http/failures.ts'
import type { App } from '../src/http/app-type.ts'
import { noteAnswer, noteRoute } from './seen-errors.ts'

// Most validators check a few answers: optimizing them would take longer.
const ajv = new Ajv2020({
  strict: false,
  formats: { ...fullFormats, password: true, name: true },
  code: { optimize: false },
})

/** The schema with every object closed: an answer holds only declared fields. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isOpen = 'properties' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

/** Every route and application has schemas of its own, and nearly all of them are the same error. */
const byShape = new Map<string, ValidateFunction>()
const bySchema = new WeakMap<object, ValidateFunction>()

const compiled = (schema: object): ValidateFunction => {
  const shape = JSON.stringify({ ...schema, description: undefined })
  const known = byShape.get(shape) ?? ajv.compile(closed(schema) as object)
  byShape.set(shape, known)
  return known
}

const validatorOf = (schema: object): ValidateFunction => {
  const known = bySchema.get(schema) ?? compiled(schema)
  bySchema.set(schema, known)
  return known
}

const misfit = (schema: object, body: unknown): string | undefined => {
  const validate = validatorOf(schema)
  return validate(body) ? undefined : ajv.errorsText(validate.errors)
}

const traceFault = (body: unknown, header: unknown): string | undefined => {
  const { trace_id: traceId } = body as { trace_id?: string }
  const isSound = traceId === undefined || (traceId === header && /^[0-9a-f]{32}$/.test(traceId))
  return isSound ? undefined : `its trace_id is ${traceId}, X-Trace-Id something else`
}

/** The schema for this answer: the one that its route declares, or that of all errors. */
const schemaFor = (request: FastifyRequest, status: number, payload: unknown): object | undefined => {
  const { schema } = request.routeOptions
  const declared = (schema?.response ?? {}) as Record<string, object>
  if (declared[status] || status < 400) return declared[status]
  if (/^\/scim\/v2(?:[/?]|$)/.test(request.url)) return ScimFailure
  if (isMessage(payload)) return undefined
  return isRefusal(payload) ? OAuthFailure : Failure
}

/** Whether an error has the form of JSON-RPC. */
const isMessage = (payload: unknown): boolean =>
  typeof payload === 'string' && payload.startsWith('{"jsonrpc":')

/** Whether an error has the form of RFC 6749. */
const isRefusal = (payload: unknown): payload is string =>
  typeof payload === 'string' && payload.startsWith('{"error":"')

const statusFault = (
  { routeOptions: { url, schema } }: FastifyRequest,
  status: number,
): string | undefined => {
  const isOurs = url !== undefined && schema !== undefined && !schema.hide
  const isDeclared = status in ((schema?.response ?? {}) as Record<string, unknown>)
  return isOurs && !isDeclared ? 'the route does not declare this status' : undefined
}

const names = new Map(Object.entries(errorCodes).map(([name, code]) => [code as number, name as ErrorName]))

/** The fault of an error in the form of RFC 6749: the route declares it, or shares it with its scope. */
const refusalFault = ({ config }: FastifyRequest['routeOptions'], payload: unknown): string | undefined => {
  if (!isRefusal(payload)) return undefined
  const { error } = JSON.parse(payload) as { error: OAuthErrorName }
  const declared: readonly OAuthErrorName[] = [...(config.refuses ?? []), ...sharedRefusals]
  return declared.includes(error) ? undefined : `the route does not declare ${error}`
}

/** The name of the error in the envelope; undefined for a success and for a body without envelope. */
const errorIn = (payload: unknown): ErrorName | undefined => {
  if (typeof payload !== 'string' || !payload.startsWith('{"code":')) return undefined
  return names.get((JSON.parse(payload) as { code: number }).code)
}

/** The rule for errors: the route declares them by name, or shares them with its scope. Notes what was seen. */
const errorFault = (
  { routeOptions }: FastifyRequest,
  status: number,
  payload: unknown,
): string | undefined => {
  const { url, schema, config, method } = routeOptions
  if (url === undefined || schema === undefined) return undefined
  const error = errorIn(payload)
  if (status < 400) noteAnswer({ method, url }, 'success')
  // A test can make an application that lacks a route.
  if (error === undefined || error === 'routeUnknown') return undefined
  noteAnswer({ method, url }, error)
  return errorsOf({ method, url, schema, config }).includes(error)
    ? undefined
    : `the route does not declare ${error}`
}

const bodyFaults = (schema: object | undefined, payload: unknown, traceHeader: unknown) => {
  if (!schema || typeof payload !== 'string' || payload === '') return []
  try {
    const body: unknown = JSON.parse(payload)
    return [misfit(schema, body), traceFault(body, traceHeader)]
  } catch {
    return [`the body is no JSON: ${payload.slice(0, 100)}`]
  }
}

/** Pushes a line onto `faults` for every answer that breaks a rule. */
export const watchAnswers = (app: App, faults: string[]): void => {
  app.addHook('onRoute', (route) => {
    if (route.schema !== undefined && !route.schema.hide) noteRoute(route)
  })
  app.addHook('onRequest', (request, reply, done) => {
    const send = reply.send.bind(reply)
    reply.send = (payload) => {
      if (reply.sent) faults.push(`${request.method} ${request.url} answered twice`)
      return send(payload)
    }
    done()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const { statusCode } = reply
    // A page for a person has no schema.
    const isPage = String(reply.getHeader('content-type')).startsWith('text/html')
    const schema = isPage ? undefined : schemaFor(request, statusCode, payload)
    const found = [
      statusFault(request, statusCode),
      errorFault(request, statusCode, payload),
      refusalFault(request.routeOptions, payload),
      ...bodyFaults(schema, payload, reply.getHeader('x-trace-id')),
    ]
    for (const fault of found) {
      if (fault) faults.push(`${request.method} ${request.url} answered ${statusCode}: ${fault}`)
    }
  })
}

/** Pushes every route of the application onto `routes`, after all hooks. */
export const collectRoutes = (app: App, routes: RouteOptions[]): void => {
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
}
