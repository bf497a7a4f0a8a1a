/** The caller of SCIM: the key of a service account. */
import type { FastifyRequest } from 'fastify'
import { readCredential } from '../access/credential.ts'
import { requireAllowed, requireEnabledTenant } from '../access/policies.ts'
import type { Parts } from '../context.ts'
import { ScimError } from '../errors/scim-error.ts'
import type { App } from './app-type.ts'
import { bearerOf, createAuthenticate, type ResolveCaller } from './authenticate.ts'
import { createDirectoryCount } from './limits.ts'

const allow = 'scim:provision'

const ofKeys = {
  textOf: ({ headers }: FastifyRequest) => bearerOf(headers.authorization),
  read: readCredential,
  missing: 'Send the key of a service account: Authorization: Bearer <key>',
}

/** Authenticates every request of the scope by a key that may provision, and counts the request. */
export const useDirectories = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  const authenticate = createAuthenticate(parts, resolve, ofKeys)
  const countKey = createDirectoryCount(parts)
  app.addHook('onRequest', async (request) => {
    const { headers, ctx } = request
    const actor = await authenticate(request, ctx.origin)
    if (actor.credential?.kind !== 'key') {
      throw new ScimError(403, 'Directories use the key of a service account')
    }
    await countKey(actor)
    requireEnabledTenant(actor, allow)
    requireAllowed(actor, allow)
    if (headers['x-tenant-id'] !== undefined) {
      throw new ScimError(400, 'The key names the tenant: leave X-Tenant-ID out', 'invalidValue')
    }
    const { tenantId } = actor
    request.ctx = { ...ctx, db: parts.store.scoped({ tenantId }), actor, tenantId, allow }
  })
}
