/** Dynamic client registration (RFC 7591). */
import type { Limit } from '../../../../cache/cache.ts'
import type { Ctx } from '../../../../context.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { sourceOf } from '../../../../values/source.ts'
import { readMetadata, registerMetadata } from '../../applications/unregistered.service.ts'
import type { ClientGate } from './client-authentication.service.ts'
import type { RegisterClient, RegisteredClient } from './registration.schemas.ts'

/** The most registrations of one source (docs/contract.md, "Clients that register themselves"). */
const registrations: Limit = { name: 'client-registrations', points: 10, windowSeconds: 3600 }

const requireRate = async ({ parts, origin }: Ctx): Promise<void> => {
  if (!parts.config.rateLimit) return
  const { allowed, retryAfterSeconds } = await parts.cache.consume(registrations, sourceOf(origin.ip))
  if (!allowed) {
    throw new AppError('tooManyRequests', 'Too many clients register. Try again later', { retryAfterSeconds })
  }
}

/** Registers a public client. Nobody checks its metadata: each person decides about the client on the consent page. */
export const registerClient = async (
  gate: ClientGate,
  ctx: Ctx,
  input: RegisterClient,
): Promise<RegisteredClient> => {
  await gate.countSource(ctx.origin.ip)
  if (ctx.parts.config.clientRegistration !== 'open') {
    throw new OAuthError('access_denied', 'This installation registers no clients')
  }
  const metadata = readMetadata(input)
  await requireRate(ctx)
  return {
    client_id: await registerMetadata(ctx, metadata),
    client_id_issued_at: Math.floor(ctx.parts.now().getTime() / 1000),
    client_name: metadata.name,
    redirect_uris: metadata.redirectUris,
    grant_types: metadata.grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
