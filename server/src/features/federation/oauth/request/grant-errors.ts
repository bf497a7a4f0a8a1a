/** The errors of RFC 6749, 5.2. */
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'

export const invalidRequest = (message: string) => new OAuthError('invalid_request', message)
export const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)

export const verifierInvalid = () => invalidRequest('code_verifier must have 43 to 128 unreserved characters')

/** The request names permissions, but none of them can be granted. */
export const noPermissionGranted = () =>
  new OAuthError('invalid_scope', 'None of the scopes is a permission that can be given')

/** The value of a required parameter. Throws `invalid_request` if it is missing. */
export const requireParameter = (name: string, value: string | undefined): string => {
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}

/** Throws `invalid_grant` if the error means that user, tenant or session is missing, disabled or restricted. */
export const orInvalidGrant = (err: unknown): never => {
  const isRefused = err instanceof AppError && [401, 403, 404].includes(err.status)
  throw isRefused ? invalidGrant(err.message) : err
}

/** The distinct scopes of a parameter (RFC 6749, 3.3). */
export const scopesOf = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(' ').filter((scope) => scope !== '')),
]
