import { errorCodes, type ErrorName } from '../errors.ts'

/** What each error code means, as the documentation tells it. A code without a meaning does not compile. */
const meanings: Record<ErrorName, string> = {
  invalidInput: 'A field of the body, the path or the query is invalid; `data.errors` names it.',
  malformedBody: 'The body is not sound JSON in UTF-8.',
  malformedRequest: 'The request itself is malformed: its URL, a header or its query.',
  tenantHeaderMissing: 'This path needs the header X-Tenant-ID.',
  tenantHeaderInvalid: 'X-Tenant-ID is not one UUID.',
  builtInTenant: 'The built-in tenant can be neither deleted nor disabled, and its slug stays.',
  lastPlatformAdmin: 'The last platform administrator stays.',
  ownAccount: 'Nobody deletes or disables themselves.',
  platformOnlyPermission: 'A platform-only permission exists in roles of the built-in tenant alone.',
  unknownPermission: 'There is no permission with this id.',
  settingsFull: 'The scope holds 1,000 settings or 4 MiB of values already.',
  rolesFull: 'The tenant holds 1,000 roles already.',
  tokenMissing: 'The header `Authorization: Bearer <access token>` is missing.',
  tokenInvalid: 'The access token is invalid or expired, or its session has ended.',
  credentialsWrong: 'E-mail or password is wrong.',
  accountDisabled: 'The password is right, and the account is disabled.',
  tenantSuspended: 'The password or token is right, and the tenant is disabled.',
  refreshTokenInvalid: 'The refresh token is invalid, expired or used up.',
  oldPasswordWrong: 'The old password is wrong.',
  permissionMissing: 'The caller lacks the permission that the operation needs.',
  tenantForeign: 'X-Tenant-ID names a tenant that is not the caller’s.',
  tenantDisabled: 'The caller’s tenant is disabled.',
  systemRole: 'A system role can be neither changed nor deleted.',
  grantExceedsOwn: 'Nobody hands out a permission they do not hold.',
  targetOutranksCaller: 'The user or role holds a permission that the caller lacks.',
  registrationClosed: 'Registration is closed.',
  notRecipient: 'Only its recipient marks a notification read.',
  routeUnknown: 'There is nothing at this path.',
  tenantUnknown: 'The tenant does not exist.',
  userUnknown: 'The user does not exist in this tenant.',
  roleUnknown: 'The role does not exist in this tenant.',
  settingUnknown: 'The setting does not exist.',
  notificationUnknown: 'The notification does not exist in this tenant.',
  assignmentUnknown: 'The user does not hold this role.',
  auditLogUnknown: 'The audit record does not exist in this tenant.',
  methodNotAllowed: 'The path does not answer to this method; the header Allow lists those it answers to.',
  emailTaken: 'The e-mail is registered already.',
  usernameTaken: 'The username is taken in the tenant.',
  slugTaken: 'The slug is taken.',
  roleNameTaken: 'The tenant has a role of this name.',
  roleAlreadyHeld: 'The user holds this role already.',
  bodyTooLarge: 'The body has more than 1 MiB.',
  mediaTypeUnsupported: 'The body is not declared as JSON.',
  tooManyRequests:
    'The caller or source sends too many requests, and nothing was done; Retry-After tells the seconds to wait.',
  tooManyFailures: 'Signing in failed too often; Retry-After tells the seconds to wait.',
  internal: 'Something went wrong in the service; the trace id finds the cause in its log.',
  overloaded: 'The service has too much to do, and has done nothing; Retry-After tells the seconds to wait.',
  databaseUnavailable: 'The database is away; Retry-After tells the seconds to wait.',
}

export interface ErrorCode {
  name: ErrorName
  code: number
  status: number
  meaning: string
}

/** Every error code of the API with its meaning, in the order of `errorCodes`. */
export const documentedErrors: ErrorCode[] = Object.entries(meanings).map(([key, meaning]) => {
  const name = key as ErrorName
  return { name, code: errorCodes[name], status: Math.floor(errorCodes[name] / 100), meaning }
})
