/** The errors of RFC 6749, RFC 6750, RFC 8628 and OpenID Connect Core that the service answers. */
export type OAuthErrorName =
  | 'access_denied'
  | 'authorization_pending'
  | 'consent_required'
  | 'expired_token'
  | 'insufficient_scope'
  | 'interaction_required'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'login_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'server_error'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/**
 * An error that a standard names. Endpoints below `/oauth2` answer it in the form of RFC 6749, without the envelope.
 */
export class OAuthError extends Error {
  readonly error: OAuthErrorName
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(error: OAuthErrorName, message: string, status = 400, retryAfterSeconds?: number) {
    super(message)
    this.error = error
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}
