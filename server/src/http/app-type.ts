import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../context.ts'
import type { Allow } from '../access/permissions.ts'

/** The Fastify instance that routes are declared on: handlers are typed by their schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required in the signed-in scope: without it the start stops. */
    allow?: Allow
    /** Statuses of its own that the route can answer with, besides those every route of its scope shares. */
    /** The answer ends when the caller or the service ends it, so its duration says nothing. */
    isEndless?: true
    fails?: (400 | 401 | 403 | 404 | 409)[]
  }
  interface FastifyRequest {
    ctx: Ctx
  }
  interface FastifySchema {
    hide?: boolean
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    security?: readonly Record<string, readonly string[]>[]
  }
}
