import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ctx } from '../context.ts'
import type { ErrorName } from '../errors/app-error.ts'
import type { OAuthErrorName } from '../errors/oauth-error.ts'
import type { SupportKind } from '../access/actor.ts'
import type { Allow, GuestPart, PermissionCode } from '../access/permissions.ts'

/** A Fastify instance whose handlers are typed by the schemas of their routes. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required in the signed-in scope. Without it the start fails. */
    allow?: Allow
    /** A second permission that every request of the route needs. It is checked before ids and bodies are read. */
    allowAlso?: PermissionCode
    /**
     * For a route about the caller's own account: it also serves sessions that a connection opened, within their
     * tenant.
     */
    servesConnections?: true
    /** For a route about the caller's own account: it also serves sessions that an expired password opened. */
    servesExpired?: true
    /** Guests of a setup link with this part may call the route. Without it they get 403. */
    guests?: GuestPart
    /**
     * Support sessions may call the route: `view` both kinds, `act` only those to act. Without it they get 403, so that a
     * new route is shut.
     */
    support?: SupportKind
    /** The caller or the service decides when the answer ends, so its duration means nothing. */
    isEndless?: true
    /** The change can carry an approval, and be rehearsed (replay.ts). `useApprovals` sets it. */
    isApprovable?: true
    /** Assistants can reach the route by their tools (replay.ts). `allowReplays` sets it. */
    isReplayable?: true
    /** The route rehearses others, and answers with their errors. */
    failsAsOthers?: true
    /** The route's own errors, besides the shared ones (`failures.ts`). */
    fails?: ErrorName[]
    /** The route's own errors in the form of RFC 6749 (`oauth-answers.ts`). */
    refuses?: OAuthErrorName[]
    /** The route needs a credential, which its scope checks differently. */
    provesCallers?: true
    /** The limit of the work for reading a body, if it differs from the usual limit (body-parts.ts). */
    bodyWorkMax?: number
    /** Pages of browser applications may call the route. */
    isForBrowsers?: true
    /** Pages of every origin may call the route for clients that registered themselves. */
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
