/** The grant `refresh_token`. */
import { inTenant, type Ctx } from '../../../../context.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { isSameResource, type Client } from '../../applications/clients.service.ts'
import {
  rotateApplicationSession,
  type ApplicationSessionRow,
} from '../../../accounts/sessions/application-sessions.service.ts'
import { answerWith } from './token-response.service.ts'
import { invalidGrant, orInvalidGrant, required, scopesOf } from '../request/grant-errors.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

const refreshTokenDead = () => invalidGrant('The refresh token is not valid any more')

/** A refresh gives neither more scopes nor another resource than the authorization. */
const requireGiven =
  ({ scope, resource }: TokenRequest) =>
  (session: ApplicationSessionRow): void => {
    if (scopesOf(scope).some((one) => !session.scopes.includes(one))) {
      throw new OAuthError('invalid_scope', 'scope has more than was given')
    }
    if (resource !== undefined && !isSameResource(resource, session.resource ?? '')) {
      throw new OAuthError('invalid_target', 'resource is another one than at the authorization')
    }
  }

/** Exchanges a refresh token for new tokens; an ID token is one of them where `scope` names `openid`. The token of another client, and one of a disabled tenant, stays unspent. */
export const refreshGrant = async (ctx: Ctx, client: Client, input: TokenRequest): Promise<TokenAnswer> => {
  const { tokens, now } = ctx.parts
  const token = required('refresh_token', input.refresh_token)
  const claims = await tokens.verify('application_refresh', token, now())
  if (!claims) throw refreshTokenDead()
  const answer = await rotateApplicationSession(inTenant(ctx, claims.tenantId), claims, client.id, {
    check: requireGiven(input),
    issue: ({ session, subject }) => {
      const { scopes, resource, auth_time: authTime } = session
      const isIdentified = scopesOf(input.scope).includes('openid')
      return answerWith(ctx, { client, subject, person: session, scopes, resource, authTime, isIdentified })
    },
  }).catch(orInvalidGrant)
  if (!answer) throw refreshTokenDead()
  return answer
}
