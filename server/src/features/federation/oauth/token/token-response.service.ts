/** The token response (RFC 6749, 5.1): signs the tokens of a session. */
import { createHash } from 'node:crypto'
import { inTenant, type Ctx } from '../../../../context.ts'
import { claimsOfUser } from '../../../configuration/attributes/claims.service.ts'
import { acrOf, type TokenSubject } from '../../../../crypto/tokens.ts'
import { userinfoUrl } from '../../../../config/front-door.ts'
import type { Client } from '../../applications/clients.service.ts'
import type { Person } from '../../../accounts/sessions/application-sessions.service.ts'
import { personClaims } from './person-claims.ts'
import type { TokenAnswer } from './token.schemas.ts'
import { shownAmr } from '../../../../values/proofs.ts'

/** docs/contract.md, "Sign in with Tenantry". */
const idTokenSeconds = 600

export interface IssuedSession {
  client: Client
  subject: TokenSubject
  person: Person
  /** The granted scopes, with the permissions of a narrowed session. */
  scopes: string[]
  /** The `aud` of the access token; null if there is no resource. */
  resource: string | null
  authTime: Date
  /** Whether the response has an ID token. Signing it costs as much as the rest of a refresh (decision 0023). */
  isIdentified: boolean
  /** The nonce of the authorization request; undefined at a refresh. */
  nonce?: string | undefined
}

/** The left half of the hash of an access token (OpenID Connect Core, 3.1.3.6). */
const halfHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')

const signIdToken = async (ctx: Ctx, issued: IssuedSession, accessToken: string): Promise<string> => {
  const { client, subject, person, scopes, authTime, nonce } = issued
  const { tokens, now } = ctx.parts
  const isOwn = !client.is_third_party
  const attributes =
    isOwn && scopes.includes('profile')
      ? await claimsOfUser(inTenant(ctx, subject.tenantId), subject.userId)
      : {}
  const issuedAt = Math.floor(now().getTime() / 1000)
  const claims = {
    ...attributes,
    sub: String(subject.userId),
    aud: client.client_id,
    iat: issuedAt,
    exp: issuedAt + idTokenSeconds,
    tid: subject.tenantId,
    sid: subject.sessionId,
    auth_time: Math.floor(authTime.getTime() / 1000),
    acr: acrOf(subject.amr),
    amr: shownAmr(subject.amr),
    at_hash: halfHash(accessToken),
    ...(nonce !== undefined && { nonce }),
    ...personClaims(person, { scopes, isOwn }),
  }
  return tokens.signIdentity('JWT', claims, now())
}

/** The claims of the access token and the refresh token. */
const subjectOf = ({ parts: { config } }: Ctx, issued: IssuedSession): TokenSubject => {
  const { client, subject, person, scopes, resource, authTime } = issued
  const isOwn = !client.is_third_party
  return {
    ...subject,
    application: {
      clientId: client.client_id,
      audience: resource ?? (isOwn ? config.audience : userinfoUrl(config)),
      scope: scopes.join(' '),
      authTime,
      person: isOwn ? person.person : undefined,
    },
  }
}

export const createTokenResponse = async (ctx: Ctx, issued: IssuedSession): Promise<TokenAnswer> => {
  const { tokens, now, cache } = ctx.parts
  const { client, scopes, isIdentified } = issued
  const subject = subjectOf(ctx, issued)
  cache.touch(subject.tenantId, subject.userId)
  const [accessToken, refreshToken] = await Promise.all([
    tokens.sign('access', subject, now()),
    client.grant_types.includes('refresh_token')
      ? tokens.sign('application_refresh', subject, now())
      : undefined,
  ])
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: tokens.accessSeconds,
    scope: scopes.join(' '),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(isIdentified && { id_token: await signIdToken(ctx, issued, accessToken) }),
  }
}
