// Written by `npm run docs`; a test fails when it is stale.

/** Every error of the API by its name. Codes are public: none is ever renumbered. Its HTTP status is `code / 100`, whole. */
export const errorCodes = {
  /** A field of the body, the path or the query is invalid; `data.errors` names it. */
  invalidInput: 40001,
  /** The body is not sound JSON in UTF-8. */
  malformedBody: 40002,
  /** The request itself is malformed: its URL, a header or its query. */
  malformedRequest: 40003,
  /** This path needs the header X-Tenant-ID. */
  tenantHeaderMissing: 40004,
  /** X-Tenant-ID is not one UUID. */
  tenantHeaderInvalid: 40005,
  /** The built-in tenant can be neither deleted nor disabled, and its slug stays. */
  builtInTenant: 40006,
  /** The last platform administrator stays. */
  lastPlatformAdmin: 40007,
  /** Nobody deletes or disables themselves. */
  ownAccount: 40008,
  /** A platform-only permission exists in roles of the built-in tenant alone. */
  platformOnlyPermission: 40009,
  /** There is no permission with this id. */
  unknownPermission: 40010,
  /** The scope holds 1,000 settings or 4 MiB of values already. */
  settingsFull: 40011,
  /** The tenant holds 1,000 roles already. */
  rolesFull: 40012,
  /** The header `Authorization: Bearer <access token>` is missing. */
  tokenMissing: 40101,
  /** The access token is invalid or expired, or its session has ended. */
  tokenInvalid: 40102,
  /** E-mail or password is wrong. */
  credentialsWrong: 40103,
  /** The password is right, and the account is disabled. */
  accountDisabled: 40104,
  /** The password or token is right, and the tenant is disabled. */
  tenantSuspended: 40105,
  /** The refresh token is invalid, expired or used up. */
  refreshTokenInvalid: 40106,
  /** The old password is wrong. */
  oldPasswordWrong: 40107,
  /** The caller lacks the permission that the operation needs. */
  permissionMissing: 40301,
  /** X-Tenant-ID names a tenant that is not the caller’s. */
  tenantForeign: 40302,
  /** The caller’s tenant is disabled. */
  tenantDisabled: 40303,
  /** A system role can be neither changed nor deleted. */
  systemRole: 40304,
  /** Nobody hands out a permission they do not hold. */
  grantExceedsOwn: 40305,
  /** The user or role holds a permission that the caller lacks. */
  targetOutranksCaller: 40306,
  /** Registration is closed. */
  registrationClosed: 40307,
  /** Only its recipient marks a notification read. */
  notRecipient: 40308,
  /** There is nothing at this path. */
  routeUnknown: 40401,
  /** The tenant does not exist. */
  tenantUnknown: 40402,
  /** The user does not exist in this tenant. */
  userUnknown: 40403,
  /** The role does not exist in this tenant. */
  roleUnknown: 40404,
  /** The setting does not exist. */
  settingUnknown: 40405,
  /** The notification does not exist in this tenant. */
  notificationUnknown: 40406,
  /** The user does not hold this role. */
  assignmentUnknown: 40407,
  /** The audit record does not exist in this tenant. */
  auditLogUnknown: 40408,
  /** The path does not answer to this method; the header Allow lists those it answers to. */
  methodNotAllowed: 40501,
  /** The e-mail is registered already. */
  emailTaken: 40901,
  /** The username is taken in the tenant. */
  usernameTaken: 40902,
  /** The slug is taken. */
  slugTaken: 40903,
  /** The tenant has a role of this name. */
  roleNameTaken: 40904,
  /** The user holds this role already. */
  roleAlreadyHeld: 40905,
  /** The body has more than 1 MiB. */
  bodyTooLarge: 41301,
  /** The body is not declared as JSON. */
  mediaTypeUnsupported: 41501,
  /** The caller or source sends too many requests, and nothing was done; Retry-After tells the seconds to wait. */
  tooManyRequests: 42901,
  /** Signing in failed too often; Retry-After tells the seconds to wait. */
  tooManyFailures: 42902,
  /** Something went wrong in the service; the trace id finds the cause in its log. */
  internal: 50001,
  /** The service has too much to do, and has done nothing; Retry-After tells the seconds to wait. */
  overloaded: 50301,
  /** The database is away; Retry-After tells the seconds to wait. */
  databaseUnavailable: 50302,
} as const

/** The name of an error of the API. */
export type ErrorName = keyof typeof errorCodes
