/** Userinfo: the present claims about the person of an access token (OpenID Connect Core, 5.3). */
import type { Actor } from '../../../../access/actor.ts'
import { callerOfToken } from '../../../../access/credential.ts'
import { inTenant, type Ctx } from '../../../../context.ts'
import type { Claims } from '../../../../crypto/tokens.ts'
import { userinfoUrl } from '../../../../config/front-door.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { claimsOfUser } from '../../../configuration/attributes/claims.service.ts'
import { findPerson } from '../../../accounts/sessions/application-sessions.service.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { invalidRequest, scopesOf } from '../request/grant-errors.ts'
import { personClaims } from './person-claims.ts'
import type { Userinfo, UserinfoRequest } from './userinfo.schemas.ts'
import * as store from './userinfo.store.ts'

const invalidToken = () =>
  new OAuthError('invalid_token', 'The access token is missing, or not valid here', 401)

const bearerOf = (authorization: string | undefined): string | undefined =>
  /^bearer +([\w~+/.-]+=*)$/i.exec(authorization ?? '')?.[1]

const tokenOf = (authorization: string | undefined, { access_token: inBody }: UserinfoRequest): string => {
  if (authorization !== undefined && inBody !== undefined) throw invalidRequest('The token is given twice')
  const token = inBody ?? bearerOf(authorization)
  if (token === undefined) throw invalidToken()
  return token
}

/** Whether the caller is neither signed out, disabled nor restricted. */
const isServed = (actor: Actor | undefined): boolean =>
  actor !== undefined && !actor.isSuspended && actor.restriction === undefined

/** The audience of the application. Tokens of a support session have more in `aud`, so that others refuse them. */
const audienceOf = ({ audience, supportId }: Claims): string =>
  supportId === undefined ? audience : audience.replace(/#support$/, '')

/**
 * The claims of a valid token that names no resource. A token for a resource is refused: a resource server must not
 * read e-mail addresses.
 */
const findClaims = async (gate: ClientGate, ctx: Ctx, token: string): Promise<Claims | undefined> => {
  const { tokens, config, now } = ctx.parts
  const claims = await tokens.verify('any_access', token, now())
  if (!claims || ![config.audience, userinfoUrl(config)].includes(audienceOf(claims))) return undefined
  return isServed(await gate.resolve(callerOfToken(claims), ctx.origin.ip)) ? claims : undefined
}

/** Answers userinfo. Throws 401 `invalid_token`, and 403 `insufficient_scope` without the scope `openid`. */
export const getUserinfo = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: UserinfoRequest,
): Promise<Userinfo> => {
  const claims = await findClaims(gate, ctx, tokenOf(authorization, input))
  if (!claims) {
    await gate.countSource(ctx.origin.ip)
    throw invalidToken()
  }
  await gate.countClient(claims.sessionId)
  const scopes = scopesOf(claims.scope)
  if (!scopes.includes('openid')) {
    throw new OAuthError('insufficient_scope', 'The token lacks the scope openid', 403)
  }
  return describe(ctx, claims, scopes)
}

const describe = async (ctx: Ctx, claims: Claims, scopes: string[]): Promise<Userinfo> => {
  const { tenantId, userId } = claims
  const there = inTenant(ctx, tenantId)
  const isOwn = audienceOf(claims) === ctx.parts.config.audience
  const [person, picture, attributes] = await Promise.all([
    findPerson(there, userId),
    scopes.includes('profile') ? store.selectPicture(there.db, tenantId, userId) : undefined,
    isOwn && scopes.includes('profile') ? claimsOfUser(there, userId) : {},
  ])
  if (!person) throw invalidToken()
  return {
    ...attributes,
    sub: String(userId),
    tid: tenantId,
    ...personClaims(person, { scopes, isOwn }),
    ...(picture && { picture: picture.avatar }),
  }
}
