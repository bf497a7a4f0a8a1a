import type { Config } from '../../../../config/config.ts'

/** `create` is that of Initiating User Registration via OpenID Connect 1.0. */
const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
export type Prompt = (typeof prompts)[number]

/** The values of `prompt` that the installation takes: `create` only where strangers may register. */
export const promptsOf = ({ signUp }: Pick<Config, 'signUp'>): Prompt[] =>
  prompts.filter((one) => one !== 'create' || signUp !== 'closed')

/** The valid request of an authorization, as interactions, codes and device codes keep it. */
export interface AuthorizationRequest {
  /** 0 for a client whose metadata document was not fetched yet. */
  applicationId: number
  clientId: string
  /** Exactly as registered; "" for a device. */
  redirectUri: string
  responseMode: 'query' | 'form_post'
  /** Undefined where the request has none. */
  state?: string
  nonce?: string
  codeChallenge?: string
  /** Those asked for that exist: the first four of OpenID Connect, and codes of the product's permissions. */
  scopes: string[]
  /** The registered identifier of the resource. */
  resource?: { id: number; identifier: string }
  prompt: Prompt[]
  /** Seconds. */
  maxAge?: number
  /** `acr_values` asks for a second factor. */
  needsMfa: boolean
  /** An address to begin with; "" for none. */
  loginHint: string
  /** The user whom the hint names: another one is refused. */
  hintedUser?: { tenantId: string; userId: number }
  /** Id or slug of the tenant that the request fixes; "" for none. */
  tenant: string
  /** The connection that the sign-in begins with; undefined for a choice of the person. */
  connection?: string
}

/** The scopes that belong to OpenID Connect. All others are codes of permissions. */
export const openIdScopes = ['openid', 'profile', 'email', 'offline_access'] as const

/** Whether a scope names a permission, which may exist or not: no other scope has a colon. */
export const isPermissionScope = (scope: string): boolean => scope.includes(':')

/**
 * The admission of a person, when every question is answered. The code or the device code keeps it until the session
 * opens.
 */
export interface Admission {
  tenantId: string
  userId: number
  accountId: number
  /** The sign-in of the browser in which it was given. */
  signInId: string
  /** The sessions of the account have not been ended since. */
  accountEpoch: number
  amr: string[]
  /** ISO 8601. */
  authTime: string
  /** Undefined for an application of the installation's own. */
  grantId?: number
  /** The scopes that were given. */
  scopes: string[]
  /** The permissions that the session may use; undefined for all that the user holds. */
  narrowedTo?: string[]
  /** The connection that opened the sign-in, and the end that it sets in ISO 8601. */
  connection?: { id: string; latestExpiresAt: string }
}
