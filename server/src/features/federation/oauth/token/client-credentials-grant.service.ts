/** The grant `client_credentials`: a service account exchanges a key for a token. */
import type { Actor, KeyBounds } from '../../../../access/actor.ts'
import { issuedStart } from '../../../../access/credential.ts'
import type { Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { findResource, type NamedResource } from '../../applications/clients.service.ts'
import { clientIdOf } from '../clients/client-authentication.service.ts'
import { invalidGrant, noPermissionGranted, scopesOf } from '../request/grant-errors.ts'
import { isPermissionScope } from '../request/authorization-request.ts'
import * as store from './scopes.store.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

/** docs/contract.md, "Sign in with Tenantry". */
const secondsMax = 3600
const scopesMax = 100

const invalidScope = (message: string) => new OAuthError('invalid_scope', message)

const requireResource = async (
  ctx: Ctx,
  identifier: string | undefined,
): Promise<NamedResource | undefined> => {
  if (identifier === undefined) return undefined
  const resource = await findResource(ctx, identifier)
  // Assistants send the key itself.
  if (!resource || resource.is_built_in) throw new OAuthError('invalid_target', 'There is no such resource')
  return resource
}

/** The permissions of the token; undefined means all of the service account. Ignores unknown permissions. */
const narrowingOf = async (ctx: Ctx, scope: string | undefined, resource: NamedResource | undefined) => {
  const requested = scopesOf(scope).filter(isPermissionScope)
  if (requested.length > scopesMax) throw invalidScope(`scope has more than ${scopesMax} values`)
  if (requested.length === 0) return resource?.codes
  const codes = resource?.codes ?? (await store.selectProductCodes(ctx.db, requested)).map(({ code }) => code)
  return requested.filter((code) => codes.includes(code))
}

const secondsOf = ({ tokens, now }: Ctx['parts'], { expiresAt }: KeyBounds): number => {
  const most = Math.min(secondsMax, tokens.accessSeconds)
  const left = expiresAt && Math.floor((expiresAt.getTime() - now().getTime()) / 1000)
  return Math.min(most, left ?? most)
}

/** The audience and the scope of a token. */
const boundsOf = async (ctx: Ctx, { resource: identifier, scope }: TokenRequest) => {
  const resource = await requireResource(ctx, identifier)
  const narrowedTo = await narrowingOf(ctx, scope, resource)
  if (narrowedTo?.length === 0) throw noPermissionGranted()
  return {
    audience: resource?.identifier ?? ctx.parts.config.audience,
    scope: narrowedTo?.join(' ') ?? '',
  }
}

/** Issues an access token with the permissions of a service account. */
export const issueForKey = async (ctx: Ctx, actor: Actor, input: TokenRequest): Promise<TokenAnswer> => {
  const { tokens, now } = ctx.parts
  const { userId, tenantId, key, isSuspended } = actor
  if (isSuspended || key === undefined) throw invalidGrant('The organization is disabled')
  const bounds = await boundsOf(ctx, input)
  const seconds = secondsOf(ctx.parts, key)
  const application = {
    ...bounds,
    clientId: clientIdOf(userId),
    authTime: undefined,
    person: undefined,
    seconds,
  }
  const sessionId = `${issuedStart}${key.id}`
  const subject = { userId, tenantId, sessionId, generation: 0, amr: [], isRestricted: false, application }
  const accessToken = await tokens.sign('access', subject, now())
  return { access_token: accessToken, token_type: 'Bearer', expires_in: seconds, scope: bounds.scope }
}
