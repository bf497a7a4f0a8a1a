/** Signature algorithms of access tokens (RFC 7518, RFC 8037). Refresh tokens and the audit chain always use EdDSA. */
export const tokenAlgorithms = ['EdDSA', 'ES256', 'RS256'] as const
export type TokenAlgorithm = (typeof tokenAlgorithms)[number]

/** The algorithm of ID tokens and logout tokens: every client library supports RS256 (OpenID Connect Core, 15.1). */
export const idAlgorithm = 'RS256' satisfies TokenAlgorithm
