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
  /** A platform-only permission exists only in roles of the built-in tenant. */
  platformOnlyPermission: 40009,
  /** There is no permission with this id or code. */
  unknownPermission: 40010,
  /** The scope holds 1,000 settings or 4 MiB of values already. */
  settingsFull: 40011,
  /** The installation has 1,000 declarations of settings already, or 4 MiB of them. */
  definitionsFull: 40050,
  /** The schema refuses values that are stored. */
  storedValuesRefused: 40051,
  /** There is no room for the attribute, its index or its claim. */
  attributesFull: 40052,
  /** The tenant holds 1,000 roles already. */
  rolesFull: 40012,
  /** The tenant holds 1,000 service accounts already. */
  serviceAccountsFull: 40016,
  /** The service account holds 10 living keys already. */
  keysFull: 40017,
  /** The product has 1,000 permissions or 200 role templates already, or its ids are used up. */
  catalogueFull: 40013,
  /** Permissions of the product are in modules of their own: this one belongs to the service. */
  moduleReserved: 40014,
  /** The link is unknown, used, expired or revoked; the answer does not tell which. */
  linkDead: 40018,
  /** Nobody has proved the mailbox of this account before: accepting the invitation takes a new password. */
  newPasswordNeeded: 40026,
  /** The last membership of a person ends only with their account. */
  lastMembership: 40027,
  /** The code of the authenticator app is wrong, so the factor does not count yet. */
  codeWrong: 40020,
  /** The passkey cannot be added: its answer is invalid, late, or for another session or address. */
  passkeyInvalid: 40021,
  /** The account holds 10 second factors already. */
  factorsFull: 40022,
  /** The account has no second factor that recovery codes could stand in for. */
  factorMissing: 40023,
  /** The tenant holds 20 webhooks already. */
  webhooksFull: 40028,
  /** The installation has 1,000 applications already. */
  applicationsFull: 40040,
  /** The installation has 200 resources already. */
  resourcesFull: 40041,
  /** The application has 2 living secrets already. */
  applicationSecretsFull: 40042,
  /** The installation holds 1,000 flags, 8 MiB of them, or 100,000 variants of tenants already. */
  flagsFull: 40070,
  /** A connection names the service account as its directory. */
  directoryAccount: 40071,
  /** The rules for passwords refuse the new one: `data.reasons` has `too_short`, `common`, `personal` or `breached`. */
  passwordRefused: 40080,
  /** The body lacks `altcha`: a challenge of GET /auth/challenge, solved within 10 minutes, which no request has used yet. */
  workNeeded: 40029,
  /** The tenant has 20 domains already. */
  domainsFull: 40060,
  /** Anybody can have names below this domain, or addresses in it. */
  domainPublic: 40061,
  /** The tenant has 5 connections already. */
  connectionsFull: 40062,
  /** The issuer serves strangers, so it cannot vouch for the people of one tenant. */
  issuerShared: 40063,
  /** The connection had no successful test in the last 24 hours. */
  connectionUntested: 40064,
  /** This is the last way by which the person can sign in to one of their tenants. */
  lastOwnWay: 40074,
  /** The account has 10 identities already. */
  identitiesFull: 40086,
  /** The installation has 20 providers already. */
  providersFull: 40068,
  /** The provider had no successful test of its present fields in the last 24 hours. */
  providerUntested: 40069,
  /** The provider is the last way to sign in that the installation has open. */
  lastProvider: 40073,
  /** The change of `auth.ways` would end the session of the caller. */
  ownWay: 40085,
  /** Nothing but a connection leads into the tenant, and this is the last connection or break-glass user. */
  lastWayIn: 40065,
  /** The caller has not signed in by an active connection within the last hour, or no break-glass user has a second factor. */
  connectionUnproved: 40066,
  /** The tenant has 3 break-glass users already. */
  exemptionsFull: 40067,
  /** The tenant has 10 open setup links already. */
  setupLinksFull: 40077,
  /** A browser or native application cannot keep a secret, so it has none. */
  applicationPublic: 40043,
  /** The header `Authorization: Bearer <access token>` is missing. */
  tokenMissing: 40101,
  /** The access token is invalid or expired, or its session has ended; or the key is unknown, expired, revoked or not valid here. */
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
  /** The password is right, and a second factor is needed: `data` carries the challenge. */
  factorRequired: 40108,
  /** No account here has this passkey: it was removed, or another service made it. */
  passkeyUnknown: 40112,
  /** The code, recovery code or passkey is wrong. */
  factorWrong: 40109,
  /** The code of a sign-in to the console is unknown, used, older than a minute, or of another browser. */
  consoleCodeDead: 40150,
  /** The challenge is unknown, used, expired or had five wrong answers: sign in again. */
  challengeDead: 40110,
  /** The password or token is right, and nothing but a connection leads into the tenant. */
  connectionNeeded: 40160,
  /** The caller lacks the permission that the operation needs. */
  permissionMissing: 40301,
  /** X-Tenant-ID names a tenant that is not the caller’s. */
  tenantForeign: 40302,
  /** The caller’s tenant is disabled. */
  tenantDisabled: 40303,
  /** A system role can be neither changed nor deleted. */
  systemRole: 40304,
  /** The plan of an assistant is unknown, used or too old. */
  planDead: 40046,
  /** The resource of assistants can be neither changed nor deleted. */
  resourceBuiltIn: 40344,
  /** Nobody hands out a permission they do not hold. */
  grantExceedsOwn: 40305,
  /** A support session does not reach this endpoint, tenant or setting. */
  supportShut: 40393,
  /** This user, caller or tenant takes no part in such a support session. */
  supportRefused: 40394,
  /** There is no such support session here, or the caller may not see it. */
  supportUnknown: 40482,
  /** The support session does not wait, or is over. */
  supportStatusWrong: 40982,
  /** The caller is in another support session. */
  supportActive: 40983,
  /** A person does this in an own, unrestricted session: no key and no application. */
  ownSessionNeeded: 40391,
  /** Nobody hands out a permission for longer than they hold it. */
  grantOutlastsOwn: 40390,
  /** The tenant has reached its limit: `data` has `name`, `limit` and `used`, or is null for a caller who may not read them. */
  limitReached: 40340,
  /** The user or role holds, or users of the tenant can hold, a permission that the caller lacks. */
  targetOutranksCaller: 40306,
  /** The sign-in by a provider was refused. */
  providerRefused: 40362,
  /** The provider of a tenant brought a person who is refused. The message has the number of the reason. */
  signInRefused: 40361,
  /** A session that a connection opened reaches its tenant alone, and not the account of the person. */
  sessionOfConnection: 40360,
  /** The mailed code is wrong, used or late, had five wrong answers, or is for another challenge. */
  emailCodeWrong: 40111,
  /** The proof is right, and the installation or the tenant has closed this way to sign in. */
  wayClosed: 40180,
  /** The installation has closed the sign-in by mailed codes. */
  emailCodesOff: 40383,
  /** The organization has closed the way by which the person signed in. */
  wayClosedHere: 40382,
  /** Nothing but its own sign-in provider leads into the organization. */
  connectionNeededHere: 40366,
  /** Registration is closed. */
  registrationClosed: 40307,
  /** Strangers create no organizations here, or the first administrator has not registered yet. */
  signUpClosed: 40325,
  /** The person has created as many organizations as one person may. */
  organizationsFull: 40326,
  /** Nobody has proved the mailbox of this account and chosen its password. */
  ownerNeeded: 40327,
  /** Only its recipient marks a notification read. */
  notRecipient: 40308,
  /** A key creates no keys for its own account, and none that live longer or reach further. */
  keyExceedsOwn: 40312,
  /** A built-in permission can be neither changed nor deleted. */
  builtInPermission: 40309,
  /** The link was mailed for another account than the caller’s. It can still be used there. */
  linkOfAnother: 40313,
  /** The own e-mail changes by POST /auth/email, which proves the new mailbox. */
  ownEmail: 40314,
  /** The invitation, or the sign-up, is for another address than that of the caller. It is unspent. */
  invitationOfAnother: 40318,
  /** The person is a user of other tenants as well, so their e-mail and second factors are not this tenant’s. */
  emailOfPerson: 40319,
  /** The caller is disabled in that tenant, or the tenant is disabled. */
  membershipDisabled: 40320,
  /** The tenant asks for a second factor, and the session was opened without one. */
  sessionRestricted: 40315,
  /** The installation requires a confirmed e-mail, and the caller’s e-mail is not confirmed yet. */
  emailUnverified: 40321,
  /** The token is of an application that may not call this API. */
  applicationShut: 40323,
  /** The session is of an application, which cannot do this for the person. */
  sessionOfApplication: 40324,
  /** The sign-in is at another step. */
  stepWrong: 40038,
  /** No device shows this code now. */
  deviceUnknown: 40427,
  /** The sign-in is over, or began in another browser. */
  interactionUnknown: 40423,
  /** A page of another origin asked for the session of the console. */
  foreignPage: 40322,
  /** This needs a session that was opened with a second factor. */
  mfaRequired: 40316,
  /** The account has no password, and the person signed in more than 10 minutes ago. */
  proofTooOld: 40380,
  /** The person must change the password first: POST /password. */
  passwordExpired: 40381,
  /** Passkeys are off: TENANTRY_PUBLIC_URL is neither https with a domain name nor localhost. */
  passkeysOff: 40317,
  /** There is nothing at this path. */
  routeUnknown: 40401,
  /** The tenant does not exist. */
  tenantUnknown: 40402,
  /** The user does not exist in this tenant. */
  userUnknown: 40403,
  /** The caller is none of the reviewers. */
  notReviewer: 40357,
  /** Nobody decides in a review about their own person. */
  ownItem: 40358,
  /** The tenant has no review with this id. */
  reviewUnknown: 40486,
  /** The review has no item with this id. */
  reviewItemUnknown: 40487,
  /** The review is closed. */
  reviewClosed: 40990,
  /** The tenant has 10 open reviews already. */
  reviewsFull: 40991,
  /** The review would have more than 100,000 items. */
  reviewTooLarge: 40992,
  /** The role does not exist in this tenant. */
  roleUnknown: 40404,
  /** The setting does not exist. */
  settingUnknown: 40405,
  /** The attribute does not exist. */
  attributeUnknown: 40475,
  /** A directory or a connection fills the attribute. */
  attributeFilled: 40375,
  /** A group of a provider or directory gives the role, so that no hand takes it. */
  roleMapped: 40370,
  /** The directory of the tenant shut the user out, and only the directory lets them in. */
  userShutOut: 40365,
  /** The key of the setting belongs to Tenantry. */
  settingReserved: 40330,
  /** The installation has locked the setting. */
  settingLocked: 40331,
  /** The setting has no such version. */
  settingVersionUnknown: 40450,
  /** The value has changed since the caller read it. */
  versionOutdated: 41201,
  /** The notification does not exist in this tenant. */
  notificationUnknown: 40406,
  /** The user does not hold this role. */
  assignmentUnknown: 40407,
  /** The audit record does not exist in this tenant. */
  auditLogUnknown: 40408,
  /** The user has no such session, or it has ended. */
  sessionUnknown: 40409,
  /** The service account does not exist in this tenant. */
  serviceAccountUnknown: 40410,
  /** The service account has no such key. */
  keyUnknown: 40411,
  /** The catalogue has no permission with this id. */
  permissionUnknown: 40412,
  /** There is no role template with this id. */
  templateUnknown: 40413,
  /** The tenant has no open invitation with this id. */
  invitationUnknown: 40416,
  /** The caller is not a user of that tenant. */
  membershipUnknown: 40417,
  /** The account has no such second factor. */
  factorUnknown: 40415,
  /** The tenant in scope has no such domain. */
  domainUnknown: 40460,
  /** The account has no such identity. */
  identityUnknown: 40463,
  /** There is no such provider. */
  providerUnknown: 40462,
  /** The tenant in scope has no such connection. */
  connectionUnknown: 40461,
  /** The tenant has no open setup link with this id. */
  setupLinkUnknown: 40464,
  /** The tenant in scope has this domain already. */
  domainThere: 40960,
  /** Another provider has this slug. */
  providerSlugTaken: 40962,
  /** A connection has this id already. */
  connectionIdTaken: 40963,
  /** Another tenant has proved this domain. */
  domainOfAnother: 40961,
  /** The tenant in scope has no such webhook. */
  webhookUnknown: 40418,
  /** The webhook has no such delivery, or it was deleted after 30 days. */
  deliveryUnknown: 40419,
  /** Nothing but tests is sent by the webhook now; `disabled_reason` says why. */
  webhookStopped: 40912,
  /** The installation has no application with this id. */
  applicationUnknown: 40440,
  /** The application has no such secret. */
  applicationSecretUnknown: 40441,
  /** The installation has no resource with this id. */
  resourceUnknown: 40442,
  /** There is no flag with this key. */
  flagUnknown: 40470,
  /** The tenant has no variant of the flag as its own. */
  flagOverrideUnknown: 40471,
  /** The user, or the tenant in scope, has no such consent. */
  grantUnknown: 40443,
  /** The path does not answer to this method; the header Allow lists those it answers to. */
  methodNotAllowed: 40501,
  /** The request began and did not arrive within 10 to 35 seconds; nothing was done. */
  requestTooSlow: 40801,
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
  /** The user is eligible for this role already. */
  roleAlreadyEligible: 40980,
  /** The tenant asks for approvals of this change: `data` has `operations`, `approvals` and `break_glass`. Ask by POST /approvals. */
  approvalNeeded: 40350,
  /** The caller asked for this change, or is the person concerned: another person decides. */
  ownApproval: 40351,
  /** A policy of this change does not allow break-glass. */
  breakGlassOff: 40352,
  /** Too few of those who approved may still decide and make this change. */
  approverMissing: 40353,
  /** Callers of another tenant neither set policies nor decide nor break the glass. */
  approvalElsewhere: 40354,
  /** No policy of the tenant asks for approvals of this request. */
  approvalUnasked: 40090,
  /** Too few enabled users with a second factor hold `approval:decide` without an end. */
  approversFew: 40091,
  /** There is no such approval in this tenant, or the caller may not see it. */
  approvalUnknown: 40484,
  /** The tenant has no policy for this operation. */
  approvalPolicyUnknown: 40485,
  /** The approval has another status: it is decided, used up, cancelled or expired. */
  approvalOver: 40985,
  /** The change is not the one that was asked for: the digest differs. */
  approvalOutdated: 40986,
  /** The person has decided this approval already. */
  alreadyDecided: 40987,
  /** The session has this role by an elevation already. */
  elevationActive: 40981,
  /** The user is not eligible for this role. */
  eligibilityUnknown: 40480,
  /** There is no such elevation in this tenant. */
  elevationUnknown: 40481,
  /** The caller is not eligible for this role, or not for so long. */
  notEligible: 40392,
  /** The tenant has a service account of this name. */
  serviceAccountNameTaken: 40909,
  /** The catalogue has a permission with this code. */
  permissionCodeTaken: 40906,
  /** A role template has this name, or too many tenants have a role of this name. */
  templateNameTaken: 40907,
  /** The address has an open invitation to the tenant. */
  invitationOpen: 40910,
  /** Nobody has proved the mailbox of this account, and a link that was shown does not prove it. The link is unspent. */
  accountUnowned: 40911,
  /** A resource has this identifier. */
  resourceIdentifierTaken: 40940,
  /** There is a flag with this key. */
  flagKeyTaken: 40970,
  /** The body has more than 1 MiB. */
  bodyTooLarge: 41301,
  /** The body is not declared as JSON. */
  mediaTypeUnsupported: 41501,
  /** The caller or source sends too many requests, and nothing was done; Retry-After names the seconds to wait. */
  tooManyRequests: 42901,
  /** Signing in failed too often; Retry-After names the seconds to wait. */
  tooManyFailures: 42902,
  /** Twenty codes for the account were wrong within an hour; Retry-After names the seconds to wait. */
  tooManyCodes: 42904,
  /** Something went wrong in the service; the trace id finds the cause in its log. */
  internal: 50001,
  /** The service has too much to do, and has done nothing; Retry-After names the seconds to wait. */
  overloaded: 50301,
  /** The installation sends no e-mails. */
  mailOff: 50303,
  /** The database is away; Retry-After names the seconds to wait. */
  databaseUnavailable: 50302,
  /** This stores a secret, and the installation has no secret key (TENANTRY_SECRET_KEY). */
  secretsOff: 50304,
  /** Nobody signs in to applications here: TENANTRY_PUBLIC_URL is neither https nor loopback, or TENANTRY_ISSUER differs from it. */
  frontDoorShut: 50305,
  /** The audit records of the period in the message are at another server, which does not answer; others can be read. */
  archiveAway: 50306,
} as const

/** The name of an error of the API. */
export type ErrorName = keyof typeof errorCodes
