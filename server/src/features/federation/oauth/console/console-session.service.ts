/** The session of the console: a code of the sign-in opens it, and a refresh token in a cookie renews it. */
import type { Ctx } from '../../../../context.ts'
import { AppError, invalid } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { issueTokens } from '../../../accounts/sessions/sessions.service.ts'
import { refresh } from '../../../sign-in/auth/auth.service.ts'
import { consoleClient } from '../../applications/clients.service.ts'
import type { KeepSession, TokenPair } from './console-session.schemas.ts'
import { redeemCode } from '../token/code-grant.service.ts'
import { openForConsole } from '../token/session-opening.service.ts'

const orCodeDead = (err: unknown): never => {
  throw err instanceof OAuthError
    ? new AppError('consoleCodeDead', 'This sign-in is over. Begin it again in this browser')
    : err
}

/** Opens the session of a code. Throws 401 for a dead one, and without the verifier of its authorization. */
const openByCode = async (ctx: Ctx, { code, code_verifier }: KeepSession): Promise<TokenPair> => {
  const [redirect_uri] = consoleClient.redirect_uris
  const input = { code, code_verifier, redirect_uri }
  const { subject } = await redeemCode(ctx, consoleClient, input, openForConsole).catch(orCodeDead)
  ctx.parts.cache.touch(subject.tenantId, subject.userId)
  return issueTokens(ctx, subject)
}

/**
 * Opens the session of a code, or renews one: that of the given refresh token, or the named session by the token in the
 * cookie. The cookie is not enough: another tab may have signed in as somebody else meanwhile.
 */
export const keepSession = async (
  ctx: Ctx,
  input: KeepSession,
  kept: string | undefined,
): Promise<TokenPair> => {
  const { code, refresh_token, session_id } = input
  if ([code, refresh_token, session_id].filter((one) => one !== undefined).length !== 1) {
    throw invalid('body', 'must have exactly one of code, refresh_token and session_id')
  }
  if (code !== undefined) return openByCode(ctx, input)
  return refresh(ctx, { refresh_token: refresh_token ?? kept ?? '' }, session_id)
}
