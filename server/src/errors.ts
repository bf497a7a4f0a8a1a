/**
 * Every error the API answers with: HTTP status and `code` (status × 100 + a number of its own).
 * Codes are part of the public contract: never renumber one, only add.
 */
export const errorCodes = {
  invalidInput: 40001,
  malformedBody: 40002,
  malformedRequest: 40003,
  tenantHeaderMissing: 40004,
  tenantHeaderInvalid: 40005,
  builtInTenant: 40006,
  lastPlatformAdmin: 40007,
  ownAccount: 40008,
  platformOnlyPermission: 40009,
  unknownPermission: 40010,
  settingsFull: 40011,
  rolesFull: 40012,
  tokenMissing: 40101,
  tokenInvalid: 40102,
  credentialsWrong: 40103,
  accountDisabled: 40104,
  tenantSuspended: 40105,
  refreshTokenInvalid: 40106,
  oldPasswordWrong: 40107,
  permissionMissing: 40301,
  tenantForeign: 40302,
  tenantDisabled: 40303,
  systemRole: 40304,
  grantExceedsOwn: 40305,
  targetOutranksCaller: 40306,
  registrationClosed: 40307,
  notRecipient: 40308,
  routeUnknown: 40401,
  tenantUnknown: 40402,
  userUnknown: 40403,
  roleUnknown: 40404,
  settingUnknown: 40405,
  notificationUnknown: 40406,
  assignmentUnknown: 40407,
  auditLogUnknown: 40408,
  methodNotAllowed: 40501,
  emailTaken: 40901,
  usernameTaken: 40902,
  slugTaken: 40903,
  roleNameTaken: 40904,
  roleAlreadyHeld: 40905,
  bodyTooLarge: 41301,
  mediaTypeUnsupported: 41501,
  tooManyRequests: 42901,
  tooManyFailures: 42902,
  internal: 50001,
  overloaded: 50301,
  databaseUnavailable: 50302,
} as const

export type ErrorName = keyof typeof errorCodes

/** One invalid field of a request; `field` is a path such as `body.email` without its first part: `email`. */
export interface FieldError {
  field: string
  message: string
}

/** The one error type of the service: thrown by services, mapped to an answer once, in `http/error-handler.ts`. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: number
  readonly status: number
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    name: ErrorName,
    message: string,
    details: { fields?: FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.code = errorCodes[name]
    this.status = Math.floor(this.code / 100)
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** An error for one invalid field: 400 with `data.errors`. */
export const invalid = (field: string, message: string, name: ErrorName = 'invalidInput') =>
  new AppError(name, `${field}: ${message}`, { fields: [{ field, message }] })
