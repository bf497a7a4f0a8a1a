import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../context.ts'
import type { ErrorName } from '../errors/app-error.ts'
import type { OAuthErrorName } from '../errors/oauth-error.ts'
import type { Allow, PermissionCode } from '../access/permissions.ts'

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
    /** A second permission that every request of the route needs: it is checked before ids and bodies are looked at. */
    allowAlso?: PermissionCode
    /** Of a route about the own account: it serves sessions that a connection opened, within their tenant. */
    servesConnections?: true
    /** The answer ends when the caller or the service ends it, so its duration says nothing. */
    isEndless?: true
    /** The errors of its own that the route can answer with, besides those that it shares (`failures.ts`). */
    fails?: ErrorName[]
    /** The same for a route that answers errors in the form of RFC 6749 (`oauth-answers.ts`). */
    refuses?: OAuthErrorName[]
    /** Needs a credential, which the scope checks in a way of its own. */
    provesCallers?: true
    /** The bound of the work of reading a body, where it is not that of all bodies (body-parts.ts). */
    bodyWorkMax?: number
    /** Pages of the origins of browser applications may call it. */
    isForBrowsers?: true
    /** Pages of every origin may call it for clients that register themselves. */
    isForAssistants?: true
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
