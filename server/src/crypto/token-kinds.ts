/** The kinds of tokens, by use: their `typ`, key and audience. */
import type { Keys } from './keys.ts'
import type { TokenPurpose } from './keys.store.ts'

/** The uses of tokens. Refresh tokens of applications have a use of their own. */
export type TokenUse = 'access' | 'refresh' | 'application_refresh'

/** The two uses of verification that no ordinary token has. */
export type VerifiedUse = TokenUse | 'any_access' | 'support'

/** The header `typ`. RFC 9068 defines it for access tokens. */
export const typs = {
  access: 'at+jwt',
  restricted: 'restricted+jwt',
  support: 'support+jwt',
  refresh: 'rt+jwt',
}
/** The `aud` of tokens that only this service reads. No other verifier accepts it. */
export const refreshAudience = 'tenantry:refresh'
export const applicationRefreshAudience = 'tenantry:application-refresh'
export const restrictedAudience = 'tenantry:restricted'
export const supportAudience = 'tenantry:support'
/** The end of the `aud` of tokens that a support session got for an application. Other verifiers refuse them. */
export const supportSuffix = '#support'

/** The `typ` of a token selects its kind. The use, the signing key and the audience must match. */
export interface TokenKind {
  typ: string
  uses: VerifiedUse[]
  signedBy: TokenPurpose
  isAudience: (aud: unknown, now: Date) => boolean | Promise<boolean>
}

export const kindsOf = (keys: Keys, audience: string): TokenKind[] => [
  {
    typ: typs.access,
    uses: ['access'],
    signedBy: 'access',
    // By default the audience is the issuer, and changes with it.
    isAudience: (aud, now) => typeof aud === 'string' && (aud === audience || keys.isIssuer(aud, now)),
  },
  {
    typ: typs.access,
    uses: ['any_access'],
    signedBy: 'access',
    isAudience: (aud) => typeof aud === 'string',
  },
  {
    // The token of a restricted session. No published key verifies it, so a verifier without further checks refuses it.
    typ: typs.restricted,
    uses: ['access'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === restrictedAudience,
  },
  {
    // Only `readCredential` accepts it, and no published key verifies it.
    typ: typs.support,
    uses: ['support'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === supportAudience,
  },
  {
    typ: typs.refresh,
    uses: ['refresh'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === refreshAudience,
  },
  {
    typ: typs.refresh,
    uses: ['application_refresh'],
    signedBy: 'refresh',
    isAudience: (aud) => aud === applicationRefreshAudience,
  },
]

/** The claim `token_use` of each use. */
export const claimOf = {
  access: 'access',
  any_access: 'access',
  support: 'access',
  refresh: 'refresh',
  application_refresh: 'refresh',
}
