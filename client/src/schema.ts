// Written by `npm run docs`; a test fails when it is stale.
export interface Health {
  status: 'ok' | 'degraded'
  database: 'up' | 'down'
  cache: 'up' | 'down'
  /** Unix seconds. */
  timestamp: number
  trace_id: string
  version: string
}

export interface Liveness {
  status: 'ok' | 'stopping'
}

export interface Readiness {
  status: 'ready' | 'unready'
  database: 'up' | 'down'
  cache: 'up' | 'down'
}

export interface Version {
  version: string
  commit: string
  build_date: string
  /** The version of the runtime. */
  go_version: string
  os: string
  arch: string
}

export interface Manifest {
  version: string
  min_version: string
  critical: boolean
  changelog: string
  /** ISO 8601 in UTC, "" when it is not known. */
  published_at: string
  download_url: string
  checksum_sha256: string
  /** Bytes of the download, 0 when that is not known. */
  size: number
}

export interface UpgradeStatus {
  available: boolean
  critical: boolean
  /** In UTC. ISO 8601 with an offset. */
  checked_at: string
  current_version: string
  latest_version: string
  manifest: Manifest
}

export interface KeySet {
  keys: Array<{
    kty: string
    /** The curve of an EdDSA or ES256 key. */
    crv?: string
    /** The point of an EdDSA or ES256 key. */
    x?: string
    /** The second coordinate of an ES256 key. */
    y?: string
    /** The modulus of an RS256 key. */
    n?: string
    /** The exponent of an RS256 key. */
    e?: string
    kid: string
    alg: string
    use: string
  }>
}

export interface ServerMetadata {
  /** The `iss` of tokens. */
  issuer: string
  jwks_uri: string
  /** Empty if nobody can sign in at TENANTRY_PUBLIC_URL. Then there is no OAuth flow. */
  response_types_supported: Array<string>
  subject_types_supported: Array<string>
  /** ID tokens use the first, RS256; access tokens use any algorithm of the list. */
  id_token_signing_alg_values_supported: Array<string>
  authorization_endpoint?: string
  token_endpoint?: string
  userinfo_endpoint?: string
  introspection_endpoint?: string
  revocation_endpoint?: string
  device_authorization_endpoint?: string
  end_session_endpoint?: string
  registration_endpoint?: string
  client_id_metadata_document_supported?: boolean
  scopes_supported?: Array<string>
  response_modes_supported?: Array<string>
  grant_types_supported?: Array<string>
  code_challenge_methods_supported?: Array<string>
  token_endpoint_auth_methods_supported?: Array<string>
  introspection_endpoint_auth_methods_supported?: Array<string>
  revocation_endpoint_auth_methods_supported?: Array<string>
  acr_values_supported?: Array<string>
  prompt_values_supported?: Array<string>
  claims_supported?: Array<string>
  ui_locales_supported?: Array<string>
  authorization_response_iss_parameter_supported?: boolean
  backchannel_logout_supported?: boolean
  backchannel_logout_session_supported?: boolean
  request_parameter_supported?: boolean
  request_uri_parameter_supported?: boolean
  claims_parameter_supported?: boolean
}

export interface TokenRequest {
  /** Not beside the header `Authorization`. Up to 512 characters. */
  client_id?: string
  /** Of a `web` application, or the key of a service account. Up to 256 characters. */
  client_secret?: string
  /** `authorization_code`, `refresh_token`, `client_credentials`, or the URN of RFC 8628. Up to 128 characters. */
  grant_type?: string
  /** Of `authorization_code`. Up to 1024 characters. */
  code?: string
  /** The one of the authorization. Up to 2048 characters. */
  redirect_uri?: string
  /** RFC 7636. Up to 1024 characters. */
  code_verifier?: string
  /** Of a device. Up to 1024 characters. */
  device_code?: string
  /** Of `refresh_token`. Up to 8192 characters. */
  refresh_token?: string
  /** Of `refresh_token` and `client_credentials`. Up to 8192 characters. */
  scope?: string
  /** RFC 8707: one. Up to 1024 characters. */
  resource?: string
  /** RFC 8693: the code of a support session. Up to 1024 characters. */
  subject_token?: string
  /** RFC 8693. Up to 1024 characters. */
  subject_token_type?: string
  /** Refused. Up to 8192 characters. */
  actor_token?: string
}

export interface TokenAnswer {
  access_token: string
  token_type: string
  /** Seconds. */
  expires_in: number
  /** The scopes that were given. */
  scope: string
  /** Only of a token exchange. */
  issued_token_type?: string
  refresh_token?: string
  /** With the scope `openid`; at a refresh where `scope` names it. */
  id_token?: string
}

export interface OAuthError {
  error: string
  error_description: string
  /** The trace id of the request; also in the header X-Trace-Id and in the log. */
  trace_id: string
}

export interface DeviceRequest {
  /** Not beside the header `Authorization`. Up to 512 characters. */
  client_id?: string
  /** Of a `web` application, or the key of a service account. Up to 256 characters. */
  client_secret?: string
  /** As at the authorization. Up to 8192 characters. */
  scope?: string
  /** RFC 8707: one. Up to 1024 characters. */
  resource?: string
  /** Id or slug of the tenant to sign in to. Up to 64 characters. */
  tenant?: string
}

export interface DeviceAnswer {
  device_code: string
  /** The person types or compares it. */
  user_code: string
  verification_uri: string
  /** With the code, for a QR code or a link: the page shows the code, and the person confirms it. */
  verification_uri_complete: string
  /** Seconds. */
  expires_in: number
  /** Seconds between two questions. */
  interval: number
}

export interface TokenOfOthers {
  /** Not beside the header `Authorization`. Up to 512 characters. */
  client_id?: string
  /** Of a `web` application, or the key of a service account. Up to 256 characters. */
  client_secret?: string
  /** An access token or a refresh token. Up to 8192 characters. */
  token?: string
  /** Ignored: the token tells its type. Up to 64 characters. */
  token_type_hint?: string
}

export interface Introspection {
  /** If false, the answer has no other field. */
  active: boolean
  sub?: string
  tid?: string
  sid?: string
  aud?: string
  client_id?: string
  scope?: string
  token_type?: string
  /** Unix seconds. */
  exp?: number
  username?: string
  /** The person who acts, in a support session. */
  act?: {
    sub: string
    tid: string
    name: string
  }
  support?: {
    id: string
    kind: 'view' | 'act'
  }
}

/** With the scope `profile`, own applications get the claims of attributes as well. */
export interface Userinfo {
  /** The id of the user in the tenant. */
  sub: string
  /** The tenant. UUID. */
  tid: string
  /** With the scope `profile`. */
  name?: string
  /** With the scope `profile`. */
  preferred_username?: string
  /** With the scope `profile`. */
  locale?: string
  /** With the scope `profile`. */
  tenant_name?: string
  /** With the scope `profile`. */
  tenant_slug?: string
  /** A data URL, with the scope `profile`. */
  picture?: string
  /** With the scope `email`. */
  email?: string
  /** With the scope `email`. */
  email_verified?: boolean
  /** The same in every tenant; only for applications of the installation’s own. UUID. */
  person?: string
}

export interface UserinfoRequest {
  /** Not beside the header `Authorization`. Up to 8192 characters. */
  access_token?: string
}

export interface RegisteredClient {
  client_id: string
  /** Unix seconds. */
  client_id_issued_at: number
  client_name: string
  /** As those of a `native` application: 1 to 20. */
  redirect_uris: Array<string>
  /** The code always; `refresh_token` where it is asked for. All else is left out. */
  grant_types: Array<string>
  response_types: Array<string>
  /** Always `none`. */
  token_endpoint_auth_method: string
}

export interface PasskeyRequestOptions {
  challenge: string
  rpId: string
  /** Milliseconds. */
  timeout: number
  userVerification: 'required'
  /** Empty: any passkey of this host. */
  allowCredentials: Array<{
    id: string
    type: 'public-key'
    transports: Array<'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'>
  }>
}

export interface TotpSecret {
  /** UUID. */
  id: string
  /** base32, to type into an authenticator app. It is shown once. */
  secret: string
  /** The same for a QR code. */
  otpauth_uri: string
}

export interface PasskeyCreationOptions {
  challenge: string
  rp: {
    id: string
    name: string
  }
  user: {
    id: string
    name: string
    displayName: string
  }
  pubKeyCredParams: Array<{
    alg: number
    type: 'public-key'
  }>
  /** Milliseconds. */
  timeout: number
  attestation: 'none'
  excludeCredentials: Array<{
    id: string
    type: 'public-key'
    transports: Array<'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'>
  }>
  authenticatorSelection: {
    residentKey: 'required'
    requireResidentKey: boolean
    userVerification: 'required'
  }
}

export interface Interaction {
  /** UUID. */
  id: string
  step: 'identify' | 'password' | 'email_code' | 'factor' | 'enrol' | 'new_password' | 'offer_passkey' | 'verify_email' | 'proof' | 'tenant' | 'consent' | 'done'
  application: {
    name: string
    /** A data URL, "" for none. */
    logo: string
    home_url: string
    is_third_party: boolean
    /** The application registered itself. */
    is_registered: boolean
    /** The answer goes there. */
    redirect_host: string
  }
  branding: {
    name: string
    /** A data URL, "" for none. */
    logo: string
    /** The logo on a dark page, "" for the same. */
    logo_dark: string
    /** The icon of the window: a data URL, "" for none. */
    icon: string
    /** "" for none. */
    color: string
  }
  tenants: Array<{
    /** UUID. */
    id: string
    name: string
  }>
  scopes: Array<{
    code: string
    name: string
    description: string
    is_new: boolean
    /** True for a permission of Tenantry that changes something. */
    is_change: boolean
  }>
  /** The address of the device that asks; "" without a device. */
  source: string
  /** The address that was typed or is signed in, else "". */
  account: string
  methods: Array<string>
  passkey_options: null | PasskeyRequestOptions
  /** At `enrol`: the person gives the password again, because 5 minutes have passed. */
  asks_password: boolean
  enrolment: null | TotpSecret | PasskeyCreationOptions
  /** Once, with the first factor. */
  recovery_codes?: Array<string>
  /** At `done`: the person lacks the permission that the application requires, in the one tenant of `tenants`. The application gets `access_denied`. */
  is_unpermitted: boolean
  /** "" until `done`. */
  redirect_to: string
}

export interface TypeUserCode {
  /** 1 to 32 characters. */
  user_code: string
}

export interface Identify {
  /** White space around it is removed. Up to 254 characters. */
  email: string
}

export interface GivePassword {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** 1 to 1024 characters. */
  password: string
}

export interface ForgotPassword {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none. Up to 2048 characters. */
  altcha?: string
}

export interface PasskeyAnswer {
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  id: string
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  rawId: string
  /** `^public-key$`. */
  type: string
  response: {
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    clientDataJSON: string
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    authenticatorData: string
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    signature: string
    /** base64url. 1 to 128 characters, `^[A-Za-z0-9_-]+$`. */
    userHandle?: string
  }
}

export interface GiveFactor {
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code?: string
  /** 1 to 64 characters. */
  recovery_code?: string
  passkey?: PasskeyAnswer
}

export interface GivePasskey {
  response: PasskeyAnswer
}

export interface GiveEmailCode {
  /** The six digits of the e-mail. 1 to 32 characters. */
  code?: string
  /** A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none. Up to 2048 characters. */
  altcha?: string
}

export interface GiveProof {
  /** 1 to 128 characters. */
  token?: string
}

export interface Register {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 8 to 128 characters. */
  password: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none. Up to 2048 characters. */
  altcha?: string
}

export interface SignUp {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  organization: string
  /** Lower-case letters and digits, with single `-` or `_` between them. Without it, the slug derives from the name. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none. Up to 2048 characters. */
  altcha?: string
}

export interface Enrol {
  type: 'totp' | 'passkey'
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface NewPasskey {
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  id: string
  /** base64url. 1 to 1364 characters, `^[A-Za-z0-9_-]+$`. */
  rawId: string
  /** `^public-key$`. */
  type: string
  response: {
    /** base64url. 1 to 4096 characters, `^[A-Za-z0-9_-]+$`. */
    clientDataJSON: string
    /** base64url. 1 to 16384 characters, `^[A-Za-z0-9_-]+$`. */
    attestationObject: string
    /** Up to 10 items. */
    transports?: Array<string>
  }
}

export interface ConfirmEnrolment {
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code?: string
  response?: NewPasskey
}

export interface ChooseNewPassword {
  /** 8 to 128 characters. */
  new_password: string
}

export interface ChangeEmail {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface ChooseTenant {
  /** UUID. */
  tenant_id: string
}

export interface Consent {
  allow: boolean
}

export interface Reader {
  /** The address of the person who is signed in with this browser, else "". */
  account: string
}

export interface OpenForLink {
  kind: 'invitation' | 'sign_up'
  /** 1 to 128 characters. */
  token: string
}

export interface OpenedForLink {
  /** UUID. */
  id: string
}

export interface AcceptInvitationHere {
  /** 1 to 128 characters. */
  token: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 1 to 1024 characters. */
  password?: string
  /** 8 to 128 characters. */
  new_password?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** UUID. */
  interaction?: string
}

export interface SecondStep {
  /** For POST /auth/login/factor. Lives 5 minutes, and bears 5 wrong answers. */
  challenge: string
  /** The kinds of answer that the account can give. */
  methods: Array<'totp' | 'passkey' | 'recovery_code'>
  /** Null where the account has no passkey that works here. */
  passkey_options: PasskeyRequestOptions | null
}

export interface JoinedHere {
  /** Null before the second step. */
  tenant_id: null | string
  second_step: null | SecondStep
}

export interface ConfirmSignUpHere {
  /** 1 to 128 characters. */
  token: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 1 to 1024 characters. */
  password?: string
  /** 8 to 128 characters. */
  new_password?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** Lower-case letters and digits, with single `-` or `_` between them. Replaces the requested slug. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
  /** UUID. */
  interaction?: string
}

export interface LoginFactor {
  /** 1 to 128 characters. */
  challenge: string
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code?: string
  /** 1 to 64 characters. */
  recovery_code?: string
  passkey?: PasskeyAnswer
}

export interface VerifyEmail {
  /** 1 to 128 characters. */
  token: string
  /** 8 to 128 characters. */
  new_password?: string
}

export interface FindWayBack {
  /** 1 to 128 characters. */
  token: string
}

export interface WayBack {
  application: null | {
  name: string
  home_url: string
}
  /** The e-mail that received the link. Empty for a sign-up. */
  email: string
  /** Whether the link ends the password, so that its page asks for a new one. */
  asks_password: boolean
}

export interface FindLook {
  /** Up to 2048 characters. */
  client_id?: string
  /** Id or slug of a tenant. Up to 64 characters. */
  tenant?: string
}

export interface Look {
  application: null | {
  name: string
  /** A data URL, "" for none. */
  logo: string
  /** "" for none. */
  home_url: string
}
  branding: {
    name: string
    /** A data URL, "" for none. */
    logo: string
    /** The logo on a dark page, "" for the same. */
    logo_dark: string
    /** The icon of the window: a data URL, "" for none. */
    icon: string
    /** "" for none. */
    color: string
  }
}

export interface Logout {
  /** Up to 8192 characters. */
  id_token_hint?: string
  /** Up to 512 characters. */
  client_id?: string
  /** Up to 2048 characters. */
  post_logout_redirect_uri?: string
  /** Up to 4096 characters. */
  state?: string
}

export interface LogoutQuestion {
  /** Null where the request names none. */
  application: {
  name: string
  /** A data URL, or "". */
  logo: string
  home_url: string
} | null
  /** The address of the person who is signed in with this browser; "" for nobody. */
  account: string
}

export interface LoggedOut {
  /** Where the browser goes. */
  redirect_to: string
}

export interface EvaluationRequest {
  /** Up to 200 attributes and 16 KiB as JSON. `targetingKey` is a text. With a user’s token, `targetingKey`, `user_id`, `tenant_id` and `tenant_slug` are those of the token. */
  context?: unknown
}

export interface Evaluation {
  key: string
  value: unknown
  variant: string
  metadata: {
    version: number
  }
  reason: 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'
}

export interface EvaluationFailure {
  key?: string
  errorCode?: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'PARSE_ERROR' | 'GENERAL'
  errorDetails: string
}

export interface FailedEvaluation {
  key: string
  errorCode: 'FLAG_NOT_FOUND' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'PARSE_ERROR' | 'GENERAL'
  errorDetails: string
}

export interface Evaluations {
  flags: Array<Evaluation | FailedEvaluation>
}

export interface ScimList {
  schemas: Array<string>
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: Array<unknown>
}

export interface ScimError {
  schemas: Array<string>
  status: string
  scimType?: string
  detail: string
}

export interface ScimResource {
  schemas: Array<string>
  id: string
}

export interface ScimDocument {
  schemas: Array<string>
}

export interface Challenge {
  parameters: {
    algorithm: string
    cost: number
    /** In seconds since 1970. */
    expiresAt: number
    keyLength: number
    /** `^[0-9a-f]{32}$`. */
    keyPrefix: string
    /** `^[0-9a-f]{64}$`. */
    keySignature: string
    /** `^[0-9a-f]{32}$`. */
    nonce: string
    /** `^[0-9a-f]{32}$`. */
    salt: string
  }
  /** `^[0-9a-f]{64}$`. */
  signature: string
}

export interface Registration {
  /** Whether anybody may register. */
  open: boolean
  /** Whether nobody has registered yet, and who registers first becomes platform administrator. */
  first_becomes_admin: boolean
}

export interface TokenPair {
  /** JWT, to send as `Authorization: Bearer …`. Lives 2 hours. */
  access_token: string
  /** JWT, only for POST /auth/refresh. Lives 7 days, works once. */
  refresh_token: string
  /** Lifetime of the access token in seconds. */
  expires_in: number
}

export interface Login {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** 1 to 1024 characters. */
  password: string
  /** One of the tenants of the person; without it, the tenant used last. UUID. */
  tenant_id?: string
}

export interface PasskeyLogin {
  response: PasskeyAnswer
  /** One of the tenants of the person; without it, the tenant used last. UUID. */
  tenant_id?: string
}

export interface Refresh {
  /** 1 to 4096 characters. */
  refresh_token: string
}

/** The ways to sign in: of the named tenant, else of the installation. */
export interface Ways {
  /** Whether a password proves an account. */
  password: boolean
  /** Whether a passkey proves an account. */
  passkey: boolean
  /** Whether a code that is mailed to the address proves an account. */
  email_code: boolean
  /** Whether the sign-in offers a passkey to people without one. */
  offer_passkey: boolean
  /** The active providers that prove an account. */
  providers: Array<{
    slug: string
    name: string
    kind: string
  }>
}

/** The rules for new passwords: of the named tenant, else of the installation. */
export interface PasswordRules {
  /** The fewest characters. The most are 128. */
  min_length: number
  /** Refuses a password of the built-in list of common ones. */
  refuse_common: boolean
  /** Refuses names and addresses of the person, the organization and the product. */
  refuse_personal: boolean
  /** `refuse`: refuses a password of the list of leaked ones. */
  breached: 'off' | 'refuse'
}

export interface AuthOptions {
  /** Whether anybody may register. */
  registration: boolean
  /** How strangers can register: as users of the built-in tenant, with an organization of their own, or not at all. */
  sign_up: 'user' | 'organization' | 'closed'
  /** Whether a forgotten password can be reset. */
  password_reset: boolean
  /** Whether the installation sends e-mails. */
  mail: boolean
  /** Whether e-mails become files in the data folder, because no mail server is set. */
  mail_in_files: boolean
  /** Whether one can sign in with a passkey. */
  passkeys: boolean
  ways: Ways
  passwords: PasswordRules
  /** `proof_of_work`: registration, sign-up and mailed links need `altcha`. */
  robots: 'off' | 'proof_of_work'
}

export interface ResetPassword {
  /** 1 to 128 characters. */
  token: string
  /** 8 to 128 characters. */
  new_password: string
}

export interface AskEmailCode {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** One of the tenants of the person; without it, the tenant used last. UUID. */
  tenant_id?: string
  /** A solved challenge of `/auth/challenge` in base64, where `auth.robots` is `proof_of_work`. Keys of service accounts need none. Up to 2048 characters. */
  altcha?: string
}

export interface EmailCodeChallenge {
  /** 1 to 128 characters. */
  challenge: string
}

export interface EmailCodeLogin {
  /** 1 to 128 characters. */
  challenge: string
  /** The six digits of the e-mail. 1 to 32 characters. */
  code: string
}

export interface LookUpInvitation {
  /** 1 to 128 characters. */
  token: string
}

export interface InvitationFound {
  tenant: {
    /** UUID. */
    id: string
    name: string
  }
  email: string
  /** Whether the address has an account, whose password accepts the invitation. */
  account_exists: boolean
  /** Only with `include=proof`: the nickname that the inviter gave; "" where none. */
  nickname?: string
  /** Only with `include=proof`: the field that an acceptance needs without a session of the address; `none` if such an acceptance is refused. `new_password` and `none` are for an account whose mailbox nobody has proved. */
  proof?: 'password' | 'new_password' | 'none'
}

export interface LookUpSignUp {
  /** 1 to 128 characters. */
  token: string
}

export interface SignUpFound {
  organization: string
  /** The requested slug, or else the slug that derives from the name now. */
  slug: string
  email: string
  /** Whether the address has an account, whose password accepts the invitation. */
  account_exists: boolean
  /** Only with `include=proof`: the field that an acceptance needs without a session of the address; `none` if such an acceptance is refused. `new_password` and `none` are for an account whose mailbox nobody has proved. */
  proof?: 'password' | 'new_password' | 'none'
}

export interface Discover {
  /** White space around it is removed. Up to 254 characters. */
  email: string
}

export interface Discovered {
  connection: null | {
  /** UUID. */
  id: string
  name: string
  tenant: {
    /** UUID. */
    id: string
    name: string
  }
}
}

export interface OpenSetup {
  /** 1 to 128 characters. */
  token: string
}

export interface EnterSetup {
  /** 1 to 128 characters. */
  token: string
  /** 1 to 128 characters. */
  challenge: string
  /** The six digits of the e-mail. 1 to 32 characters. */
  code: string
}

export interface SetupGuest {
  /** The access token of the guest, for 60 minutes. No refresh. */
  token: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  email: string
  tenant: {
    /** UUID. */
    id: string
    name: string
  }
  /** The parts that the guest sets up. Up to 3 items. */
  parts: Array<'domains' | 'connection' | 'directory'>
  /** The draft that the guest sets up; null until the guest has created one. */
  connection_id: string | null
  /** An id for the connection that the guest creates. Each entry gives the same one, so its URLs stay. UUID. */
  new_connection_id: string
  /** The roles that the guest may map groups to. */
  roles: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  /** Whether the guest may activate the connection. Other managers are notified. */
  may_activate: boolean
}

export interface AcceptInvitation {
  /** 1 to 128 characters. */
  token: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 1 to 1024 characters. */
  password?: string
  /** 8 to 128 characters. */
  new_password?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
}

export interface ConfirmSignUp {
  /** 1 to 128 characters. */
  token: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 1 to 1024 characters. */
  password?: string
  /** 8 to 128 characters. */
  new_password?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** Lower-case letters and digits, with single `-` or `_` between them. Replaces the requested slug. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
}

export interface ChangePassword {
  /** 1 to 1024 characters. */
  old_password: string
  /** 8 to 128 characters. */
  new_password: string
}

export interface ProvePassword {
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface UserSession {
  /** UUID. */
  id: string
  /** "" for the sign-in of a browser, which sessions of applications hang on. */
  tenant_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC, at most 5 minutes before the last use. ISO 8601 with an offset. */
  last_used_at: string
  /** The address of the sign-in; "" if unknown. */
  ip: string
  /** The user agent of the sign-in; "" if unknown. */
  user_agent: string
  /** The application that it belongs to; null for the console and for sign-ins. */
  application: {
  /** 1 or more. */
  id: number
  name: string
} | null
  /** The support session in which somebody works as the user; null for others. */
  support: {
  /** UUID. */
  id: string
  kind: 'view' | 'act'
  actor: {
    /** 1 or more. */
    id: number
    name: string
    /** Staff of the installation, or a user of the tenant. */
    kind: 'platform' | 'user'
  }
} | null
  /** Whether this request uses the session. */
  is_current: boolean
}

export interface Membership {
  tenant: {
    /** UUID. */
    id: string
    name: string
    slug: string
    /** 1 enabled, 0 disabled. */
    status: 0 | 1
  }
  /** 1 or more. */
  user_id: number
  username: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether the session of this request is in the tenant. */
  is_current: boolean
}

export interface SwitchTenant {
  /** UUID. */
  tenant_id: string
}

export interface DeleteAccount {
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface CreateOrganization {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  organization: string
  /** Lower-case letters and digits, with single `-` or `_` between them. Without it, the slug derives from the name. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
}

export interface Factor {
  /** UUID. */
  id: string
  type: 'totp' | 'passkey'
  name: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" before the first use. */
  last_used_at: string
}

export interface Factors {
  factors: Array<Factor>
  recovery_codes_left: number
  /** Whether the account has a password. */
  has_password: boolean
  accepted_passkeys: null | {
  rpId: string
  userId: string
  allAcceptedCredentialIds: Array<string>
}
}

export interface AddTotp {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface ConfirmTotp {
  /** The six digits that an authenticator app shows. 1 to 16 characters. */
  code: string
}

export interface TotpConfirmed {
  /** Ten codes with the first factor, each of which works once; else none. They are shown once. */
  recovery_codes: Array<string>
}

export interface AddPasskey {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  response: NewPasskey
}

export interface PasskeyAdded {
  /** UUID. */
  id: string
  /** Ten codes with the first factor, each of which works once; else none. They are shown once. */
  recovery_codes: Array<string>
}

export interface RecoveryCodes {
  /** Ten codes, each of which works once. They are shown once. */
  recovery_codes: Array<string>
}

export interface Identity {
  /** UUID. */
  id: string
  provider: {
    slug: string
    name: string
    kind: string
  }
  /** The address or login at the provider. */
  label: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC; "" before the first sign-in. */
  last_used_at: string
}

export interface AddIdentity {
  /** It never changes: `auth.ways` and the callback address name it. 1 to 32 characters, `^[a-z0-9-]+$`. */
  provider: string
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface IdentityAddition {
  /** It works once, for 10 minutes, for this session, in the browser that got the cookie of this answer. */
  url: string
}

export interface Profile {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  /** Only with `include=email_confirmed`: whether the person has proved the mailbox of the present address. */
  email_confirmed?: boolean
  /** Only with `include=has_factor`: whether a second factor opened this session. */
  has_factor?: boolean
}

export interface UpdateProfile {
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** A JPEG of at most 256 by 256 pixels as a data URL, or "" for none. Up to 4096 characters, `^(?:data:image/jpeg;base64,[A-Za-z0-9+/]+={0,2})?$`. */
  avatar?: string
}

export interface User {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
}

export interface ListedUser {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  /** Only with `include=roles`. Templates come before the roles of the tenant. */
  roles?: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  /** Only with `include=created_at`. ISO 8601 with an offset. */
  created_at?: string
  /** Only with `include=person`. Names the person in all their tenants. UUID. */
  person?: string
  /** Only with `include=attributes`: the values that the caller may read, without sensitive ones. */
  attributes?: Record<string, unknown>
}

export interface CreateUser {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username: string
  /** 8 to 128 characters. */
  password: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
  /** Whether the person must choose another password with the first session. Default false. */
  must_change_password?: boolean
}

export interface ChangeStatus {
  /** Up to 100 items. */
  user_ids: Array<number>
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
}

export interface RowError {
  /** As the code of an answer. */
  code: number
  message: string
  /** "" where no field of the row is wrong. */
  field: string
}

export interface ChangeResult {
  /** 1 or more. */
  user_id: number
  /** `unchanged`: the user was so already. */
  status: 'changed' | 'unchanged' | 'refused'
  error: RowError | null
}

export interface ChangedUsers {
  /** Ordered by `user_id`. */
  results: Array<ChangeResult>
}

/** Only with `include=security`. */
export interface Security {
  factors: Array<Factor>
  /** Whether the person has proved the mailbox of the present address. */
  email_confirmed: boolean
  /** When the user was created. In UTC. ISO 8601 with an offset. */
  created_at: string
  /** The address of the last sign-in to this tenant, "" before the first one. */
  last_ip: string
  /** The connections of this tenant that know the user, the oldest link first. */
  connections: Array<{
    /** UUID. */
    id: string
    name: string
    /** When the connection first brought the user. In UTC. ISO 8601 with an offset. */
    linked_at: string
    /** ISO 8601 in UTC, "" before the first sign-in. */
    last_used_at: string
  }>
  /** The connection whose directory pushes the user. */
  directory: null | {
  /** UUID. */
  id: string
  name: string
  /** The last push that changed the user. In UTC. ISO 8601 with an offset. */
  pushed_at: string
}
  /** The permissions that the user holds or may start, and the caller lacks. With any, the caller cannot change the user. */
  missing_permissions: Array<string>
}

export interface UserDetails {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  /** Only with `include=person`. Names the person in all their tenants. UUID. */
  person?: string
  security?: Security
}

export interface UpdateUser {
  /** White space around it is removed. Up to 254 characters. */
  email?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface ImportRow {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** Letters a to z, digits and `._@+-`. Made from the address where it is missing, unique by a number. White space around it is removed. 3 to 64 characters, `^[A-Za-z0-9._@+-]+$`. */
  username?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
  /** Roles beside those that every new user gets. Up to 20 items. */
  role_ids?: Array<number>
  /** Attributes that the caller may write. They need `user:update` as well. */
  attributes?: Record<string, unknown>
  /** A hash of bcrypt, argon2, scrypt or PBKDF2 in a form of docs/importing-users.md. Taken only from callers with `tenant:enter`. 1 or more characters. */
  password_hash?: string
  /** Whether the person has proved the mailbox. Taken only from callers with `tenant:enter`. */
  email_verified?: boolean
  /** Base32: the secret of an authenticator app (SHA-1, 6 digits, 30 seconds). Taken only from callers with `tenant:enter`. `^[A-Za-z2-7]{16,128}=*$`. */
  totp_secret?: string
}

export interface ImportUsers {
  /** Up to 1000 items. */
  rows: Array<ImportRow>
}

export interface ImportResult {
  /** `exists`: the address is a user of this tenant already, and nothing changes. */
  status: 'created' | 'exists' | 'refused'
  /** 0 where the row was refused. */
  user_id: number
  error: RowError | null
}

export interface ImportedUsers {
  /** In the order of the rows. */
  results: Array<ImportResult>
}

export interface Invitation {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  email: string
  /** Roles that the person gets, beside those of every new user. */
  role_ids: Array<number>
  /** In UTC; "" if it has no end. */
  roles_expire_at: string
  nickname: string
  /** The user or service account that invited; 0 for an import. */
  invited_by: number
  status: 'pending' | 'accepted' | 'revoked' | 'expired'
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** "" when the link was mailed. Where e-mail is off or becomes files, the answer that makes the link shows it, and no other one. */
  link: string
}

export interface CreateInvitation {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** Up to 20 items. */
  role_ids?: Array<number>
  /** 5 minutes to 400 days ahead. The roles of `role_ids` end then. Up to 35 characters, ISO 8601 with an offset. */
  roles_expire_at?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  nickname?: string
}

export interface ServiceAccount {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
}

export interface CreateServiceAccount {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface UpdateServiceAccount {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Key {
  /** 1 or more. */
  id: number
  name: string
  /** The first 12 characters of the key. */
  prefix: string
  /** The user or service account who created it. */
  created_by: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" for a key without an end. */
  expires_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
  /** Addresses and ranges that the key may be used from; empty: all. */
  allowed_cidrs: Array<string>
}

export interface CreateKey {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
  /** Up to 20 items. */
  allowed_cidrs?: Array<string>
}

export interface CreatedKey {
  /** 1 or more. */
  id: number
  name: string
  /** The first 12 characters of the key. */
  prefix: string
  /** The user or service account who created it. */
  created_by: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC, "" for a key without an end. */
  expires_at: string
  /** ISO 8601 in UTC, up to 5 minutes before the last request; "" when never used. */
  last_used_at: string
  /** Addresses and ranges that the key may be used from; empty: all. */
  allowed_cidrs: Array<string>
  /** The key itself. No later answer shows it. */
  secret: string
}

/** Only with `include=figures`. */
export interface TenantFigures {
  /** 0 or more. */
  users: number
  /** Users with the role `admin`; in the built-in tenant with `platform-admin`. 0 or more. */
  administrators: number
  /** The last UTC day on which a user was seen; empty without one. */
  last_seen_on: string
  /** How much of its limit of users the tenant uses, in percent. Null without a limit. */
  limit_share: number | null
}

export interface ListedTenant {
  /** UUID. */
  id: string
  name: string
  slug: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** Only with `include=attributes`: the values that the caller may read, without sensitive ones. */
  attributes?: Record<string, unknown>
  figures?: TenantFigures
}

export interface CreateTenant {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  name: string
  /** Lower-case letters and digits, with single `-` or `_` between them. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug: string
  /** The address of the first administrator, which is invited in the same transaction. White space around it is removed. Up to 254 characters. */
  admin_email?: string
  /** The language of that invitation for an address without an account. */
  admin_language?: 'en' | 'zh'
}

export interface CreatedTenant {
  /** UUID. */
  id: string
  name: string
  slug: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** Only with `include=invitation`: that of the first administrator; null without `admin_email`. */
  invitation?: null | Invitation
}

export interface Tenant {
  /** UUID. */
  id: string
  name: string
  slug: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface UpdateTenant {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  name?: string
  /** Lower-case letters and digits, with single `-` or `_` between them. 1 to 64 characters, `^[a-z0-9]+(?:[-_][a-z0-9]+)*$`. */
  slug?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface Usage {
  users: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
  pending_invitations: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
  service_accounts: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
  roles: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
  webhooks: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
  connections: {
    /** 0 or more. */
    used: number
    /** Null without a limit. */
    limit: number | null
  }
}

export interface TenantUsage {
  /** UUID. */
  tenant_id: string
  usage: Usage
}

export interface Permission {
  /** 1 or more. */
  id: number
  code: string
  name: string
  module: string
  description: string
}

export interface CreatePermission {
  /** module:action, of lower case letters, digits, `_` and `-`; it never changes. `^[a-z0-9_-]{1,32}:[a-z0-9_-]{1,32}$`. */
  code: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface ListedRole {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  description: string
  /** A system role cannot be changed or deleted. */
  is_system: boolean
  permissions: Array<Permission>
  /** Only with `include=holders`: the users who hold the role. The count stops at 10,000. */
  holders?: number
}

export interface CreateRole {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface Role {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  description: string
  /** A system role cannot be changed or deleted. */
  is_system: boolean
  permissions: Array<Permission>
}

export interface UpdateRole {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface ReplacePermissions {
  /** Up to 2000 items. */
  permission_ids: Array<number>
}

export interface ChangeHolders {
  /** Up to 100 items. */
  user_ids: Array<number>
  /** False takes the role away. */
  held: boolean
  /** 5 minutes to 400 days ahead. From then on the role counts nowhere. Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
}

export interface AssignRole {
  /** 1 or more. */
  role_id: number
  /** 5 minutes to 400 days ahead. From then on the role counts nowhere. Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
}

export interface ChangeEnd {
  expires_at: string | null
}

export interface RoleAssignment {
  /** 1 or more. */
  id: number
  user: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
    type: 'user' | 'service_account'
  }
  role: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** `default`: every new user gets it. `sso`: a group of a provider or directory gives it. */
  source: 'manual' | 'default' | 'invitation' | 'sso'
  assigned_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** In UTC. ISO 8601 with an offset. */
  assigned_at: string
  /** In UTC; "" if it has no end. */
  expires_at: string
}

export interface EligibleRole {
  role: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** The longest elevation. 5 to 480. */
  max_minutes: number
  given_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** In UTC. ISO 8601 with an offset. */
  given_at: string
  /** In UTC; "" if it has no end. */
  expires_at: string
}

export interface MakeEligible {
  /** 1 or more. */
  role_id: number
  /** The longest elevation. 5 to 480. */
  max_minutes: number
  /** 5 minutes to 400 days ahead. From then on the user is not eligible. Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
}

export interface Elevation {
  /** 1 or more. */
  id: number
  user: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  role: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  reason: string
  status: 'active' | 'over'
  /** In UTC. ISO 8601 with an offset. */
  started_at: string
  /** In UTC. ISO 8601 with an offset. */
  ends_at: string
}

export interface StartElevation {
  /** 1 or more. */
  role_id: number
  /** At most `max_minutes` of the eligibility. 5 to 480. */
  minutes: number
  /** White space around it is removed. 1 to 500 characters. */
  reason: string
}

export interface SupportSession {
  /** UUID. */
  id: string
  /** UUID. */
  tenant_id: string
  /** `view` reads, `act` also changes. */
  kind: 'view' | 'act'
  status: 'waiting' | 'ready' | 'active' | 'over' | 'refused' | 'expired'
  actor: {
    /** 1 or more. */
    id: number
    name: string
    /** Staff of the installation, or a user of the tenant. */
    kind: 'platform' | 'user'
  }
  user: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  reason: string
  /** 5 to 60. */
  minutes: number
  /** The most that it may use. Each counts while the user holds it. */
  permissions: Array<string>
  /** Null: nobody allowed or refused it. */
  decided_by: {
  /** 0 if unknown. */
  id: number
  /** "" if unknown or removed. */
  name: string
} | null
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** It starts before. ISO 8601 with an offset. */
  expires_at: string
  /** In UTC; "" before the start. */
  ends_at: string
  ended_by: '' | 'time' | 'actor' | 'user' | 'tenant' | 'authority'
  /** Only with `include=requests`: up to 200 endpoints. */
  requests?: Array<{
    method: string
    /** The template. */
    path: string
    count: number
  }>
}

export interface RequestSupport {
  /** 1 or more. */
  user_id: number
  /** `view` reads, `act` also changes. */
  kind: 'view' | 'act'
  /** The user sees it. White space around it is removed. 1 to 500 characters. */
  reason: string
  /** 5 to 60. */
  minutes: number
}

export interface DecideSupport {
  /** False refuses it. */
  allow: boolean
}

export interface SupportToken {
  /** JWT, for this API alone: no published key verifies it. Lives until `ends_at`. */
  access_token: string
  /** Seconds. */
  expires_in: number
}

export interface OpenProduct {
  /** An own application with `support_uri`: its id, or its `client_id`, which the product sends. */
  application_id: number | string
  /** Of RFC 7636, S256: the product has the verifier. `^[A-Za-z0-9_-]{43}$`. */
  code_challenge: string
}

export interface OpenedProduct {
  /** The `support_uri` with `code` and `iss`. Add the `state` of the product. */
  redirect_to: string
}

export interface ApprovalPolicy {
  operation: 'authority.give' | 'authority.take' | 'user.create' | 'user.disable' | 'user.delete' | 'user.recover' | 'key.create' | 'webhook.change' | 'elevation.start' | 'setting.security' | 'sso.change' | 'tenant.change' | 'catalogue.change' | 'application.change' | 'global.change'
  /** How many people must approve. 1 to 2. */
  approvals: number
  /** Only for `authority.give`: it then asks only for changes that give one of these. Empty: for all. Up to 50 items. */
  permission_codes: Array<string>
  /** Whether a holder of `approval:break_glass` may pass it at once, in sight of all who decide. */
  break_glass: boolean
}

export interface PutApprovalPolicy {
  /** How many people must approve. 1 to 2. */
  approvals: number
  /** Only for `authority.give`: it then asks only for changes that give one of these. Empty: for all. Up to 50 items. */
  permission_codes?: Array<string>
  /** Whether a holder of `approval:break_glass` may pass it at once, in sight of all who decide. */
  break_glass?: boolean
}

export interface ChangeRecord {
  action: string
  /** `new`: the change makes it. */
  resource_id: string
  about_user_id: number | null
  /** As the record of the change has it, without new ids and times. */
  detail: Record<string, unknown>
}

export interface ApprovedChange {
  records: Array<ChangeRecord>
  /** The permissions that somebody gets. */
  gives: Array<string>
  /** The permissions that somebody loses. */
  takes: Array<string>
}

export interface Decision {
  user: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  approve: boolean
  /** White space around it is removed. Up to 500 characters. */
  comment: string
  /** In UTC. ISO 8601 with an offset. */
  at: string
}

export interface Approval {
  /** 1 or more. */
  id: number
  operations: Array<string>
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the request names it, below `/api/v1`, with its query. 1 to 2048 characters, `^/[!-~]*$`. */
  path: string
  /** The body of the request. Secrets are keyed hashes. */
  body: unknown
  change: ApprovedChange
  /** White space around it is removed. 1 to 500 characters. */
  reason: string
  requested_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  status: 'pending' | 'approved' | 'done' | 'rejected' | 'cancelled' | 'expired'
  /** How many people must approve. 1 or more. */
  approvals: number
  decisions: Array<Decision>
  /** SHA-256 of requester, request and change, in hex. `^[0-9a-f]{64}$`. */
  digest: string
  break_glass: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
}

export interface AskApproval {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As the request names it, below `/api/v1`, with its query. 1 to 2048 characters, `^/[!-~]*$`. */
  path: string
  /** Up to 64 KiB as JSON. */
  body?: unknown
  /** White space around it is removed. 1 to 500 characters. */
  reason: string
  /** Approved at once; needs a reason of 20 characters. */
  break_glass?: boolean
}

export interface DecideApproval {
  approve: boolean
  /** The digest that the caller saw. `^[0-9a-f]{64}$`. */
  digest: string
  /** White space around it is removed. Up to 500 characters. */
  comment?: string
}

export interface UpdatePermission {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
}

export interface RoleTemplate {
  /** 1 or more. */
  id: number
  name: string
  description: string
  permissions: Array<Permission>
  /** A built-in template cannot be changed or deleted. */
  is_builtin: boolean
  /** Every new user of every tenant gets the role. */
  given_to_new_users: boolean
}

export interface CreateRoleTemplate {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** Up to 2000 items. */
  permission_ids?: Array<number>
}

export interface UpdateRoleTemplate {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** Up to 2000 items. */
  permission_ids?: Array<number>
  /** Every new user of every tenant gets the role. */
  given_to_new_users?: boolean
}

export interface Application {
  /** 1 or more. */
  id: number
  /** The name that the application sends; it never changes. */
  client_id: string
  /** `web` has a secret; `browser` and `native` are programs of the user, which cannot keep one. It never changes. */
  kind: 'web' | 'browser' | 'native'
  /** Whether users are asked for their consent. A first-party application acts for every user without consent. The value never changes. */
  is_third_party: boolean
  secrets: Array<{
    /** UUID. */
    id: string
    /** In UTC. ISO 8601 with an offset. */
    created_at: string
    /** ISO 8601 in UTC, "" for a secret without an end. */
    expires_at: string
  }>
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** `https` without fragment and user; `http` of the same machine only. For `native` a private scheme, too. Up to 20 items. */
  redirect_uris: Array<string>
  /** As `redirect_uris`. Up to 20 items. */
  post_logout_redirect_uris: Array<string>
  /** Gets a logout token when a session of the application ends; "" for none. Up to 512 characters. */
  backchannel_logout_uri: string
  /** Origins of the pages of a `browser` application. Up to 20 items. */
  allowed_origins: Array<string>
  /** `authorization_code` always; the code of devices only for own `native` applications. Up to 3 items. */
  grant_types: Array<'authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code'>
  /** The resources that it may name. Up to 20 items. */
  resource_ids: Array<number>
  /** Whether it takes only sessions with a second factor. */
  require_mfa: boolean
  /** How long a session lives after its last refresh. 300 to 7776000. */
  session_seconds: number
  /** The tenants whose people it serves; null: every tenant. */
  tenant_ids: Array<string> | null
  /** The code of a permission of the product that a user needs for the application; null: none. A deleted permission admits nobody. */
  required_permission: string | null
  /** Whether its tokens work at the API of Tenantry itself. Never for a third-party application. */
  tenantry_api: boolean
  /** A PNG or JPEG of at most 256 by 256 pixels and 16 KiB as a data URL, or "" for none. Up to 22000 characters, `^(?:data:image/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2})?$`. */
  logo: string
  /** Its home page, to which sign-in pages link; "" for none. Up to 512 characters. */
  home_url: string
  /** Its page for support sessions, only of own `web` applications; "": they do not open it. As `redirect_uris`. Up to 512 characters. */
  support_uri: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** Only with `include=is_registered`: whether it registered itself, so that nobody has checked its name. */
  is_registered?: boolean
}

export interface CreateApplication {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** `web` has a secret; `browser` and `native` are programs of the user, which cannot keep one. It never changes. */
  kind: 'web' | 'browser' | 'native'
  /** `https` without fragment and user; `http` of the same machine only. For `native` a private scheme, too. Up to 20 items. */
  redirect_uris: Array<string>
  /** Whether users are asked for their consent. A first-party application acts for every user without consent. The value never changes. */
  is_third_party?: boolean
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
  /** As `redirect_uris`. Up to 20 items. */
  post_logout_redirect_uris?: Array<string>
  /** Gets a logout token when a session of the application ends; "" for none. Up to 512 characters. */
  backchannel_logout_uri?: string
  /** Origins of the pages of a `browser` application. Up to 20 items. */
  allowed_origins?: Array<string>
  /** `authorization_code` always; the code of devices only for own `native` applications. Up to 3 items. */
  grant_types?: Array<'authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code'>
  /** The resources that it may name. Up to 20 items. */
  resource_ids?: Array<number>
  /** Whether it takes only sessions with a second factor. */
  require_mfa?: boolean
  /** How long a session lives after its last refresh. 300 to 7776000. */
  session_seconds?: number
  /** The tenants whose people it serves; null: every tenant. */
  tenant_ids?: Array<string> | null
  /** The code of a permission of the product that a user needs for the application; null: none. A deleted permission admits nobody. */
  required_permission?: string | null
  /** Whether its tokens work at the API of Tenantry itself. Never for a third-party application. */
  tenantry_api?: boolean
  /** A PNG or JPEG of at most 256 by 256 pixels and 16 KiB as a data URL, or "" for none. Up to 22000 characters, `^(?:data:image/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2})?$`. */
  logo?: string
  /** Its home page, to which sign-in pages link; "" for none. Up to 512 characters. */
  home_url?: string
  /** Its page for support sessions, only of own `web` applications; "": they do not open it. As `redirect_uris`. Up to 512 characters. */
  support_uri?: string
}

export interface CreatedApplication {
  /** 1 or more. */
  id: number
  /** The name that the application sends; it never changes. */
  client_id: string
  /** `web` has a secret; `browser` and `native` are programs of the user, which cannot keep one. It never changes. */
  kind: 'web' | 'browser' | 'native'
  /** Whether users are asked for their consent. A first-party application acts for every user without consent. The value never changes. */
  is_third_party: boolean
  secrets: Array<{
    /** UUID. */
    id: string
    /** In UTC. ISO 8601 with an offset. */
    created_at: string
    /** ISO 8601 in UTC, "" for a secret without an end. */
    expires_at: string
  }>
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** `https` without fragment and user; `http` of the same machine only. For `native` a private scheme, too. Up to 20 items. */
  redirect_uris: Array<string>
  /** As `redirect_uris`. Up to 20 items. */
  post_logout_redirect_uris: Array<string>
  /** Gets a logout token when a session of the application ends; "" for none. Up to 512 characters. */
  backchannel_logout_uri: string
  /** Origins of the pages of a `browser` application. Up to 20 items. */
  allowed_origins: Array<string>
  /** `authorization_code` always; the code of devices only for own `native` applications. Up to 3 items. */
  grant_types: Array<'authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code'>
  /** The resources that it may name. Up to 20 items. */
  resource_ids: Array<number>
  /** Whether it takes only sessions with a second factor. */
  require_mfa: boolean
  /** How long a session lives after its last refresh. 300 to 7776000. */
  session_seconds: number
  /** The tenants whose people it serves; null: every tenant. */
  tenant_ids: Array<string> | null
  /** The code of a permission of the product that a user needs for the application; null: none. A deleted permission admits nobody. */
  required_permission: string | null
  /** Whether its tokens work at the API of Tenantry itself. Never for a third-party application. */
  tenantry_api: boolean
  /** A PNG or JPEG of at most 256 by 256 pixels and 16 KiB as a data URL, or "" for none. Up to 22000 characters, `^(?:data:image/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2})?$`. */
  logo: string
  /** Its home page, to which sign-in pages link; "" for none. Up to 512 characters. */
  home_url: string
  /** Its page for support sessions, only of own `web` applications; "": they do not open it. As `redirect_uris`. Up to 512 characters. */
  support_uri: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** Only for `web`, this once. */
  secret?: string
}

export interface UpdateApplication {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** `https` without fragment and user; `http` of the same machine only. For `native` a private scheme, too. Up to 20 items. */
  redirect_uris?: Array<string>
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
  /** As `redirect_uris`. Up to 20 items. */
  post_logout_redirect_uris?: Array<string>
  /** Gets a logout token when a session of the application ends; "" for none. Up to 512 characters. */
  backchannel_logout_uri?: string
  /** Origins of the pages of a `browser` application. Up to 20 items. */
  allowed_origins?: Array<string>
  /** `authorization_code` always; the code of devices only for own `native` applications. Up to 3 items. */
  grant_types?: Array<'authorization_code' | 'refresh_token' | 'urn:ietf:params:oauth:grant-type:device_code'>
  /** The resources that it may name. Up to 20 items. */
  resource_ids?: Array<number>
  /** Whether it takes only sessions with a second factor. */
  require_mfa?: boolean
  /** How long a session lives after its last refresh. 300 to 7776000. */
  session_seconds?: number
  /** The tenants whose people it serves; null: every tenant. */
  tenant_ids?: Array<string> | null
  /** The code of a permission of the product that a user needs for the application; null: none. A deleted permission admits nobody. */
  required_permission?: string | null
  /** Whether its tokens work at the API of Tenantry itself. Never for a third-party application. */
  tenantry_api?: boolean
  /** A PNG or JPEG of at most 256 by 256 pixels and 16 KiB as a data URL, or "" for none. Up to 22000 characters, `^(?:data:image/(?:jpeg|png);base64,[A-Za-z0-9+/]+={0,2})?$`. */
  logo?: string
  /** Its home page, to which sign-in pages link; "" for none. Up to 512 characters. */
  home_url?: string
  /** Its page for support sessions, only of own `web` applications; "": they do not open it. As `redirect_uris`. Up to 512 characters. */
  support_uri?: string
}

export interface CreateSecret {
  /** Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
}

export interface CreatedSecret {
  /** UUID. */
  id: string
  /** The secret itself. No later answer shows it. */
  secret: string
}

export interface Resource {
  /** 1 or more. */
  id: number
  /** An absolute URI without fragment: the `aud` of tokens for the resource. 1 to 512 characters. */
  identifier: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  permission_ids: Array<number>
  /** Whether clients that registered themselves may name it. */
  allow_unregistered: boolean
  /** True for the resource of assistants (`TENANTRY_MCP`), which nobody changes. */
  is_built_in: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface CreateResource {
  /** An absolute URI without fragment: the `aud` of tokens for the resource. 1 to 512 characters. */
  identifier: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** Permissions of the product that the resource uses. Up to 200 items. */
  permission_ids: Array<number>
  /** Whether clients that registered themselves may name it. */
  allow_unregistered?: boolean
}

export interface UpdateResource {
  /** An absolute URI without fragment: the `aud` of tokens for the resource. 1 to 512 characters. */
  identifier?: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** Permissions of the product that the resource uses. Up to 200 items. */
  permission_ids?: Array<number>
  /** Whether clients that registered themselves may name it. */
  allow_unregistered?: boolean
}

export interface Grant {
  /** 1 or more. */
  id: number
  application: {
    /** 1 or more. */
    id: number
    name: string
    /** Of the redirect address that the user consented to. */
    host: string
  }
  /** 1 or more. */
  user_id: number
  scopes: Array<string>
  /** The identifier of the resource, "" for none. */
  resource: string
  /** The last use of a living session of the consent, to 5 minutes; "" without one. */
  last_used_at: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

/** The items of each outcome. */
export interface ReviewCounts {
  /** 0 or more. */
  total: number
  /** 0 or more. */
  pending: number
  /** 0 or more. */
  kept: number
  /** 0 or more. */
  revoked: number
  /** 0 or more. */
  gone: number
  /** 0 or more. */
  changed: number
  /** 0 or more. */
  refused: number
  /** 0 or more. */
  directory: number
}

export interface Review {
  /** 1 or more. */
  id: number
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  name: string
  /** Roles that are held or eligible, keys of service accounts, consents of users. Up to 3 items. */
  kinds: Array<'roles' | 'keys' | 'grants'>
  /** Users of the tenant. Up to 20 items. */
  reviewer_ids: Array<number>
  /** In UTC. ISO 8601 with an offset. */
  due_at: string
  status: 'open' | 'closed'
  counts: ReviewCounts
  created_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC; "" while it is open. */
  closed_at: string
  /** SHA-256 of the report in hex; "" before the record of the end. */
  report_sha256: string
}

export interface OpenReview {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 128 characters. */
  name: string
  /** Roles that are held or eligible, keys of service accounts, consents of users. Up to 3 items. */
  kinds: Array<'roles' | 'keys' | 'grants'>
  /** Users of the tenant. Up to 20 items. */
  reviewer_ids: Array<number>
  /** 1 to 90 days ahead. The review closes then. Up to 35 characters, ISO 8601 with an offset. */
  due_at: string
}

export interface ReviewItem {
  /** 1 or more. */
  id: number
  kind: 'roles' | 'keys' | 'grants'
  subject: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
    type: 'user' | 'service_account'
  }
  /** The role, key or application. */
  what: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** Of a role as in assignments, or `eligible`; of a consent `consent`. */
  source: 'manual' | 'default' | 'invitation' | 'sso' | 'eligible' | 'consent'
  given_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  /** In UTC. ISO 8601 with an offset. */
  given_at: string
  /** In UTC; "" if it has no end. */
  expires_at: string
  /** When a key or consent was last used, in UTC; of a role the holder’s last sign-in or use. "" if never. */
  last_used_at: string
  /** "" before a decision. */
  decision: '' | 'keep' | 'revoke'
  decided_by: {
    /** 0 if unknown. */
    id: number
    /** "" if unknown or removed. */
    name: string
  }
  comment: string
  /** `gone`: it had ended before. `changed`: it had changed, and is asked anew. `refused`: the reviewer may not revoke it. `directory`: a group gives the role, which stays. */
  outcome: 'pending' | 'kept' | 'revoked' | 'gone' | 'changed' | 'refused' | 'directory'
}

export interface DecideReview {
  /** Up to 200 items. */
  item_ids: Array<number>
  decision: 'keep' | 'revoke'
  /** White space around it is removed. Up to 500 characters, default "". */
  comment?: string
}

export interface DecidedItem {
  /** 1 or more. */
  id: number
  /** `gone`: it had ended before. `changed`: it had changed, and is asked anew. `refused`: the reviewer may not revoke it. `directory`: a group gives the role, which stays. */
  outcome: 'pending' | 'kept' | 'revoked' | 'gone' | 'changed' | 'refused' | 'directory'
}

/** Only with `include=actor`. */
export interface AuditActor {
  /** As `user_id`. */
  id: number
  /** The username, or the name of the service account, as it was then; empty where nobody is known. */
  name: string
  /** A user or a service account of the tenant; `platform` for one of the built-in tenant that entered this one; `system` where nobody is known. */
  kind: 'user' | 'service_account' | 'platform' | 'system'
  /** The user as whom the actor worked, only in records of a support session. */
  on_behalf_of?: {
    id: number
    name: string
  }
}

export interface AuditLog {
  id: number
  /** UUID. */
  tenant_id: string
  /** The acting user; 0 if unknown. */
  user_id: number
  /** `resource.verb` */
  action: string
  resource: string
  resource_id: string
  /** The changed fields, and the names of the things: `{ field: { from, to } }`. Never a secret. A guest of a setup link is in `guest`: `{ email, setup_link_id }`, and the approval of a change in `approval`: `{ id, reason, approved_by }`. A record of a support session has `support`: `{ id, kind, on_behalf_of: { id, name } }`, and that of an assistant `via`: `{ kind: "mcp", application: { id, name } }`. */
  detail: Record<string, unknown>
  ip: string
  user_agent: string
  trace_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  actor?: AuditActor
}

export interface Setting {
  key: string
  /** Any JSON. */
  value: unknown
  scope: 'global' | 'tenant'
  /** "" for a global setting. */
  tenant_id: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface UpdateSetting {
  /** Any JSON, up to 64 KiB as UTF-8 text. */
  value: unknown
}

export interface SettingDefinition {
  key: string
  /** JSON Schema 2020-12, in the subset that docs/declared-settings.md lists. */
  schema: unknown
  /** Null for none. */
  default: unknown
  /** Up to 3 items. */
  scopes: Array<'global' | 'tenant' | 'user'>
  secret: boolean
  /** Every signed-in user of the tenant reads the effective value. */
  public: boolean
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  label: string
  /** Up to 1000 characters. */
  description: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  group: string
  /** Tenantry declares it. */
  is_builtin: boolean
  /** Tenants and users cannot set it. */
  is_locked: boolean
  /** Stored values that the schema refuses. */
  invalid: number
  /** "" for a built-in setting. */
  updated_at: string
}

export interface PutSettingDefinition {
  /** JSON Schema 2020-12, in the subset that docs/declared-settings.md lists. */
  schema: unknown
  /** Null for none. */
  default?: unknown
  /** Up to 3 items. */
  scopes: Array<'global' | 'tenant' | 'user'>
  secret?: boolean
  public?: boolean
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  label?: string
  /** Up to 1000 characters. */
  description?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  group?: string
  /** Marks stored values that the schema refuses, instead of 400. */
  force?: boolean
}

export interface Attribute {
  subject: 'user' | 'tenant'
  /** Lower-case letters, digits and `_`, with a letter first: up to 64. `^[a-z][a-z0-9_]{0,63}$`. */
  key: string
  /** JSON Schema in the subset of docs/declared-settings.md, of the type string, number, integer, boolean, or array of strings. */
  schema: unknown
  /** By language. */
  label: {
    /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
    en?: string
    /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
    zh?: string
  }
  /** Up to 1000 characters. */
  description: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  group: string
  /** The access of people to the value of their own user; `none` for tenants. */
  self: 'none' | 'read' | 'write'
  /** The access of administrators of a tenant. Callers with `tenant:enter` have all. */
  administrators: 'none' | 'read' | 'write'
  /** Whether lists filter by it. */
  indexed: boolean
  /** Whether its values stay out of lists and records. */
  sensitive: boolean
  /** Its claim in the ID tokens and userinfo of own applications, in the scope `profile`. */
  claim: string | null
  /** The path by which a directory fills it: of the core user, or of the enterprise extension. */
  scim: string | null
}

export interface PutAttribute {
  /** JSON Schema in the subset of docs/declared-settings.md, of the type string, number, integer, boolean, or array of strings. */
  schema: unknown
  /** By language. */
  label?: {
    /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
    en?: string
    /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
    zh?: string
  }
  /** Up to 1000 characters. */
  description?: string
  /** One line, without characters that nobody sees. White space around it is removed. Up to 64 characters. */
  group?: string
  /** The access of people to the value of their own user; `none` for tenants. */
  self?: 'none' | 'read' | 'write'
  /** The access of administrators of a tenant. Callers with `tenant:enter` have all. */
  administrators?: 'none' | 'read' | 'write'
  /** Whether lists filter by it. */
  indexed?: boolean
  /** Whether its values stay out of lists and records. */
  sensitive?: boolean
  /** Its claim in the ID tokens and userinfo of own applications, in the scope `profile`. */
  claim?: string | null
  /** The path by which a directory fills it: of the core user, or of the enterprise extension. */
  scim?: string | null
  /** Marks stored values that the schema refuses, instead of 400. */
  force?: boolean
}

export interface SettingVersion {
  version: number
  /** Null for a deletion and for a secret. */
  value: unknown
  is_deleted: boolean
  /** The id of a user or a service account. */
  changed_by: number
  /** In UTC. ISO 8601 with an offset. */
  changed_at: string
  /** The version whose value was written again. */
  reverted_from: number | null
}

export interface RevertSetting {
  /** 1 to 2147483647. */
  version: number
}

export interface EffectiveSetting {
  key: string
  /** Null for a secret. */
  value: unknown
  origin: 'user' | 'tenant' | 'global' | 'default'
  /** Tenants and users cannot set it. */
  is_locked: boolean
  is_secret: boolean
  /** Whether a stored value counts. */
  is_set: boolean
  /** "" for a default. */
  updated_at: string
}

export interface ReadSecrets {
  /** Up to 20 items. */
  keys: Array<string>
}

export interface SecretValue {
  key: string
  value: string
  origin: 'tenant' | 'global'
}

export interface Portal {
  /** "" without a portal. */
  product: string
  /** A data URL, "" for none. */
  logo: string
  /** The logo on a dark page. */
  logo_dark: string
  /** The icon of the window. */
  icon: string
  /** "" for none. */
  color: string
  /** "" for none. */
  home_url: string
  /** "" for none. */
  help_url: string
  /** Null for all. */
  pages: null | Array<string>
  return_to: null | {
  name: string
  /** At an origin of the product. Null for any other. */
  url: string
}
}

export interface UserSetting {
  key: string
  value: unknown
  scope: 'user'
  tenant_id: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface DirectoryGroup {
  /** UUID. */
  id: string
  /** "" where the provider gave none. */
  external_id: string
  display_name: string
  /** The number of members. */
  members: number
}

export interface CreateNotification {
  /** 1 or more. */
  user_id: number
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 200 characters. */
  title: string
  /** Up to 10000 characters. */
  content?: string
  type?: 'info' | 'success' | 'warning' | 'error'
}

export interface Notification {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  /** The recipient. */
  user_id: number
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  is_read: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface ReceivedNotification {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  /** The recipient. */
  user_id: number
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  is_read: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Only with `include=sender`: the name of the user or service account that sent it; empty where it is not known. */
  sender?: string
  /** Only with `include=sender`: the resource that a notice of the service is about, by the names of the audit log; else null. */
  about?: {
  resource: string
  id: string
} | null
}

export interface Sending {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  /** The one recipient; 0 for a role or everyone. */
  user_id: number
  /** The role whose holders get it; 0 otherwise. */
  role_id: number
  /** The name of the user or the role at that time; empty for everyone. */
  recipient: string
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  /** How many users were to get it when it began. */
  total: number
  /** How many have got it. */
  sent: number
  /** false: send the next batch. */
  is_done: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface CreateBroadcast {
  /** Only to the holders of this role; needs role:read besides. 1 or more. */
  role_id?: number
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 200 characters. */
  title: string
  /** Up to 10000 characters. */
  content?: string
  type?: 'info' | 'success' | 'warning' | 'error'
}

export interface UnreadCount {
  count: number
}

export interface Domain {
  /** 1 or more. */
  id: number
  domain: string
  /** `lapsed`: the record was not there for 7 days. Known people go on, and nobody new is linked by the domain. */
  status: 'pending' | 'verified' | 'lapsed'
  /** The name of the TXT record. */
  record_name: string
  /** The text of the TXT record. */
  record_value: string
  /** ISO 8601 in UTC; "" before the first proof. */
  verified_at: string
  /** When the service last looked; "" before that. */
  checked_at: string
}

export interface CreateDomain {
  /** Other scripts as `xn--`. Capitals and a dot at its end do not count. A subdomain is a domain of its own. White space around it is removed. 3 to 230 characters. */
  domain: string
}

export interface LookedAtDomain {
  /** 1 or more. */
  id: number
  domain: string
  /** `lapsed`: the record was not there for 7 days. Known people go on, and nobody new is linked by the domain. */
  status: 'pending' | 'verified' | 'lapsed'
  /** The name of the TXT record. */
  record_name: string
  /** The text of the TXT record. */
  record_value: string
  /** ISO 8601 in UTC; "" before the first proof. */
  verified_at: string
  /** When the service last looked; "" before that. */
  checked_at: string
  /** The first 10 TXT values of that name, 255 characters of each; null if no DNS server answers. */
  found: Array<string> | null
}

export interface GroupMapping {
  /** A value of the groups claim, exactly. With a directory, the id of one of its groups. 1 to 256 characters. */
  group: string
  /** 1 or more. */
  role_id: number
}

export interface AttributeMapping {
  /** The name of the claim, or of the SAML attribute. 1 to 128 characters. */
  claim: string
  /** The key of an attribute of users that administrators may write. Up to 64 characters. */
  key: string
}

export interface Connection {
  /** UUID. */
  id: string
  /** `oidc`: OpenID Connect. */
  type: 'oidc' | 'saml'
  /** Only an `active` connection signs people in. */
  status: 'draft' | 'active' | 'disabled'
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** Domains of the tenant whose people sign in by this connection. A domain leads to one connection. Up to 20 items. */
  domains: Array<string>
  /** Whether a person whom nobody knows becomes a user. */
  jit: boolean
  /** Roles of users whom the connection creates. Up to 20 items. */
  default_role_ids: Array<number>
  /** Up to 200 items. */
  group_mappings: Array<GroupMapping>
  /** Whether its sessions count as opened with a second factor. */
  trust_mfa: boolean
  /** The attributes that its claims fill at each sign-in, each key once. With a directory the claims do not count. Mappings whose attribute the caller may not read are not shown, and stay. Up to 20 items. */
  attributes: Array<AttributeMapping>
  /** 300 to 604800. */
  session_seconds: number
  /** Its home page opens for a person who begins at the provider; null opens the console. */
  application_id: number | null
  /** The service account whose keys push users and groups: the directory. A tenant has one. With another account, or null, what the directory pushed is forgotten, and its users stay. */
  scim_account_id: number | null
  /** 8 to 1024 characters. */
  issuer?: string
  /** 1 to 512 characters. */
  client_id?: string
  auth_method?: 'client_secret_basic' | 'client_secret_post'
  /** Separated by spaces; `openid` is one of them. 6 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes?: string
  /** The claim with the address. 1 to 128 characters. */
  email_claim?: string
  /** The claim with the nickname. 1 to 128 characters. */
  name_claim?: string
  /** The claim with the groups. 1 to 128 characters. */
  groups_claim?: string
  /** The claim that names a person for ever; `oid` is for Entra ID. */
  subject_claim?: 'sub' | 'oid'
  /** SAML: the metadata of the provider, XML of one entity. 1 to 262144 characters. */
  metadata?: string
  /** SAML: where the metadata stand, in their place; "" for nowhere. They are read at once, and looked at every 24 hours; the next write takes those of which managers were told. Up to 2048 characters. */
  metadata_url?: string
  /** SAML: `name_id`, or the attribute that names a person for ever. It never changes. 1 to 256 characters. */
  subject?: string
  /** SAML: the attribute with the address. Up to 256 characters. */
  email_attribute?: string
  /** SAML: the attribute with the nickname. Up to 256 characters. */
  name_attribute?: string
  /** SAML: the attribute with the groups. Up to 256 characters. */
  groups_attribute?: string
  /** SAML: it never changes. */
  entity_id?: string
  sso_url?: string
  /** The certificates that are pinned, in base64; their dates do not count. */
  certificates?: Array<string>
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** ISO 8601 in UTC; "" before the first sign-in. */
  last_used_at: string
  /** Only with `include=directory`: why its last refused change was refused; "" for none. */
  directory_error?: string
  /** Only with `include=directory`: ISO 8601 in UTC; "" for none. */
  directory_error_at?: string
  /** The address to register at the provider: for answers, by redirect (OIDC) or POST (SAML). */
  callback_url: string
}

export interface CreateConnection {
  /** An unused UUID of your choice. It gives the `callback_url` before the connection exists, for the provider. UUID. */
  id?: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** Domains of the tenant whose people sign in by this connection. A domain leads to one connection. Up to 20 items. */
  domains?: Array<string>
  /** Whether a person whom nobody knows becomes a user. */
  jit?: boolean
  /** Roles of users whom the connection creates. Up to 20 items. */
  default_role_ids?: Array<number>
  /** Up to 200 items. */
  group_mappings?: Array<GroupMapping>
  /** Whether its sessions count as opened with a second factor. */
  trust_mfa?: boolean
  /** The attributes that its claims fill at each sign-in, each key once. With a directory the claims do not count. Mappings whose attribute the caller may not read are not shown, and stay. Up to 20 items. */
  attributes?: Array<AttributeMapping>
  /** 300 to 604800. */
  session_seconds?: number
  /** Its home page opens for a person who begins at the provider; null opens the console. */
  application_id?: number | null
  /** The service account whose keys push users and groups: the directory. A tenant has one. With another account, or null, what the directory pushed is forgotten, and its users stay. */
  scim_account_id?: number | null
  /** 1 to 512 characters. */
  client_id?: string
  auth_method?: 'client_secret_basic' | 'client_secret_post'
  /** Separated by spaces; `openid` is one of them. 6 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes?: string
  /** The claim with the address. 1 to 128 characters. */
  email_claim?: string
  /** The claim with the nickname. 1 to 128 characters. */
  name_claim?: string
  /** The claim with the groups. 1 to 128 characters. */
  groups_claim?: string
  /** SAML: the metadata of the provider, XML of one entity. 1 to 262144 characters. */
  metadata?: string
  /** SAML: where the metadata stand, in their place; "" for nowhere. They are read at once, and looked at every 24 hours; the next write takes those of which managers were told. Up to 2048 characters. */
  metadata_url?: string
  /** SAML: `name_id`, or the attribute that names a person for ever. It never changes. 1 to 256 characters. */
  subject?: string
  /** SAML: the attribute with the address. Up to 256 characters. */
  email_attribute?: string
  /** SAML: the attribute with the nickname. Up to 256 characters. */
  name_attribute?: string
  /** SAML: the attribute with the groups. Up to 256 characters. */
  groups_attribute?: string
  /** `oidc`: OpenID Connect. */
  type: 'oidc' | 'saml'
  /** 8 to 1024 characters. */
  issuer?: string
  /** No answer shows it. 1 to 1024 characters. */
  client_secret?: string
  /** The claim that names a person for ever; `oid` is for Entra ID. */
  subject_claim?: 'sub' | 'oid'
}

export interface UpdateConnection {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** Domains of the tenant whose people sign in by this connection. A domain leads to one connection. Up to 20 items. */
  domains?: Array<string>
  /** Whether a person whom nobody knows becomes a user. */
  jit?: boolean
  /** Roles of users whom the connection creates. Up to 20 items. */
  default_role_ids?: Array<number>
  /** Up to 200 items. */
  group_mappings?: Array<GroupMapping>
  /** Whether its sessions count as opened with a second factor. */
  trust_mfa?: boolean
  /** The attributes that its claims fill at each sign-in, each key once. With a directory the claims do not count. Mappings whose attribute the caller may not read are not shown, and stay. Up to 20 items. */
  attributes?: Array<AttributeMapping>
  /** 300 to 604800. */
  session_seconds?: number
  /** Its home page opens for a person who begins at the provider; null opens the console. */
  application_id?: number | null
  /** The service account whose keys push users and groups: the directory. A tenant has one. With another account, or null, what the directory pushed is forgotten, and its users stay. */
  scim_account_id?: number | null
  /** 1 to 512 characters. */
  client_id?: string
  auth_method?: 'client_secret_basic' | 'client_secret_post'
  /** Separated by spaces; `openid` is one of them. 6 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes?: string
  /** The claim with the address. 1 to 128 characters. */
  email_claim?: string
  /** The claim with the nickname. 1 to 128 characters. */
  name_claim?: string
  /** The claim with the groups. 1 to 128 characters. */
  groups_claim?: string
  /** SAML: the metadata of the provider, XML of one entity. 1 to 262144 characters. */
  metadata?: string
  /** SAML: where the metadata stand, in their place; "" for nowhere. They are read at once, and looked at every 24 hours; the next write takes those of which managers were told. Up to 2048 characters. */
  metadata_url?: string
  /** SAML: `name_id`, or the attribute that names a person for ever. It never changes. 1 to 256 characters. */
  subject?: string
  /** SAML: the attribute with the address. Up to 256 characters. */
  email_attribute?: string
  /** SAML: the attribute with the nickname. Up to 256 characters. */
  name_attribute?: string
  /** SAML: the attribute with the groups. Up to 256 characters. */
  groups_attribute?: string
  /** No answer shows it. 1 to 1024 characters. */
  client_secret?: string
  /** `active` needs a successful test in the last 24 hours. */
  status?: 'active' | 'disabled'
}

export interface Exemption {
  /** 1 or more. */
  user_id: number
  username: string
  email: string
  /** Without a second factor the exemption opens nothing. */
  has_factor: boolean
}

export interface RequirementEffect {
  users: number
  sessions: number
}

export interface PutExemption {
  exempt: boolean
}

export interface SignInTest {
  /** It works once, for 10 minutes, and signs nobody in. */
  url: string
}

export interface Attempt {
  id: number
  /** In UTC. ISO 8601 with an offset. */
  at: string
  /** `proof`: the person was asked to prove an account, and has not yet. */
  outcome: 'signed_in' | 'proof' | 'refused' | 'test_passed' | 'test_failed'
  /** How the person was found (`known`, `linked`, `proved`, `created`), or why they were refused. `answered`: a passed test of a guest. */
  reason: string
  /** The number that a refused person sees; 0 for no refusal. */
  number: number
  /** The person at the provider. */
  subject: string
  email: string
  claims: Array<{
    name: string
    /** Null for a claim that the connection does not read. */
    values: Array<string> | null
  }>
  ip: string
}

export interface SetupLink {
  /** UUID. */
  id: string
  email: string
  /** The parts that the guest sets up. Up to 3 items. */
  parts: Array<'domains' | 'connection' | 'directory'>
  /** The draft that the guest sets up; null until the guest has created one. */
  connection_id: string | null
  /** 1 to 336. */
  expires_in_hours: number
  /** The roles that the guest may map groups to. Up to 20 items. */
  role_ids: Array<number>
  /** Whether the guest may activate the connection. Other managers are notified. */
  may_activate: boolean
  status: 'open' | 'ended'
  /** The user or service account that sent it; 0 for one of another tenant. 0 or more. */
  created_by: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** When a guest last entered, in UTC; "" before that. */
  last_used_at: string
}

export interface CreateSetupLink {
  /** White space around it is removed. Up to 254 characters. */
  email: string
  /** The parts that the guest sets up. Up to 3 items. */
  parts: Array<'domains' | 'connection' | 'directory'>
  /** The draft that the guest sets up; null until the guest has created one. */
  connection_id?: string | null
  /** 1 to 336, default 72. */
  expires_in_hours?: number
  /** The roles that the guest may map groups to. Up to 20 items. */
  role_ids?: Array<number>
  /** Whether the guest may activate the connection. Other managers are notified. */
  may_activate?: boolean
}

export interface SetupDirectory {
  base_url: string
  /** The key of the directory. No later answer shows it. */
  key: string
}

export interface Provider {
  /** UUID. */
  id: string
  /** It never changes: `auth.ways` and the callback address name it. 1 to 32 characters, `^[a-z0-9-]+$`. */
  slug: string
  kind: 'google' | 'microsoft' | 'apple' | 'github' | 'oidc'
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** Only an `active` provider signs people in. */
  status: 'draft' | 'active' | 'disabled'
  /** 1 to 512 characters, `^[!-~]+$`. */
  client_id: string
  /** Separated by spaces. Without them, those that the kind needs. 1 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes: string
  /** Whether a person without an account may get one, where registration or sign-up is open. */
  allow_new: boolean
  /** Of `oidc`. It never changes. 8 to 1024 characters. */
  issuer?: string
  /** Of `microsoft`: `common`, `organizations`, `consumers`, or the id of a tenant. It never changes. Up to 36 characters, `^(?:common|organizations|consumers|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})$`. */
  tenant?: string
  /** Of `apple`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  team_id?: string
  /** Of `apple`: the key of `client_secret`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  key_id?: string
  /** Of `oidc`: whether its `email_verified` proves the address of a person. */
  trusts_email?: boolean
  /** The address to register at the provider. */
  callback_url: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
  /** ISO 8601 in UTC; "" before the first sign-in. */
  last_used_at: string
}

export interface CreateProvider {
  kind: 'google' | 'microsoft' | 'apple' | 'github' | 'oidc'
  /** It never changes: `auth.ways` and the callback address name it. 1 to 32 characters, `^[a-z0-9-]+$`. */
  slug: string
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name: string
  /** 1 to 512 characters, `^[!-~]+$`. */
  client_id: string
  /** No answer shows it. Of `apple`, the content of the .p8 file. 1 to 2048 characters. */
  client_secret: string
  /** Separated by spaces. Without them, those that the kind needs. 1 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes?: string
  /** Whether a person without an account may get one, where registration or sign-up is open. */
  allow_new?: boolean
  /** Of `oidc`. It never changes. 8 to 1024 characters. */
  issuer?: string
  /** Of `microsoft`: `common`, `organizations`, `consumers`, or the id of a tenant. It never changes. Up to 36 characters, `^(?:common|organizations|consumers|[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})$`. */
  tenant?: string
  /** Of `apple`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  team_id?: string
  /** Of `apple`: the key of `client_secret`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  key_id?: string
  /** Of `oidc`: whether its `email_verified` proves the address of a person. */
  trusts_email?: boolean
}

export interface UpdateProvider {
  /** One line, without characters that nobody sees. White space around it is removed. 1 to 64 characters. */
  name?: string
  /** 1 to 512 characters, `^[!-~]+$`. */
  client_id?: string
  /** Separated by spaces. Without them, those that the kind needs. 1 to 512 characters, `^[!-~]+( [!-~]+)*$`. */
  scopes?: string
  /** Whether a person without an account may get one, where registration or sign-up is open. */
  allow_new?: boolean
  /** Of `apple`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  team_id?: string
  /** Of `apple`: the key of `client_secret`. 1 to 64 characters, `^[A-Za-z0-9]+$`. */
  key_id?: string
  /** Of `oidc`: whether its `email_verified` proves the address of a person. */
  trusts_email?: boolean
  /** No answer shows it. Of `apple`, the content of the .p8 file. 1 to 2048 characters. */
  client_secret?: string
  /** `active` needs a successful test of the present fields in the last 24 hours. */
  status?: 'active' | 'disabled'
}

export interface Webhook {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  url: string
  events: Array<string>
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether it hears every tenant. */
  all_tenants: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Why nothing is sent; "" while it is. */
  disabled_reason: string
  /** Events that wait: sealed records that match `events`, among the next 10,000. With `*` or `all_tenants` all records, over at most 10,000 seals. */
  backlog: number
  /** ISO 8601 in UTC; "" before the first delivery. */
  last_delivered_at: string
  /** Only with `include=health`: the first failure of the delivery that is tried again; "" while it works. */
  failing_since?: string
  /** Only with `include=health`: why the last attempt failed, or the last test of an untested URL; "" while it works. */
  last_error?: string
}

export interface CreateWebhook {
  /** https in production, to a public address, without user and password. White space around it is removed. 1 to 2048 characters. */
  url: string
  /** Actions (`user.create`), resources (`user.*`) or `*`. Up to 50 items. */
  events: Array<string>
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** In the built-in tenant, with `tenant:enter`: the events of every tenant. */
  all_tenants?: boolean
}

export interface CreatedWebhook {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  url: string
  events: Array<string>
  description: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** Whether it hears every tenant. */
  all_tenants: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** Why nothing is sent; "" while it is. */
  disabled_reason: string
  /** Events that wait: sealed records that match `events`, among the next 10,000. With `*` or `all_tenants` all records, over at most 10,000 seals. */
  backlog: number
  /** ISO 8601 in UTC; "" before the first delivery. */
  last_delivered_at: string
  /** Signs the deliveries (Standard Webhooks). No later answer shows it. */
  secret: string
}

export interface UpdateWebhook {
  /** https in production, to a public address, without user and password. White space around it is removed. 1 to 2048 characters. */
  url?: string
  /** Actions (`user.create`), resources (`user.*`) or `*`. Up to 50 items. */
  events?: Array<string>
  /** White space around it is removed. Up to 255 characters. */
  description?: string
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
}

export interface RotateWebhookSecret {
  /** Hours in which deliveries carry both signatures; 24 when left out. 0 to 24. */
  keep_old_hours?: number
}

export interface WebhookSecret {
  /** Signs the deliveries (Standard Webhooks). No later answer shows it. */
  secret: string
}

export interface WebhookTest {
  /** The HTTP status of the answer; 0 without an answer. */
  status: number
  /** Why the test failed; "" if it did not. */
  error: string
  duration_ms: number
  /** The first 1 kB of the answer. */
  answer: string
}

export interface Delivery {
  /** 1 or more. */
  id: number
  /** The id of the audit record; 0 for `webhook.gap`. */
  event_id: number
  event: string
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: ended by a replay, which skips its event or sends it again as another delivery. */
  status: 'pending' | 'delivered' | 'failed' | 'dead'
  attempts: number
  /** The status that answered the last attempt; 0 without an answer. */
  response_status: number
  /** Why the last attempt failed. */
  error: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC; "" unless it is tried again. */
  next_attempt_at: string
  /** ISO 8601 in UTC; "" unless it was delivered. */
  delivered_at: string
}

export interface DeliveryAttempt {
  /** In UTC. ISO 8601 with an offset. */
  at: string
  duration_ms: number
  /** 0 without an answer. */
  response_status: number
  /** Why it failed; "" if it did not. */
  error: string
  /** The first 1 kB of the answer. */
  response: string
}

/** The request as it was sent, but for the signatures. */
export interface DeliveryRequest {
  headers: {
    'content-type': string
    'user-agent': string
    'webhook-id': string
    /** The time of the last attempt, in seconds since 1970. */
    'webhook-timestamp': string
  }
  /** "" for a caller without `audit:read`, and once the record has expired. */
  body: string
}

export interface DeliveryDetails {
  /** 1 or more. */
  id: number
  /** The id of the audit record; 0 for `webhook.gap`. */
  event_id: number
  event: string
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: ended by a replay, which skips its event or sends it again as another delivery. */
  status: 'pending' | 'delivered' | 'failed' | 'dead'
  attempts: number
  /** The status that answered the last attempt; 0 without an answer. */
  response_status: number
  /** Why the last attempt failed. */
  error: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** ISO 8601 in UTC; "" unless it is tried again. */
  next_attempt_at: string
  /** ISO 8601 in UTC; "" unless it was delivered. */
  delivered_at: string
  /** The last 20 attempts, the newest last. */
  history: Array<DeliveryAttempt>
  request: DeliveryRequest
}

/** Either `from_id` or `from`. */
export interface ReplayWebhook {
  /** The next record to deliver; of this tenant, and sealed. 1 or more. */
  from_id?: number
  /** The next record to deliver is the first of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string
}

/** Counted as `backlog` is. */
export interface ReplayEffect {
  /** Events that would be sent again. */
  again: number
  /** Events that wait, and would never be sent. */
  skipped: number
}

export interface FlagCondition {
  /** A name at the top of the context. 1 to 64 characters. */
  attribute: string
  op: 'in' | 'not_in' | 'starts_with' | 'ends_with' | 'contains' | 'gt' | 'gte' | 'lt' | 'lte' | 'semver_gte' | 'semver_lt' | 'exists' | 'not_exists'
  /** One match is enough. Texts for texts and versions, numbers for `gt` to `lte`, no value for `exists`. Up to 1000 items. */
  values: Array<string | number | boolean>
}

export interface FlagShare {
  /** The variant of this share. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  variant: string
  /** 0 to 100000. */
  weight: number
}

export interface FlagRule {
  /** Its name in the flag. Made where it is left out. 1 to 64 characters, `^[A-Za-z0-9._:-]+$`. */
  id: string
  /** A note for people. Up to 255 characters. */
  description: string
  /** All of them must hold. Up to 10 items. */
  conditions: Array<FlagCondition>
  /** The variant; null for a split. */
  serve: string | null
  /** Shares whose weights sum to 100,000; null where one variant is served. */
  split: Array<FlagShare> | null
  /** The attribute that a split distributes; `targetingKey` by default. 1 to 64 characters. */
  bucket_by: string
}

export interface Flag {
  /** Key of the flag: letters, digits and `.` `_` `-` `:`. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  key: string
  /** Up to 1000 characters. */
  description: string
  /** Never changes. */
  type: 'boolean' | 'string' | 'number' | 'object'
  /** Each variant by its name, with a value of the type; 8 KiB in all. */
  variants: Record<string, unknown>
  enabled: boolean
  /** The variant while the flag is disabled. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  off_variant: string
  /** The variant where no rule holds. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  default_variant: string
  /** Whether users’ own programs may evaluate it, with a user’s token. */
  client_side: boolean
  /** In order: the first rule that holds counts. */
  rules: Array<FlagRule>
  /** The number of tenants with a variant of their own. */
  tenants: number
  /** Counts the changes of the flag. It is the `ETag`. */
  version: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface NewFlagRule {
  /** Its name in the flag. Made where it is left out. 1 to 64 characters, `^[A-Za-z0-9._:-]+$`. */
  id?: string
  /** A note for people. Up to 255 characters. */
  description?: string
  /** All of them must hold. Up to 10 items. */
  conditions?: Array<FlagCondition>
  /** The variant; null for a split. */
  serve?: string | null
  /** Shares whose weights sum to 100,000; null where one variant is served. */
  split?: Array<FlagShare> | null
  /** The attribute that a split distributes; `targetingKey` by default. 1 to 64 characters. */
  bucket_by?: string
}

export interface CreateFlag {
  /** Key of the flag: letters, digits and `.` `_` `-` `:`. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  key: string
  /** Up to 1000 characters. */
  description?: string
  /** Never changes. */
  type: 'boolean' | 'string' | 'number' | 'object'
  /** Each variant by its name, with a value of the type; 8 KiB in all. */
  variants: Record<string, unknown>
  enabled: boolean
  /** The variant while the flag is disabled. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  off_variant: string
  /** The variant where no rule holds. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  default_variant: string
  /** Whether users’ own programs may evaluate it, with a user’s token. */
  client_side?: boolean
  /** In order: the first rule that holds counts. Up to 50 items. */
  rules?: Array<NewFlagRule>
}

export interface UpdateFlag {
  /** Up to 1000 characters. */
  description?: string
  /** Each variant by its name, with a value of the type; 8 KiB in all. */
  variants?: Record<string, unknown>
  enabled?: boolean
  /** The variant while the flag is disabled. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  off_variant?: string
  /** The variant where no rule holds. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  default_variant?: string
  /** Whether users’ own programs may evaluate it, with a user’s token. */
  client_side?: boolean
  /** Never changes. */
  type?: 'boolean' | 'string' | 'number' | 'object'
  /** In order: the first rule that holds counts. Up to 50 items. */
  rules?: Array<NewFlagRule>
  /** `true` distributes all splits anew. */
  new_salt?: boolean
}

export interface ExplainFlag {
  /** As a product sends it: up to 200 attributes and 16 KiB. */
  context: Record<string, unknown>
}

export interface FlagExplanation {
  /** The variant that the context gets. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  variant: string
  /** Its value. */
  value: unknown
  reason: 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'DISABLED'
  /** The rule that holds; "" for none. */
  rule_id: string
  /** The place of the context in the split, from 0 to 99,999; null without a split. */
  bucket: number | null
  /** The salt of the flag’s buckets. */
  salt: string
}

export interface FlagOverride {
  /** UUID. */
  tenant_id: string
  /** The variant of the tenant, before all rules. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  variant: string
}

export interface PutFlagOverride {
  /** The variant of the tenant, before all rules. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  variant: string
}

export interface Stats {
  /** 0 or more. */
  userCount: number
  /** 0 or more. */
  roleCount: number
  /** 0 or more. */
  tenantCount: number
  /** 0 or more. */
  onlineCount: number
  /** 0 or more. */
  todayActiveUsers: number
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  userGrowth: number
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  roleGrowth: number
  /** Percent by which the count now exceeds the count at the end of the day (UTC) 30 days ago, to one decimal. */
  tenantGrowth: number
}

export interface DayActivity {
  /** The day in UTC. YYYY-MM-DD. */
  date: string
  /** Users created on this day. 0 or more. */
  sign_ups: number
  /** Users seen on this day. 0 or more. */
  active_users: number
}

export interface Activity {
  items: Array<DayActivity>
}

export interface ProviderTest {
  /** It works once, for 10 minutes, in the browser that got the cookie of this answer, and signs nobody in. */
  url: string
}

export interface HeldPermissions {
  /** 1 or more. */
  user_id: number
  /** UUID. */
  tenant_id: string
  permissions: Array<string>
  /** Only with `include=actor`: the person who acts, if it is a session of support; else null. */
  actor?: {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  /** Staff of the installation, or a user of the tenant. */
  kind: 'platform' | 'user'
} | null
  /** Whether user and tenant are enabled: nothing is permitted where one is not. */
  is_enabled?: boolean
}

export interface CheckQuestion {
  /** Up to 100 items. */
  permissions: Array<string>
  /** The user whom the question is about; the caller unless given. 1 or more. */
  user_id?: number
  /** A session of this user, the claim `sid` of a token: only its permissions count. `key_` and an id name a key of a service account. The answer is 404 when it is over. `^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|key_[1-9][0-9]{0,14})$`. */
  session_id?: string
}

export interface CheckAnswer {
  /** Only with `include=actor`: the person who acts, if it is a session of support; else null. */
  actor?: {
  /** 1 or more. */
  id: number
  /** UUID. */
  tenant_id: string
  name: string
  /** Staff of the installation, or a user of the tenant. */
  kind: 'platform' | 'user'
} | null
  /** Whether the user holds all of them. */
  allowed: boolean
  results: Array<{
    permission: string
    allowed: boolean
  }>
}

export interface ExplainQuestion {
  /** 1 or more. */
  user_id: number
  /** 1 to 65 characters. */
  permission: string
}

export interface Explanation {
  allowed: boolean
  /** The roles of the user that carry the permission. */
  roles: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  reason: 'granted' | 'not_granted' | 'user_disabled' | 'tenant_disabled'
}

export interface Change {
  /** `replace_permissions` needs `role_id` and `permission_ids`; `assign_role` and `unassign_role` need `user_id` and `role_id`; `delete_role` needs `role_id`; `set_user_status` needs `user_id` and `status`. For callers with `catalogue:manage`, `replace_permissions` and `delete_role` also take the id of a role template, and tell about users of the tenant in scope. */
  kind: 'replace_permissions' | 'assign_role' | 'unassign_role' | 'delete_role' | 'set_user_status'
  /** 1 or more. */
  role_id?: number
  /** 1 or more. */
  user_id?: number
  /** Up to 2000 items. */
  permission_ids?: Array<number>
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1
  /** The end of an assignment, for `assign_role`. Up to 35 characters, ISO 8601 with an offset. */
  expires_at?: string
}

export interface PreviewQuestion {
  /** Up to 20 items. */
  changes: Array<Change>
}

export interface Effect {
  /** 1 or more. */
  user_id: number
  username: string
  permissions: Array<string>
}

export interface Preview {
  /** Up to 200 users who gain permissions, by id. */
  gains: Array<Effect>
  /** Up to 200 users who lose permissions, by id. */
  losses: Array<Effect>
  /** Users who gain or lose something. A number above 10,000 is given as 10,000. */
  affected_users: number
  /** The first change that would be refused. Nothing is then said about users. */
  refused: null | {
  /** The place of the change in the list, from 0. */
  index: number
  error: {
    code: number
    message: string
  }
}
}

export interface ExportAccount {
  /** The own password. An account without one leaves it out, and needs a sign-in within the last 10 minutes. 1 to 1024 characters. */
  password?: string
}

export interface ExportedAccount {
  /** Names the person in all their tenants. UUID. */
  person: string
  email: string
  email_confirmed: boolean
  /** Whether the person registered it. */
  is_registered: boolean
  /** Whether the person chose the password. */
  has_own_password: boolean
  settings: {
    /** The language of e-mails, which the last sign-in had; "" before the first sign-in. */
    language: string
  }
  recovery_codes_left: number
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

/** A device that the person signed in from. The service keeps a keyed hash of browser and system, which tells neither. */
export interface ExportedDevice {
  /** In UTC. ISO 8601 with an offset. */
  last_seen_at: string
}

export interface ExportedSignIn {
  /** UUID. */
  id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC, at most 5 minutes before the last use. ISO 8601 with an offset. */
  last_used_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** The address of the sign-in; "" if unknown. */
  ip: string
  /** The user agent of the sign-in; "" if unknown. */
  user_agent: string
  /** How the person proved their identity (RFC 8176). */
  proofs: Array<string>
}

export interface ExportedTenant {
  /** UUID. */
  id: string
  name: string
  slug: string
}

export interface ExportedInvitation {
  /** 1 or more. */
  id: number
  tenant: ExportedTenant
  email: string
  nickname: string
  status: 'pending' | 'accepted' | 'revoked' | 'expired'
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** ISO 8601 in UTC, "" while it is open. */
  closed_at: string
}

export interface ExportedUser {
  /** 1 or more. */
  id: number
  username: string
  email: string
  nickname: string
  /** A JPEG as a data URL, "" where there is none. */
  avatar: string
  /** 1 enabled, 0 disabled. */
  status: 0 | 1
  /** ISO 8601 in UTC, "" before the first sign-in. */
  last_login: string
  /** The address of the last sign-in to this tenant, "" before the first one. */
  last_ip: string
  /** The last UTC day with a request, "" before the first one. */
  last_seen_on: string
  /** The day with a request before that. */
  previously_seen_on: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface ExportedSession {
  /** UUID. */
  id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** In UTC, at most 5 minutes before the last use. ISO 8601 with an offset. */
  last_used_at: string
  /** In UTC. ISO 8601 with an offset. */
  expires_at: string
  /** The address of the sign-in; "" if unknown. */
  ip: string
  /** The user agent of the sign-in; "" if unknown. */
  user_agent: string
  /** How the person proved their identity (RFC 8176). */
  proofs: Array<string>
  /** The application that it belongs to; null for the console and for sign-ins. */
  application: {
  /** 1 or more. */
  id: number
  name: string
} | null
  /** Of an application. */
  scopes: Array<string>
}

export interface ExportedConsent {
  /** 1 or more. */
  id: number
  application: string
  /** Of the redirect address. */
  host: string
  scopes: Array<string>
  /** The identifier of the resource, "" for none. */
  resource: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface ExportedNotification {
  /** 1 or more. */
  id: number
  title: string
  content: string
  type: 'info' | 'success' | 'warning' | 'error'
  is_read: boolean
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface ExportedSetting {
  key: string
  value: unknown
  /** In UTC. ISO 8601 with an offset. */
  updated_at: string
}

export interface ExportedRecord {
  id: number
  /** UUID. */
  tenant_id: string
  /** The acting user; 0 if unknown. */
  user_id: number
  /** `resource.verb` */
  action: string
  resource: string
  resource_id: string
  /** Of the request; "" in records of what others did. */
  ip: string
  /** As `ip`. */
  user_agent: string
  trace_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
  /** The changed fields, and the names of the things: `{ field: { from, to } }`. Never a secret. A guest of a setup link is in `guest`: `{ email, setup_link_id }`, and the approval of a change in `approval`: `{ id, reason, approved_by }`. A record of a support session has `support`: `{ id, kind, on_behalf_of: { id, name } }`, and that of an assistant `via`: `{ kind: "mcp", application: { id, name } }`. */
  detail: Record<string, unknown>
}

/** A record without `detail`, which may name others. */
export interface ExportedAct {
  id: number
  /** UUID. */
  tenant_id: string
  /** The acting user; 0 if unknown. */
  user_id: number
  /** `resource.verb` */
  action: string
  resource: string
  resource_id: string
  ip: string
  user_agent: string
  trace_id: string
  /** In UTC. ISO 8601 with an offset. */
  created_at: string
}

export interface ExportedMembership {
  tenant: ExportedTenant
  user: ExportedUser
  roles: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  sessions: Array<ExportedSession>
  consents: Array<ExportedConsent>
  notifications: Array<ExportedNotification>
  /** Values that the user has set. */
  settings: Array<ExportedSetting>
  /** Values by the keys of their attributes. */
  attributes: Record<string, unknown>
  /** Audit records about the user, oldest first. */
  records_about: Array<ExportedRecord>
  /** Audit records of what the user did, oldest first. */
  records_by: Array<ExportedAct>
}

export interface AccountExport {
  /** In UTC. ISO 8601 with an offset. */
  exported_at: string
  account: ExportedAccount
  factors: Array<Factor>
  /** The persons of providers who open the account. */
  identities: Array<Identity>
  devices: Array<ExportedDevice>
  /** Sign-ins of browsers, which sessions of applications hang on. */
  sign_ins: Array<ExportedSignIn>
  /** To the address of the account, once the person has proved the mailbox. */
  invitations: Array<ExportedInvitation>
  memberships: Array<ExportedMembership>
}

export interface UserExport {
  /** In UTC. ISO 8601 with an offset. */
  exported_at: string
  tenant: ExportedTenant
  user: ExportedUser
  roles: Array<{
    /** 1 or more. */
    id: number
    name: string
  }>
  sessions: Array<ExportedSession>
  consents: Array<ExportedConsent>
  notifications: Array<ExportedNotification>
  /** Values that the user has set. */
  settings: Array<ExportedSetting>
  /** Values by the keys of their attributes. */
  attributes: Record<string, unknown>
  /** Audit records about the user, oldest first. */
  records_about: Array<ExportedRecord>
  /** Audit records of what the user did, oldest first. */
  records_by: Array<ExportedAct>
  invitations: Array<ExportedInvitation>
}

export interface ReviewReport {
  version: number
  review: {
    /** 1 or more. */
    id: number
    tenant_id: string
    name: string
    kinds: Array<'roles' | 'keys' | 'grants'>
    reviewer_ids: Array<number>
    /** In UTC. ISO 8601 with an offset. */
    due_at: string
    created_by: {
      /** 0 if unknown. */
      id: number
      /** "" if unknown or removed. */
      name: string
    }
    /** In UTC. ISO 8601 with an offset. */
    created_at: string
    /** "" while it is open. */
    closed_at: string
    counts: ReviewCounts
  }
  items: Array<{
    /** 1 or more. */
    id: number
    kind: 'roles' | 'keys' | 'grants'
    subject: {
      /** 0 if unknown. */
      id: number
      /** "" if unknown or removed. */
      name: string
      type: 'user' | 'service_account'
    }
    /** The role, key or application. */
    what: {
      /** 0 if unknown. */
      id: number
      /** "" if unknown or removed. */
      name: string
    }
    /** Of a role as in assignments, or `eligible`; of a consent `consent`. */
    source: 'manual' | 'default' | 'invitation' | 'sso' | 'eligible' | 'consent'
    given_by: {
      /** 0 if unknown. */
      id: number
      /** "" if unknown or removed. */
      name: string
    }
    /** In UTC. ISO 8601 with an offset. */
    given_at: string
    /** In UTC; "" if it has no end. */
    expires_at: string
    /** When a key or consent was last used, in UTC; of a role the holder’s last sign-in or use. "" if never. */
    last_used_at: string
    /** "" before a decision. */
    decision: '' | 'keep' | 'revoke'
    decided_by: {
      /** 0 if unknown. */
      id: number
      /** "" if unknown or removed. */
      name: string
    }
    comment: string
    /** `gone`: it had ended before. `changed`: it had changed, and is asked anew. `refused`: the reviewer may not revoke it. `directory`: a group gives the role, which stays. */
    outcome: 'pending' | 'kept' | 'revoked' | 'gone' | 'changed' | 'refused' | 'directory'
    /** In UTC; "" before a decision. */
    decided_at: string
  }>
}

/** The caller got a notification. */
export interface NotificationEvent {
  event: 'notification'
  data: {
    notification: Notification
    /** Unread notifications of the caller. */
    unread_count: number
  }
}

/** The caller read or deleted notifications. */
export interface UnreadEvent {
  event: 'unread'
  data: {
    count: number
  }
}

/** Forget what you remember about the permissions of these. */
export interface AuthorityEvent {
  event: 'authority'
  data: {
    /** The tenant; "" for all tenants. */
    tenant_id: string
    /** The user or service account; 0 for all. */
    user_id: number
    /** The session; "" for all. */
    session_id: string
  }
}

/** An audit record was sealed. Needs `audit:read`. */
export interface ChangeEvent {
  event: 'change'
  /** The place of the record. */
  id: string
  data: {
    /** The id of the audit record. */
    id: number
    /** UUID. */
    tenant_id: string
    action: string
    resource: string
    resource_id: string
  }
}

/** Changes after the last event id are lost, or the id is not readable. Forget everything that you remember. */
export interface GapEvent {
  event: 'gap'
  data: {
  }
}

/** The last event: the token or key expired, the session ended, or the caller lost what the stream needs. */
export interface EndEvent {
  event: 'end'
  data: {
    reason: 'expired' | 'signed_out' | 'not_allowed'
  }
}

/** An event of the stream, by its fields. */
export type StreamEvent = NotificationEvent | UnreadEvent | AuthorityEvent | ChangeEvent | GapEvent | EndEvent

export interface EvaluateFlagsQuery {
  /** Accepted, without effect. Up to 1024 characters. */
  flagConfigEtag?: string | undefined
  /** Accepted, without effect. Up to 64 characters. */
  flagConfigLastModified?: string | undefined
}

export interface ScimListUsersQuery {
  /** Up to 2,000 characters and 10 levels. `eq`, `ne`, `co`, `sw`, `ew`, `pr`; for times `gt`, `ge`, `lt`, `le`. Up to 4000 characters. */
  filter?: string | undefined
  /** The place of the first resource, from 1. Up to 4000 characters. */
  startIndex?: string | undefined
  /** Up to 200, else 200. Default 100. Up to 4000 characters. */
  count?: string | undefined
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimCreateUserQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimGetUserQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimReplaceUserQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimPatchUserQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimListGroupsQuery {
  /** Up to 2,000 characters and 10 levels. `eq`, `ne`, `co`, `sw`, `ew`, `pr`; for times `gt`, `ge`, `lt`, `le`. Up to 4000 characters. */
  filter?: string | undefined
  /** The place of the first resource, from 1. Up to 4000 characters. */
  startIndex?: string | undefined
  /** Up to 200, else 200. Default 100. Up to 4000 characters. */
  count?: string | undefined
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimCreateGroupQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimGetGroupQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface ScimReplaceGroupQuery {
  /** The attributes to answer with, with commas between them. Up to 4000 characters. */
  attributes?: string | undefined
  /** The attributes to leave out, with commas between them. Up to 4000 characters. */
  excludedAttributes?: string | undefined
}

export interface GetAuthOptionsQuery {
  /** The id or slug of a tenant. An unknown one changes nothing. Up to 64 characters. */
  tenant?: string | undefined
}

export interface LookUpInvitationQuery {
  /** Adds `proof`. */
  include?: 'proof' | undefined
}

export interface LookUpSignUpQuery {
  /** Adds `proof`. */
  include?: 'proof' | undefined
}

export interface GetProfileQuery {
  /** Adds `email_confirmed`, `has_factor` or both. */
  include?: 'email_confirmed' | 'has_factor' | 'email_confirmed,has_factor' | undefined
}

export interface ListUsersQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
  /** Part of username, e-mail or nickname, without case. Up to 254 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** Only users who hold this role. Needs `role:read` as well. 1 or more. */
  role_id?: number | undefined
  /** Only these users: up to 200 ids with commas between them. Not together with `seen`. `^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,199}$`. */
  ids?: string | undefined
  /** Only users who are active today (UTC), or online now, as the dashboard counts them. */
  seen?: 'online' | 'today' | undefined
  /** Adds fields to each user. `roles` needs `role:read` as well, and `person` needs `tenant:enter`. */
  include?: 'attributes' | 'created_at' | 'person' | 'roles' | 'attributes,created_at' | 'attributes,person' | 'attributes,roles' | 'created_at,person' | 'created_at,roles' | 'person,roles' | 'attributes,created_at,person' | 'attributes,created_at,roles' | 'attributes,person,roles' | 'created_at,person,roles' | 'attributes,created_at,person,roles' | undefined
  /** Ascending by this field, or descending with `-` in front. `created_at` is the order of ids. More than 10,000 matches come by id, with the header `X-Sort-Ignored: true`. Default "id". */
  sort?: 'id' | '-id' | 'username' | '-username' | 'email' | '-email' | 'status' | '-status' | 'created_at' | '-created_at' | 'last_login' | '-last_login' | undefined
  /** Only those with this value of the attribute `KEY`, which is indexed: exact, texts without case. Up to 3 of these. Up to 4096 characters. */
  [filter: `attribute.${string}`]: string | undefined
}

export interface GetUserQuery {
  /** Adds the safety of the account, which needs `user:update` as well, or the name of the person in all tenants, which needs `tenant:enter`. */
  include?: 'person' | 'security' | 'person,security' | undefined
}

export interface ListInvitationsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only invitations of this status. */
  status?: 'pending' | 'accepted' | 'revoked' | 'expired' | undefined
}

export interface ListServiceAccountsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Part of the name, without case. Up to 64 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** Only accounts with a valid key that expires within this number of days. 1 to 365. */
  keys_end_within_days?: number | undefined
}

export interface ListTenantsQuery {
  /** Part of name or slug, without case. Up to 128 characters. */
  search?: string | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** Ascending by this field, or descending with `-` in front; otherwise in the order of creation. A figure needs `tenant:enter` as well. */
  sort?: 'created_at' | '-created_at' | 'name' | '-name' | 'slug' | '-slug' | 'status' | '-status' | 'updated_at' | '-updated_at' | 'users' | '-users' | 'administrators' | '-administrators' | 'last_seen_on' | '-last_seen_on' | 'limit_share' | '-limit_share' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more. */
  page?: number | undefined
  /** How many items a page has. 1 to 200. */
  page_size?: number | undefined
  /** Adds the attributes, or the figures, which need `tenant:enter` as well. */
  include?: 'attributes' | 'figures' | 'attributes,figures' | undefined
  /** Only those with this value of the attribute `KEY`, which is indexed: exact, texts without case. Up to 3 of these. Up to 4096 characters. */
  [filter: `attribute.${string}`]: string | undefined
}

export interface CreateTenantQuery {
  /** Adds `invitation`. */
  include?: 'invitation' | undefined
}

export interface ListUsageQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListPermissionsQuery {
  /** Only permissions of this module. 1 to 64 characters. */
  module?: string | undefined
}

export interface ListRolesQuery {
  /** Adds the number of holders. Needs `user:read` as well. */
  include?: 'holders' | undefined
}

export interface ListRoleUsersQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
}

export interface ListAssignmentsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only assignments to this user or service account. 1 or more. */
  user_id?: number | undefined
  /** Only assignments of this role. 1 or more. */
  role_id?: number | undefined
  /** Only assignments of roles that give this permission, by its code. 1 to 128 characters. */
  permission?: string | undefined
  /** Only assignments with an end before this time. Up to 35 characters, ISO 8601 with an offset. */
  expires_before?: string | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
}

export interface ListElevationsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only elevations of this status. */
  status?: 'active' | 'over' | undefined
  /** Only elevations of this user. 1 or more. */
  user_id?: number | undefined
}

export interface ListSupportSessionsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only those with this status. */
  status?: 'waiting' | 'ready' | 'active' | 'over' | 'refused' | 'expired' | undefined
  /** Only records of what this user did. 1 or more. */
  user_id?: number | undefined
  /** Those that the caller asked for, in every tenant. */
  mine?: boolean | undefined
}

export interface GetSupportSessionQuery {
  /** Adds `requests`. */
  include?: 'requests' | undefined
}

export interface ListApprovalsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
  /** Only approvals of this status. */
  status?: 'pending' | 'approved' | 'done' | 'rejected' | 'cancelled' | 'expired' | undefined
}

export interface ListApplicationsQuery {
  /** Adds `is_registered`. */
  include?: 'is_registered' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Part of the name, without case. Up to 64 characters. */
  search?: string | undefined
  /** `web` has a secret; `browser` and `native` are programs of the user, which cannot keep one. It never changes. */
  kind?: 'web' | 'browser' | 'native' | undefined
  /** 1 enabled, 0 disabled. */
  status?: 0 | 1 | undefined
  /** false: those that administrators made; true: those that registered themselves. */
  is_registered?: boolean | undefined
}

export interface GetApplicationQuery {
  /** Adds `is_registered`. */
  include?: 'is_registered' | undefined
}

export interface ListResourcesQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListGrantsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only consents to this application. 1 or more. */
  application_id?: number | undefined
  /** Only records of what this user did. 1 or more. */
  user_id?: number | undefined
}

export interface ListReviewsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only reviews with this status. */
  status?: 'open' | 'closed' | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
}

export interface ListReviewItemsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only items of this kind. */
  kind?: 'roles' | 'keys' | 'grants' | undefined
  /** Only items with this outcome. */
  outcome?: 'pending' | 'kept' | 'revoked' | 'gone' | 'changed' | 'refused' | 'directory' | undefined
  /** Only rows that come after the one of this id; `page` counts from there, and `total` stays what it is. 1 or more. */
  after_id?: number | undefined
}

export interface ListAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** One action, or up to 20 with commas between them. 1 to 1000 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** The id of the object, as its records have it. Needs `resource` or `action`. 1 to 128 characters. */
  resource_id?: string | undefined
  /** Only records about this user: changes of the user, roles assigned and removed, and acts in support sessions as the user. 1 or more. */
  about_user_id?: number | undefined
  /** Only records of support sessions as this user. 1 or more. */
  on_behalf_of?: number | undefined
  /** Only records of changes by assistants of this application. 1 or more. */
  application_id?: number | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** Only records with this text, without case: in the action, the id of the object, the detail as JSON, the address, the user agent or the trace id. Of the records that the other filters find, the newest 20,000 are searched. 1 to 128 characters. */
  search?: string | undefined
  /** Only records of requests from this address. Searched as `search` is. 1 to 128 characters. */
  ip?: string | undefined
  /** Adds `actor`. */
  include?: 'actor' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
}

export interface GetAuditLogQuery {
  /** Adds `actor`. */
  include?: 'actor' | undefined
}

export interface ListSettingDefinitionsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only keys with this beginning. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  prefix?: string | undefined
}

export interface ListAttributesQuery {
  /** Only attributes of users, or of tenants. */
  subject?: 'user' | 'tenant' | undefined
}

export interface ListGlobalSettingVersionsQuery {
  /** Versions before this one. 1 to 2147483647. */
  before_version?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListTenantSettingVersionsQuery {
  /** Versions before this one. 1 to 2147483647. */
  before_version?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListEffectiveSettingsQuery {
  /** Only keys with this beginning. 1 to 128 characters, `^[A-Za-z0-9._:-]+$`. */
  prefix?: string | undefined
  /** Up to 100 keys, with commas between them. 1 to 13000 characters, `^[A-Za-z0-9._:-]{1,128}(?:,[A-Za-z0-9._:-]{1,128}){0,99}$`. */
  keys?: string | undefined
  /** A user of the tenant in scope; by default the caller. Another user needs `user:read`. 1 or more. */
  user_id?: number | undefined
}

export interface GetEffectiveSettingQuery {
  /** A user of the tenant in scope; by default the caller. Another user needs `user:read`. 1 or more. */
  user_id?: number | undefined
}

export interface GetPortalQuery {
  /** A page of the product that links to the console. Up to 2048 characters. */
  return_to?: string | undefined
}

export interface ListDirectoryGroupsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface GetNotificationQuery {
  /** Adds `sender`. */
  include?: 'sender' | undefined
}

export interface ListNotificationsQuery {
  /** Adds `sender`. */
  include?: 'sender' | undefined
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
  /** false: only unread notifications; true: only read notifications. */
  is_read?: boolean | undefined
}

export interface ListSentQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only rows before the one of this id, so older ones; `page` counts from there, and `total` stays what it is. 1 or more. */
  before_id?: number | undefined
}

export interface GetConnectionQuery {
  /** Adds the fields `directory_error` and `directory_error_at`. */
  include?: 'directory' | undefined
}

export interface ListAttemptsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface ListWebhooksQuery {
  /** Adds the fields `failing_since` and `last_error`. */
  include?: 'health' | undefined
}

export interface GetWebhookQuery {
  /** Adds the fields `failing_since` and `last_error`. */
  include?: 'health' | undefined
}

export interface ListDeliveriesQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** `pending`: tried again at `next_attempt_at`; `failed`: the hook was disabled over it, and goes on with it when it is enabled; `dead`: ended by a replay, which skips its event or sends it again as another delivery. */
  status?: 'pending' | 'delivered' | 'failed' | 'dead' | undefined
}

export interface ListFlagsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
  /** Only flags with this text in the key or the description, without case. 1 to 128 characters. */
  search?: string | undefined
}

export interface ListFlagTenantsQuery {
  /** Page of the list, from 1. A page past the end is empty. 1 or more, default 1. */
  page?: number | undefined
  /** How many items a page has. 1 to 200, default 20. */
  page_size?: number | undefined
}

export interface GetActivityQuery {
  /** How many days, the last of which is today. 7 to 90, default 30. */
  days?: number | undefined
}

export interface GetHeldPermissionsQuery {
  /** The user whom the question is about; the caller unless given. 1 or more. */
  user_id?: number | undefined
  /** A session of this user, the claim `sid` of a token: only its permissions count. `key_` and an id name a key of a service account. The answer is 404 when it is over. `^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|key_[1-9][0-9]{0,14})$`. */
  session_id?: string | undefined
  /** Adds `is_enabled`, `actor` or both. */
  include?: 'is_enabled' | 'actor' | 'is_enabled,actor' | 'actor,is_enabled' | undefined
}

export interface CheckPermissionsQuery {
  /** Adds `actor`. */
  include?: 'actor' | undefined
}

export interface ExportAuditLogsQuery {
  /** Only records of what this user did. 0 or more. */
  user_id?: number | undefined
  /** One action, or up to 20 with commas between them. 1 to 1000 characters. */
  action?: string | undefined
  /** Only records about this kind of resource. 1 to 128 characters. */
  resource?: string | undefined
  /** The id of the object, as its records have it. Needs `resource` or `action`. 1 to 128 characters. */
  resource_id?: string | undefined
  /** Only records about this user: changes of the user, roles assigned and removed, and acts in support sessions as the user. 1 or more. */
  about_user_id?: number | undefined
  /** Only records of support sessions as this user. 1 or more. */
  on_behalf_of?: number | undefined
  /** Only records of changes by assistants of this application. 1 or more. */
  application_id?: number | undefined
  /** Only records of this moment or later. Up to 35 characters, ISO 8601 with an offset. */
  from?: string | undefined
  /** Only records before this moment. Up to 35 characters, ISO 8601 with an offset. */
  to?: string | undefined
  /** Only records with this text, without case: in the action, the id of the object, the detail as JSON, the address, the user agent or the trace id. Of the records that the other filters find, the newest 20,000 are searched. 1 to 128 characters. */
  search?: string | undefined
  /** Only records of requests from this address. Searched as `search` is. 1 to 128 characters. */
  ip?: string | undefined
  /** Adds `actor`. */
  include?: 'actor' | undefined
  /** One JSON object a line; comma-separated values with a head line; or the whole audit chain, which takes no filter: JSON lines with the public keys and the signed head first, and after the records of each seal the seal. Default "ndjson". */
  format?: 'ndjson' | 'csv' | 'sealed' | undefined
}

export interface StreamEventsQuery {
  /** Hear the changes of every tenant; needs `tenant:enter`. */
  all_tenants?: boolean | undefined
}

/** A permission of the catalogue, as the `permissions` of a role hold it. */
export type PermissionCode =
  | 'user:read'
  | 'user:create'
  | 'user:update'
  | 'user:delete'
  | 'tenant:read'
  | 'tenant:create'
  | 'tenant:update'
  | 'tenant:delete'
  | 'role:read'
  | 'role:create'
  | 'role:update'
  | 'role:delete'
  | 'role:assign'
  | 'audit:read'
  | 'setting:read'
  | 'setting:update'
  | 'setting:delete'
  | 'setting:global'
  | 'notification:send'
  | 'notification:read'
  | 'notification:delete'
  | 'dashboard:read'
  | 'tenant:enter'
  | 'catalogue:manage'
  | 'service_account:read'
  | 'service_account:create'
  | 'service_account:update'
  | 'service_account:delete'
  | 'authz:check'
  | 'webhook:read'
  | 'webhook:manage'
  | 'application:read'
  | 'application:manage'
  | 'grant:read'
  | 'grant:revoke'
  | 'setting:declare'
  | 'setting:secret'
  | 'sso:read'
  | 'sso:manage'
  | 'flag:read'
  | 'flag:manage'
  | 'flag:evaluate'
  | 'scim:provision'
  | 'provider:read'
  | 'provider:manage'
  | 'attribute:declare'
  | 'support:view'
  | 'support:act'
  | 'support:allow'
  | 'approval:read'
  | 'approval:manage'
  | 'approval:decide'
  | 'approval:break_glass'
  | 'review:read'
  | 'review:manage'
