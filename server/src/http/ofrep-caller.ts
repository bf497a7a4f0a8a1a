/** The caller of an evaluation: a key, or a user by a token of any audience. */
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../access/actor.ts'
import { readAnyCredential } from '../access/credential.ts'
import { requireAllowed, requireEnabledTenant, requireUnrestricted } from '../access/policies.ts'
import type { Parts } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import type { App } from './app-type.ts'
import { bearerOf, createAuthenticate, type ResolveCaller } from './authenticate.ts'
import { createCallerCount } from './limits.ts'

const ofEvaluators = {
  textOf: ({ headers }: FastifyRequest): string | undefined => {
    const apiKey = headers['x-api-key']
    return bearerOf(headers.authorization) ?? (typeof apiKey === 'string' ? apiKey.trim() : undefined)
  },
  read: readAnyCredential,
  missing: 'Send a key or an access token: Authorization: Bearer <text>, or X-API-Key',
}

/** Throws 403 unless the caller may evaluate flags. */
const requireEvaluator = (actor: Actor): void => {
  requireEnabledTenant(actor, 'caller')
  if (actor.key) return requireAllowed(actor, 'flag:evaluate')
  requireUnrestricted(actor, 'caller', { is_factor_required: false })
  if (actor.application?.isThirdParty) {
    throw new AppError('applicationShut', 'This application may not evaluate flags')
  }
}

/** Authenticates every request of the scope, and counts it for its caller. */
export const useEvaluators = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  const authenticate = createAuthenticate(parts, resolve, ofEvaluators)
  const countCaller = createCallerCount(parts)
  app.addHook('onRequest', async (request) => {
    if (request.method === 'OPTIONS') return
    const actor = await authenticate(request, request.ctx.origin)
    requireEvaluator(actor)
    await countCaller(actor)
    request.ctx = { ...request.ctx, actor, tenantId: actor.tenantId }
  })
}
