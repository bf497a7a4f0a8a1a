import { errorCodes, type ErrorName } from '../errors/app-error.ts'

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
  definitionsFull: 'The installation has 1,000 declarations of settings already, or 4 MiB of them.',
  storedValuesRefused: 'The schema refuses values that are stored.',
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
  applicationsFull: 'The installation has 1,000 applications already.',
  resourcesFull: 'The installation has 200 resources already.',
  applicationSecretsFull: 'The application has 2 living secrets already.',
  flagsFull: 'The installation holds 1,000 flags, 8 MiB of them, or 100,000 variants of tenants already.',
  directoryAccount: 'A connection names the service account as its directory.',
  domainsFull: 'The tenant has 20 domains already.',
  domainPublic: 'Anybody can have names below this domain, or addresses in it.',
  connectionsFull: 'The tenant has 5 connections already.',
  issuerShared: 'The issuer serves strangers, so it cannot vouch for the people of one tenant.',
  connectionUntested: 'The connection had no successful test in the last 24 hours.',
  lastWayIn:
    'Nothing but a connection leads into the tenant, and this is the last connection or break-glass user.',
  connectionUnproved:
    'The caller has not signed in by an active connection within the last hour, or no break-glass user has a second factor.',
  exemptionsFull: 'The tenant has 3 break-glass users already.',
  applicationPublic: 'A browser or native application cannot keep a secret, so it has none.',
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
  consoleCodeDead:
    'The code of a sign-in to the console is unknown, used, older than a minute, or of another browser.',
  challengeDead: 'The challenge is unknown, used, expired or had five wrong answers: sign in again.',
  connectionNeeded: 'The password or token is right, and nothing but a connection leads into the tenant.',
  permissionMissing: 'The caller lacks the permission that the operation needs.',
  tenantForeign: 'X-Tenant-ID names a tenant that is not the caller’s.',
  tenantDisabled: 'The caller’s tenant is disabled.',
  systemRole: 'A system role can be neither changed nor deleted.',
  grantExceedsOwn: 'Nobody hands out a permission they do not hold.',
  targetOutranksCaller:
    'The user or role holds, or users of the tenant can hold, a permission that the caller lacks.',
  signInRefused:
    'The provider of a tenant brought a person who is refused. The message has the number of the reason.',
  sessionOfConnection:
    'A session that a connection opened reaches its tenant alone, and not the account of the person.',
  connectionNeededHere: 'Nothing but its own sign-in provider leads into the organization.',
  registrationClosed: 'Registration is closed.',
  signUpClosed: 'Strangers create no organizations here, or the first administrator has not registered yet.',
  organizationsFull: 'The person has created as many organizations as one person may.',
  ownerNeeded: 'Nobody has proved the mailbox of this account and chosen its password.',
  notRecipient: 'Only its recipient marks a notification read.',
  keyExceedsOwn: 'A key creates no keys for its own account, and none that live longer or reach further.',
  builtInPermission: 'A built-in permission can be neither changed nor deleted.',
  linkOfAnother: 'The link was mailed for another account than the caller’s. It can still be used there.',
  ownEmail: 'The own e-mail changes by POST /auth/email, which proves the new mailbox.',
  invitationOfAnother:
    'The invitation, or the sign-up, is for another address than that of the caller. It is unspent.',
  emailOfPerson:
    'The person is a user of other tenants as well, so their e-mail and second factors are not this tenant’s.',
  membershipDisabled: 'The caller is disabled in that tenant, or the tenant is disabled.',
  sessionRestricted: 'The tenant asks for a second factor, and the session was opened without one.',
  emailUnverified:
    'The installation requires a confirmed e-mail, and the caller’s e-mail is not confirmed yet.',
  applicationShut: 'The token is of an application that may not call this API.',
  sessionOfApplication: 'The session is of an application, which cannot do this for the person.',
  stepWrong: 'The sign-in is at another step.',
  deviceUnknown: 'No device shows this code now.',
  interactionUnknown: 'The sign-in is over, or began in another browser.',
  foreignPage: 'A page of another origin asked for the session of the console.',
  mfaRequired: 'This needs a session that was opened with a second factor.',
  passkeysOff: 'Passkeys are off: TENANTRY_PUBLIC_URL is neither https with a domain name nor localhost.',
  routeUnknown: 'There is nothing at this path.',
  tenantUnknown: 'The tenant does not exist.',
  userUnknown: 'The user does not exist in this tenant.',
  roleUnknown: 'The role does not exist in this tenant.',
  settingUnknown: 'The setting does not exist.',
  roleMapped: 'A group of a provider or directory gives the role, so that no hand takes it.',
  userShutOut: 'The directory of the tenant shut the user out, and only the directory lets them in.',
  settingReserved: 'The key of the setting belongs to Tenantry.',
  settingLocked: 'The installation has locked the setting.',
  settingVersionUnknown: 'The setting has no such version.',
  versionOutdated: 'The value has changed since the caller read it.',
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
  domainUnknown: 'The tenant in scope has no such domain.',
  connectionUnknown: 'The tenant in scope has no such connection.',
  domainThere: 'The tenant in scope has this domain already.',
  domainOfAnother: 'Another tenant has proved this domain.',
  webhookUnknown: 'The tenant in scope has no such webhook.',
  deliveryUnknown: 'The webhook has no such delivery, or it was deleted after 30 days.',
  webhookStopped: 'Nothing but tests is sent by the webhook now; `disabled_reason` says why.',
  applicationUnknown: 'The installation has no application with this id.',
  applicationSecretUnknown: 'The application has no such secret.',
  resourceUnknown: 'The installation has no resource with this id.',
  flagUnknown: 'There is no flag with this key.',
  flagOverrideUnknown: 'The tenant has no variant of the flag as its own.',
  grantUnknown: 'The user, or the tenant in scope, has no such consent.',
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
    'Nobody has proved the mailbox of this account, and a link that was shown does not prove it. The link is unspent.',
  resourceIdentifierTaken: 'A resource has this identifier.',
  flagKeyTaken: 'There is a flag with this key.',
  bodyTooLarge: 'The body has more than 1 MiB.',
  mediaTypeUnsupported: 'The body is not declared as JSON.',
  tooManyRequests:
    'The caller or source sends too many requests, and nothing was done; Retry-After names the seconds to wait.',
  tooManyFailures: 'Signing in failed too often; Retry-After names the seconds to wait.',
  tooManyCodes:
    'Twenty codes for the account were wrong within an hour; Retry-After names the seconds to wait.',
  internal: 'Something went wrong in the service; the trace id finds the cause in its log.',
  overloaded: 'The service has too much to do, and has done nothing; Retry-After names the seconds to wait.',
  mailOff: 'The installation sends no e-mails.',
  databaseUnavailable: 'The database is away; Retry-After names the seconds to wait.',
  secretsOff: 'This stores a secret, and the installation has no secret key (TENANTRY_SECRET_KEY).',
  frontDoorShut:
    'Nobody signs in to applications here: TENANTRY_PUBLIC_URL is neither https nor loopback, or TENANTRY_ISSUER differs from it.',
  archiveAway:
    'The audit records of the period in the message are at another server, which does not answer; others can be read.',
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
