/** The answer of an authorization, on its way to the application. */
import type { Config } from '../../../../config/config.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import type { AuthorizationRequest } from './authorization-request.ts'

export interface AuthorizationAnswer {
  /** A registered address. */
  redirectUri: string
  responseMode: AuthorizationRequest['responseMode']
  /** `code` or `error`, with `state` and `iss`. */
  params: Record<string, string>
}

type Place = Pick<AuthorizationRequest, 'redirectUri' | 'responseMode' | 'state'>

export const answerTo = (
  { issuer }: Config,
  { redirectUri, responseMode, state }: Place,
  outcome: { code: string } | OAuthError,
): AuthorizationAnswer => {
  const told =
    outcome instanceof OAuthError
      ? { error: outcome.error, error_description: outcome.message }
      : { code: outcome.code }
  return {
    redirectUri,
    responseMode,
    params: { ...told, ...(state === undefined ? {} : { state }), iss: issuer },
  }
}

/** The address of the application with the answer in its query; what the query has already stays. */
export const locationOf = ({ redirectUri, params }: AuthorizationAnswer): string => {
  const added = new URLSearchParams(params).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`
}
