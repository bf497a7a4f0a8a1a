import type { Config } from '../../../../config/config.ts'

/** `create`: Initiating User Registration via OpenID Connect 1.0. */
const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
export type Prompt = (typeof prompts)[number]

/** The allowed values of `prompt`. `create` is allowed only if people may register themselves. */
export const promptsOf = ({ signUp }: Pick<Config, 'signUp'>): Prompt[] =>
  prompts.filter((one) => one !== 'create' || signUp !== 'closed')

/** A validated authorization request. Interactions, codes and device codes store it as JSON. */
export interface AuthorizationRequest {
  /** The application; 0 if the client's metadata document is not fetched yet. */
  applicationId: number
  clientId: string
  /** The address of the request; "" for a device. */
  redirectUri: string
  responseMode: 'query' | 'form_post'
  state?: string
  nonce?: string
  codeChallenge?: string
  /** The requested scopes that exist: `openIdScopes`, and codes of the product's permissions. */
  scopes: string[]
  /** The requested resource. `identifier` has the registered spelling. */
  resource?: { id: number; identifier: string }
  prompt: Prompt[]
  /** The value of `max_age` in seconds. */
  maxAge?: number
  /** Whether `acr_values` requires a second factor. */
  needsMfa: boolean
  /** The e-mail address that the page shows first; "" for none. */
  loginHint: string
  /** The user of `id_token_hint`. Other users are refused. */
  hintedUser?: { tenantId: string; userId: number }
  /** Id or slug of the only allowed tenant; "" if the person can choose. */
  tenant: string
  /** The connection that must sign the person in; undefined if the person can choose. */
  connection?: string
  /** The slug of the provider that the sign-in begins with; undefined if the person can choose. */
  provider?: string
}

/** The scopes of OpenID Connect. All other scopes are codes of permissions. */
export const openIdScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Whether a scope has the form of a permission's code: no other scope has a colon. The permission may not exist. */
export const isPermissionScope = (scope: string): boolean => scope.includes(':')

/**
 * The user, scopes and proofs of a finished sign-in. A code or a device code stores them as JSON until a session opens.
 */
export interface Admission {
  tenantId: string
  userId: number
  accountId: number
  /** The sign-in of the person's browser. */
  signInId: string
  /** The session epoch of the account at the sign-in. If the account's epoch is higher, the admission is invalid. */
  accountEpoch: number
  amr: string[]
  /** The time of the sign-in, in ISO 8601. */
  authTime: string
  /** The consent; undefined for a first-party application. */
  grantId?: number
  /** The scopes of the tokens. */
  scopes: string[]
  /** The permissions that the session may use; undefined means all permissions of the user. */
  narrowedTo?: string[]
  /** The connection that opened the sign-in. It sets the latest end of the session, in ISO 8601. */
  connection?: { id: string; latestExpiresAt: string }
}
