import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../errors/app-error.ts'
import type { KeepSession, TokenPair } from './auth.schemas.ts'
import { refresh } from './auth.service.ts'

/**
 * Renews the session of the given refresh token, or the named session by the token in the cookie. The cookie without
 * the session's id is not enough: another tab may have signed in as another person.
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
