/** The authorization response (RFC 6749, 4.1.2): the redirect to the application. */
import type { Config } from '../../../../config/config.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

export interface AuthorizationResponse {
  redirectUri: string
  responseMode: AuthorizationRequest['responseMode']
  /** `code` or `error`, with `state` and `iss`. */
  params: Record<string, string>
}

export const authorizationResponse = (
  { issuer }: Config,
  { redirectUri, responseMode, state }: Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>,
  outcome: { code: string } | OAuthError,
): AuthorizationResponse => {
  const result =
    outcome instanceof OAuthError
      ? { error: outcome.error, error_description: outcome.message }
      : { code: outcome.code }
  return {
    redirectUri,
    responseMode,
    params: { ...result, ...(state === undefined ? {} : { state }), iss: issuer },
  }
}

/** The redirect address with the response added to its query. */
export const responseUrl = ({ redirectUri, params }: AuthorizationResponse): string => {
  const added = new URLSearchParams(params).toString()
  if (added === '') return redirectUri
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
}
