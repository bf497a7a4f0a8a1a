/** The caller of SCIM: the key of a service account. */
import { readCredential } from '../access/credential.ts'
import { requireAllowed, requireEnabledTenant } from '../access/policies.ts'
import { tokenInvalid, type Parts } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { ScimError } from '../errors/scim-error.ts'
import type { App } from './app-type.ts'
import { bearerOf, type ResolveCaller } from './authenticate.ts'
import { countRefused, createDirectoryCount } from './limits.ts'

const allow = 'scim:provision'

/** Authenticates every request of the scope by a key that may provision, and counts it. */
export const useDirectories = (app: App, parts: Parts, resolve: ResolveCaller): void => {
  const [countRefusal, countKey] = [countRefused(parts), createDirectoryCount(parts)]
  app.addHook('onRequest', async (request) => {
    const { headers, ctx } = request
    const { ip } = ctx.origin
    const text = bearerOf(headers.authorization)
    const caller = text === undefined ? undefined : await readCredential(parts.tokens, text, parts.now())
    const actor = caller && (await resolve(caller, ip))
    if (!actor) {
      await countRefusal(ip)
      throw text === undefined
        ? new AppError('tokenMissing', 'Send the key of a service account: Authorization: Bearer <key>')
        : tokenInvalid()
    }
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
