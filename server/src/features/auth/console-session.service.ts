import type { Ctx } from '../../context.ts'
import { refreshTokenSeconds } from '../../crypto/keys.ts'
import { AppError, invalid } from '../../errors.ts'
import type { KeepSession, TokenPair } from './auth.schemas.ts'
import { refresh } from './auth.service.ts'

/** The cookie lives as long as the token in it. */
export const keptSeconds = refreshTokenSeconds

/** Throws 403 for a page of another origin. Programs and browsers on plain HTTP do not send the header. */
export const requireSameOrigin = (site: string | string[] | undefined): void => {
  if (site === undefined || site === 'same-origin') return
  throw new AppError('foreignPage', 'Only a page of the same origin may use this session')
}

/**
 * Renews the session of the given refresh token, or the named session by the token in the cookie. The cookie is not
 * enough: another tab may have signed in as somebody else meanwhile.
 */
export const renewSession = async (
  ctx: Ctx,
  { refresh_token, session_id }: KeepSession,
  kept: string | undefined,
): Promise<TokenPair> => {
  if ((refresh_token === undefined) === (session_id === undefined)) {
    throw invalid('body', 'must have exactly one of refresh_token and session_id')
  }
  return refresh(ctx, { refresh_token: refresh_token ?? kept ?? '' }, session_id)
}
