/** Errors of grants in the words of RFC 6749, 5.2. */
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'

export const invalidRequest = (message: string) => new OAuthError('invalid_request', message)
export const invalidGrant = (message: string) => new OAuthError('invalid_grant', message)

/** Permissions are asked for, and none can be given. */
export const noneGiven = () =>
  new OAuthError('invalid_scope', 'None of the scopes is a permission that can be given')

/** The value of a parameter that a grant cannot do without. */
export const required = (name: string, value: string | undefined): string => {
  if (value === undefined) throw invalidRequest(`${name} is missing`)
  return value
}

/** A user, a tenant or a session that is gone, disabled or restricted makes a grant invalid. */
export const orInvalidGrant = (err: unknown): never => {
  const isRefused = err instanceof AppError && [401, 403, 404].includes(err.status)
  throw isRefused ? invalidGrant(err.message) : err
}

/** The scopes of a request, each once (RFC 6749, 3.3). */
export const scopesOf = (text: string | undefined): string[] => [
  ...new Set((text ?? '').split(' ').filter((scope) => scope !== '')),
]
