import { errorCodes, type ErrorName } from '../errors.ts'

/** Describes every error code for the documentation. A code without a description does not compile. */
const meanings: Record<ErrorName, string> = {
  invalidInput: 'A field of the body, the path or the query is invalid; `data.errors` names it.',
  malformedBody: 'The body is not sound JSON in UTF-8.',
  malformedRequest: 'The request itself is malformed: its URL, a header or its query.',
  tenantHeaderMissing: 'This path needs the header X-Tenant-ID.',
  tenantHeaderInvalid: 'X-Tenant-ID is not one UUID.',
  builtInTenant: 'The built-in tenant can be neither deleted nor disabled, and its slug stays.',
  lastPlatformAdmin: 'The last platform administrator stays.',
  ownAccount: 'Nobody deletes or disables themselves.',
  platformOnlyPermission: 'A platform-only permission exists only in roles of the built-in tenant.',
  unknownPermission: 'There is no permission with this id or code.',
  settingsFull: 'The scope holds 1,000 settings or 4 MiB of values already.',
  rolesFull: 'The tenant holds 1,000 roles already.',
  serviceAccountsFull: 'The tenant holds 1,000 service accounts already.',
  keysFull: 'The service account holds 10 living keys already.',
  catalogueFull: 'The product has 1,000 permissions or 200 role templates already, or its ids are used up.',
  moduleReserved: 'Permissions of the product are in modules of their own: this one belongs to the service.',
  linkDead: 'The link is unknown, used, expired or revoked; the answer does not tell which.',
  newPasswordNeeded:
    'Nobody has proved the mailbox of this account before: accepting the invitation takes a new password.',
  lastMembership: 'The last membership of a person ends only with their account.',
  codeWrong: 'The code of the authenticator app is wrong, so the factor does not count yet.',
  passkeyInvalid:
    'The passkey cannot be added: its answer is invalid, late, or for another session or address.',
  factorsFull: 'The account holds 10 second factors already.',
  factorMissing: 'The account has no second factor that recovery codes could stand in for.',
  webhooksFull: 'The tenant holds 20 webhooks already.',
  tokenMissing: 'The header `Authorization: Bearer <access token>` is missing.',
  tokenInvalid:
    'The access token is invalid or expired, or its session has ended; or the key is unknown, expired, revoked or not valid here.',
  credentialsWrong: 'E-mail or password is wrong.',
  accountDisabled: 'The password is right, and the account is disabled.',
  tenantSuspended: 'The password or token is right, and the tenant is disabled.',
  refreshTokenInvalid: 'The refresh token is invalid, expired or used up.',
  oldPasswordWrong: 'The old password is wrong.',
  factorRequired: 'The password is right, and a second factor is needed: `data` carries the challenge.',
  factorWrong: 'The code, recovery code or passkey is wrong.',
  challengeDead: 'The challenge is unknown, used, expired or had five wrong answers: sign in again.',
  permissionMissing: 'The caller lacks the permission that the operation needs.',
  tenantForeign: 'X-Tenant-ID names a tenant that is not the caller’s.',
  tenantDisabled: 'The caller’s tenant is disabled.',
  systemRole: 'A system role can be neither changed nor deleted.',
  grantExceedsOwn: 'Nobody hands out a permission they do not hold.',
  targetOutranksCaller: 'The user or role holds a permission that the caller lacks.',
  registrationClosed: 'Registration is closed.',
  notRecipient: 'Only its recipient marks a notification read.',
  keyExceedsOwn: 'A key creates no keys for its own account, and none that live longer or reach further.',
  builtInPermission: 'A built-in permission can be neither changed nor deleted.',
  linkOfAnother: 'The link was mailed for another account than the caller’s. It can still be used there.',
  ownEmail: 'The own e-mail changes by POST /auth/email, which proves the new mailbox.',
  invitationOfAnother: 'The invitation is for another address than that of the caller. It is unspent.',
  emailOfPerson:
    'The person is a user of other tenants as well, so their e-mail and second factors are not this tenant’s.',
  membershipDisabled: 'The caller is disabled in that tenant, or the tenant is disabled.',
  sessionRestricted: 'The tenant asks for a second factor, and the session was opened without one.',
  emailUnverified: 'The installation requires a confirmed e-mail, and the caller’s is not confirmed yet.',
  foreignPage: 'A page of another origin asked for the session of the console.',
  mfaRequired: 'This needs a session that was opened with a second factor.',
  passkeysOff: 'Passkeys are off: TENANTRY_PUBLIC_URL is neither https with a domain name nor localhost.',
  routeUnknown: 'There is nothing at this path.',
  tenantUnknown: 'The tenant does not exist.',
  userUnknown: 'The user does not exist in this tenant.',
  roleUnknown: 'The role does not exist in this tenant.',
  settingUnknown: 'The setting does not exist.',
  notificationUnknown: 'The notification does not exist in this tenant.',
  assignmentUnknown: 'The user does not hold this role.',
  auditLogUnknown: 'The audit record does not exist in this tenant.',
  sessionUnknown: 'The user has no such session, or it has ended.',
  serviceAccountUnknown: 'The service account does not exist in this tenant.',
  keyUnknown: 'The service account has no such key.',
  permissionUnknown: 'The catalogue has no permission with this id.',
  templateUnknown: 'There is no role template with this id.',
  invitationUnknown: 'The tenant has no open invitation with this id.',
  membershipUnknown: 'The caller is not a user of that tenant.',
  factorUnknown: 'The account has no such second factor.',
  webhookUnknown: 'The tenant in scope has no such webhook.',
  deliveryUnknown: 'The webhook has no such delivery, or it was deleted after 30 days.',
  webhookStopped: 'Nothing but tests is sent by the webhook now; `disabled_reason` says why.',
  methodNotAllowed: 'The path does not answer to this method; the header Allow lists those it answers to.',
  requestTooSlow: 'The request began and did not arrive within 10 to 35 seconds; nothing was done.',
  emailTaken: 'The e-mail is registered already.',
  usernameTaken: 'The username is taken in the tenant.',
  slugTaken: 'The slug is taken.',
  roleNameTaken: 'The tenant has a role of this name.',
  roleAlreadyHeld: 'The user holds this role already.',
  serviceAccountNameTaken: 'The tenant has a service account of this name.',
  permissionCodeTaken: 'The catalogue has a permission with this code.',
  templateNameTaken: 'A role template has this name, or too many tenants have a role of this name.',
  invitationOpen: 'The address has an open invitation to the tenant.',
  accountUnowned:
    'Nobody has proved the mailbox of this account, and a link that was shown does not prove it. The invitation is unspent.',
  bodyTooLarge: 'The body has more than 1 MiB.',
  mediaTypeUnsupported: 'The body is not declared as JSON.',
  tooManyRequests:
    'The caller or source sends too many requests, and nothing was done; Retry-After tells the seconds to wait.',
  tooManyFailures: 'Signing in failed too often; Retry-After tells the seconds to wait.',
  tooManyCodes:
    'Twenty codes for the account were wrong within an hour; Retry-After tells the seconds to wait.',
  internal: 'Something went wrong in the service; the trace id finds the cause in its log.',
  overloaded: 'The service has too much to do, and has done nothing; Retry-After tells the seconds to wait.',
  mailOff: 'The installation sends no e-mails.',
  databaseUnavailable: 'The database is away; Retry-After tells the seconds to wait.',
  secretsOff: 'This stores a secret, and the installation has no secret key (TENANTRY_SECRET_KEY).',
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
