/**
 * Names and attributes of spans, by OpenTelemetry's semantic conventions. They contain names and counts, never a value.
 */
import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from '../db/errors.ts'

/** The options for the start of a span. */
export interface SpanStart {
  name: string
  kind: SpanKind
  attributes: Attributes
}

/** The longest text of a statement. A list of thousands of values would give a long text of placeholders. */
const textLengthMax = 4000

/** The first word of a statement and the first table that it names, such as `SELECT users`. */
const nameOf = (text: string): string => {
  const operation = (/\w+/.exec(text)?.[0] ?? '').toUpperCase()
  const [, table] = /\b(?:from|into|update) ([a-z_]+)(?![\w(])/.exec(text) ?? []
  return table === undefined ? operation : `${operation} ${table}`
}

export const ofStatement = ({ text }: { text: string }): SpanStart => ({
  name: nameOf(text),
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, textLengthMax) },
})

export const ofRedis = ({ command }: { command: string }): SpanStart => ({
  name: command,
  kind: SpanKind.CLIENT,
  attributes: { 'db.system.name': 'redis', 'db.operation.name': command },
})

export const ofHash = (): SpanStart => ({ name: 'bcrypt', kind: SpanKind.INTERNAL, attributes: {} })

/**
 * The span of a request. Omits the path, because a path contains ids and keys of settings. The log line with the same
 * trace id has the path.
 */
export const ofRequest = ({ method, protocol, routeOptions: { url: route } }: FastifyRequest): SpanStart => ({
  name: route === undefined ? method : `${method} ${route}`,
  kind: SpanKind.SERVER,
  attributes: {
    'http.request.method': method,
    'url.scheme': protocol,
    ...(route !== undefined && { 'http.route': route }),
  },
})

/** Adds the outcome of a request. */
export const addAnswer = (span: Span, { ctx }: FastifyRequest, { statusCode }: FastifyReply): void => {
  span.setAttribute('http.response.status_code', statusCode)
  if (ctx?.tenantId) span.setAttribute('tenantry.tenant.id', ctx.tenantId)
  if (statusCode < 500) return
  span.setAttribute('error.type', String(statusCode))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Adds only the kind of an error to the span, because PostgreSQL's messages quote values. */
export const addError = (span: Span, err: unknown): void => {
  const state = sqlState(err)
  if (state !== undefined) span.setAttribute('db.response.status_code', state)
  span.setAttribute('error.type', state ?? (err instanceof Error ? err.name : 'unknown'))
  span.setStatus({ code: SpanStatusCode.ERROR })
}
