/** The session of the console: an authorization code opens it, and a refresh token in a cookie renews it. */
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
    ? new AppError('consoleCodeDead', 'This sign-in has expired. Begin it again in this browser')
    : err
}

/** Throws 401 for a spent or expired code, and for a wrong verifier. */
const openByCode = async (ctx: Ctx, input: KeepSession): Promise<TokenPair> => {
  const { code, code_verifier, redirect_uri = consoleClient.redirect_uris[0] } = input
  const sent = { code, code_verifier, redirect_uri }
  const { subject } = await redeemCode(ctx, consoleClient, sent, openForConsole).catch(orCodeDead)
  ctx.parts.cache.touch(subject.tenantId, subject.userId)
  return issueTokens(ctx, subject)
}

/**
 * Opens a session with a code, or renews it with a refresh token or the cookie. With the cookie the request must name
 * its session, because in another tab another person may have signed in.
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
