/** The grant `refresh_token`. */
import { inTenant, inTransactionAfter, type Ctx, type TransactionCtx } from '../../../../context.ts'
import type { Claims } from '../../../../crypto/tokens.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import {
  lockApplicationSession,
  type ApplicationSessionRow,
} from '../../../accounts/sessions/application-sessions.service.ts'
import {
  endStolenSession,
  isRestrictedIn,
  raiseGeneration,
  type Theft,
} from '../../../accounts/sessions/rotation.service.ts'
import { mayUserUse } from '../../../accounts/sessions/application-use.service.ts'
import { after } from '../../../accounts/sessions/sessions.service.ts'
import { isSameResource, type Client } from '../../applications/clients.service.ts'
import { invalidGrant, orInvalidGrant, requireParameter, scopesOf } from '../request/grant-errors.ts'
import { createTokenResponse } from './token-response.service.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

const refreshTokenDead = () => invalidGrant('The refresh token is not valid any more')

interface Refresh {
  client: Client
  claims: Claims
  input: TokenRequest
}

/**
 * Exchanges a refresh token for new tokens. Adds an ID token if `scope` names `openid`. Refuses a token of another
 * client or of a disabled tenant without using it up.
 */
export const refreshGrant = async (ctx: Ctx, client: Client, input: TokenRequest): Promise<TokenAnswer> => {
  const { tokens, now } = ctx.parts
  const token = requireParameter('refresh_token', input.refresh_token)
  const claims = await tokens.verify('application_refresh', token, now())
  if (!claims) throw refreshTokenDead()
  const response = await refresh(inTenant(ctx, claims.tenantId), { client, claims, input }).catch(
    orInvalidGrant,
  )
  if (!response) throw refreshTokenDead()
  return response
}

/** Locks the session, and rotates it. Undefined for a refused token. A second use of a token ends its session. */
const refresh = async (ctx: Ctx, request: Refresh): Promise<TokenAnswer | undefined> => {
  const { client, claims } = request
  const outcome = await inTransactionAfter(
    ctx,
    (ctx) => lockApplicationSession(ctx, claims),
    async (ctx, session) =>
      session?.application_id === client.id &&
      !isRestrictedIn(ctx, session) &&
      (await mayUserUse(ctx, claims.userId, session))
        ? rotate(ctx, request, session)
        : undefined,
  )
  if (!outcome || 'response' in outcome) return outcome?.response
  await endStolenSession(ctx, claims, outcome.stolenFrom)
  return undefined
}

/** Raises the generation of the session, and issues its next tokens. Undefined for a disabled user. */
const rotate = async (
  ctx: TransactionCtx,
  { client, claims, input }: Refresh,
  session: ApplicationSessionRow,
): Promise<{ response: Promise<TokenAnswer> } | Theft | undefined> => {
  requireWithinGrant(input, session)
  const expiresAt = after(ctx.parts.now(), session.session_seconds)
  const subject = raiseGeneration(ctx, claims, session, expiresAt)
  if (!subject || 'stolenFrom' in subject) return subject
  const { scopes, resource, auth_time: authTime } = session
  const isIdentified = scopesOf(input.scope).includes('openid')
  const issued = { client, subject, person: session, scopes, resource, authTime, isIdentified }
  // The keys sign while the database commits.
  const response = createTokenResponse(ctx, issued)
  response.catch(() => undefined) // A failure is thrown after the commit.
  return { response }
}

/** Throws if the request names scopes that the authorization lacks, or another resource. */
const requireWithinGrant = ({ scope, resource }: TokenRequest, session: ApplicationSessionRow): void => {
  if (scopesOf(scope).some((one) => !session.scopes.includes(one))) {
    throw new OAuthError('invalid_scope', 'scope has more than was given')
  }
  if (resource !== undefined && !isSameResource(resource, session.resource ?? '')) {
    throw new OAuthError('invalid_target', 'resource is another one than at the authorization')
  }
}
