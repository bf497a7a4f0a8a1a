/** Introspection (RFC 7662): a resource server asks whether a token is active. */
import { actorOf, type Actor, type Support } from '../../../../access/actor.ts'
import { readCaller } from '../../../../access/caller.ts'
import { resolveSupport } from '../../../../access/support.ts'
import { callerOfToken } from '../../../../access/credential.ts'
import { isAllowed, may, policies } from '../../../../access/policies.ts'
import { inTenant, type Ctx } from '../../../../context.ts'
import type { Claims } from '../../../../crypto/tokens.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { requireParameter } from '../request/grant-errors.ts'
import type { Introspection } from './introspection.schemas.ts'
import type { TokenOfOthers } from './token.schemas.ts'

/** Whether a service account may ask about tokens of a tenant. */
const mayAsk = (asking: Actor, { tenantId }: Claims): boolean =>
  !asking.isSuspended && isAllowed(asking, 'authz:check') && may(asking, policies.enterTenant, tenantId)

/** The present caller of a token; undefined if the API would refuse the token. */
const findActor = async (ctx: Ctx, claims: Claims): Promise<Actor | undefined> => {
  const { config, now } = ctx.parts
  const caller = callerOfToken(claims)
  if (caller.credential.kind === 'support') return resolveSupport(ctx.parts, caller)
  const row = await readCaller(inTenant(ctx, claims.tenantId).db, caller, now())
  const actor = row && actorOf(config, caller, row)
  return actor && !actor.isSuspended && actor.restriction === undefined ? actor : undefined
}

/**
 * Describes an active access token to a service account that may ask about it. In all other cases answers `active:
 * false`.
 */
export const introspect = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: TokenOfOthers,
): Promise<Introspection> => {
  const { tokens, now } = ctx.parts
  const proved = await gate.authenticate(ctx, authorization, input)
  const claims = await tokens.verify('any_access', requireParameter('token', input.token), now())
  if (!claims || proved.kind !== 'service_account' || !mayAsk(proved.actor, claims)) return { active: false }
  const actor = await findActor(ctx, claims)
  return actor ? describe(claims, actor) : { active: false }
}

const describe = (claims: Claims, actor: Actor): Introspection => ({
  active: true,
  sub: String(claims.userId),
  tid: claims.tenantId,
  sid: claims.sessionId,
  aud: claims.audience,
  client_id: claims.clientId,
  scope: claims.scope,
  token_type: 'Bearer',
  exp: claims.expiresAt,
  username: actor.name,
  ...(actor.support && actingClaims(actor.support)),
})

/** The claims of a token of a support session. */
const actingClaims = ({ id, kind, userId, tenantId, name }: Support): Partial<Introspection> => ({
  act: { sub: String(userId), tid: tenantId, name },
  support: { id, kind },
})
