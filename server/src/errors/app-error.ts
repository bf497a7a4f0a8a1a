/**
 * Every error of the API. A code is the HTTP status × 100 plus a number of its own. Codes are public: never renumber
 * one, only add.
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
  definitionsFull: 40050,
  storedValuesRefused: 40051,
  attributesFull: 40052,
  rolesFull: 40012,
  serviceAccountsFull: 40016,
  keysFull: 40017,
  catalogueFull: 40013,
  moduleReserved: 40014,
  linkDead: 40018,
  newPasswordNeeded: 40026,
  lastMembership: 40027,
  codeWrong: 40020,
  passkeyInvalid: 40021,
  factorsFull: 40022,
  factorMissing: 40023,
  webhooksFull: 40028,
  applicationsFull: 40040,
  resourcesFull: 40041,
  applicationSecretsFull: 40042,
  applicationPublic: 40043,
  domainsFull: 40060,
  domainPublic: 40061,
  connectionsFull: 40062,
  issuerShared: 40063,
  connectionUntested: 40064,
  lastWayIn: 40065,
  ownWay: 40085,
  lastOwnWay: 40074,
  connectionUnproved: 40066,
  exemptionsFull: 40067,
  setupLinksFull: 40077,
  providersFull: 40068,
  providerUntested: 40069,
  flagsFull: 40070,
  directoryAccount: 40071,
  lastProvider: 40073,
  identitiesFull: 40086,
  passwordRefused: 40080,
  workNeeded: 40029,
  planDead: 40046,
  approvalUnasked: 40090,
  approversFew: 40091,
  tokenMissing: 40101,
  tokenInvalid: 40102,
  credentialsWrong: 40103,
  accountDisabled: 40104,
  tenantSuspended: 40105,
  refreshTokenInvalid: 40106,
  oldPasswordWrong: 40107,
  factorRequired: 40108,
  factorWrong: 40109,
  challengeDead: 40110,
  consoleCodeDead: 40150,
  connectionNeeded: 40160,
  wayClosed: 40180,
  emailCodeWrong: 40111,
  passkeyUnknown: 40112,
  permissionMissing: 40301,
  tenantForeign: 40302,
  tenantDisabled: 40303,
  systemRole: 40304,
  grantExceedsOwn: 40305,
  targetOutranksCaller: 40306,
  registrationClosed: 40307,
  notRecipient: 40308,
  signUpClosed: 40325,
  organizationsFull: 40326,
  ownerNeeded: 40327,
  keyExceedsOwn: 40312,
  builtInPermission: 40309,
  resourceBuiltIn: 40344,
  linkOfAnother: 40313,
  ownEmail: 40314,
  invitationOfAnother: 40318,
  emailOfPerson: 40319,
  membershipDisabled: 40320,
  sessionRestricted: 40315,
  emailUnverified: 40321,
  stepWrong: 40038,
  foreignPage: 40322,
  applicationShut: 40323,
  sessionOfApplication: 40324,
  sessionOfConnection: 40360,
  signInRefused: 40361,
  providerRefused: 40362,
  connectionNeededHere: 40366,
  mfaRequired: 40316,
  proofTooOld: 40380,
  passwordExpired: 40381,
  wayClosedHere: 40382,
  emailCodesOff: 40383,
  passkeysOff: 40317,
  userShutOut: 40365,
  roleMapped: 40370,
  grantOutlastsOwn: 40390,
  ownSessionNeeded: 40391,
  notEligible: 40392,
  supportShut: 40393,
  supportRefused: 40394,
  approvalNeeded: 40350,
  ownApproval: 40351,
  breakGlassOff: 40352,
  approverMissing: 40353,
  approvalElsewhere: 40354,
  notReviewer: 40357,
  ownItem: 40358,
  settingReserved: 40330,
  settingLocked: 40331,
  limitReached: 40340,
  attributeFilled: 40375,
  routeUnknown: 40401,
  tenantUnknown: 40402,
  userUnknown: 40403,
  roleUnknown: 40404,
  settingUnknown: 40405,
  attributeUnknown: 40475,
  settingVersionUnknown: 40450,
  notificationUnknown: 40406,
  assignmentUnknown: 40407,
  eligibilityUnknown: 40480,
  elevationUnknown: 40481,
  supportUnknown: 40482,
  approvalUnknown: 40484,
  approvalPolicyUnknown: 40485,
  reviewUnknown: 40486,
  reviewItemUnknown: 40487,
  auditLogUnknown: 40408,
  sessionUnknown: 40409,
  interactionUnknown: 40423,
  deviceUnknown: 40427,
  serviceAccountUnknown: 40410,
  keyUnknown: 40411,
  permissionUnknown: 40412,
  templateUnknown: 40413,
  invitationUnknown: 40416,
  membershipUnknown: 40417,
  factorUnknown: 40415,
  webhookUnknown: 40418,
  deliveryUnknown: 40419,
  applicationUnknown: 40440,
  applicationSecretUnknown: 40441,
  resourceUnknown: 40442,
  grantUnknown: 40443,
  domainUnknown: 40460,
  connectionUnknown: 40461,
  setupLinkUnknown: 40464,
  providerUnknown: 40462,
  identityUnknown: 40463,
  flagUnknown: 40470,
  flagOverrideUnknown: 40471,
  methodNotAllowed: 40501,
  requestTooSlow: 40801,
  emailTaken: 40901,
  usernameTaken: 40902,
  slugTaken: 40903,
  roleNameTaken: 40904,
  roleAlreadyHeld: 40905,
  roleAlreadyEligible: 40980,
  elevationActive: 40981,
  supportStatusWrong: 40982,
  supportActive: 40983,
  approvalOver: 40985,
  approvalOutdated: 40986,
  alreadyDecided: 40987,
  reviewClosed: 40990,
  reviewsFull: 40991,
  reviewTooLarge: 40992,
  serviceAccountNameTaken: 40909,
  permissionCodeTaken: 40906,
  templateNameTaken: 40907,
  invitationOpen: 40910,
  accountUnowned: 40911,
  webhookStopped: 40912,
  resourceIdentifierTaken: 40940,
  domainThere: 40960,
  domainOfAnother: 40961,
  providerSlugTaken: 40962,
  connectionIdTaken: 40963,
  flagKeyTaken: 40970,
  versionOutdated: 41201,
  bodyTooLarge: 41301,
  mediaTypeUnsupported: 41501,
  tooManyRequests: 42901,
  tooManyFailures: 42902,
  tooManyCodes: 42904,
  internal: 50001,
  overloaded: 50301,
  databaseUnavailable: 50302,
  mailOff: 50303,
  secretsOff: 50304,
  frontDoorShut: 50305,
  archiveAway: 50306,
} as const

export type ErrorName = keyof typeof errorCodes

/** `field` is the path of an invalid field in the body, such as `email`. */
export interface FieldError {
  field: string
  message: string
}

/** The service's only error type. Services throw it, and `http/error-handler.ts` turns it into an answer. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: number
  readonly status: number
  readonly fields: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** `data` of the answer, where it has more than `errors`. */
  readonly data: object | undefined

  constructor(
    name: ErrorName,
    message: string,
    details: { fields?: FieldError[]; retryAfterSeconds?: number; data?: object } = {},
  ) {
    super(message)
    this.code = errorCodes[name]
    this.status = Math.floor(this.code / 100)
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.data = details.data
  }
}

/** An error about one invalid field: 400 with `data.errors`. */
export const invalid = (field: string, message: string, name: ErrorName = 'invalidInput') =>
  new AppError(name, `${field}: ${message}`, { fields: [{ field, message }] })

/** A disabled tenant refuses requests of its users with 403. */
export const tenantDisabled = () =>
  new AppError('tenantDisabled', 'Your organization is disabled. Ask your platform administrator')

/** A disabled tenant refuses sign-ins and refreshes with 401, so that nobody gets a new token. */
export const tenantSuspended = () =>
  new AppError('tenantSuspended', 'Your organization is disabled. Ask your platform administrator')

/** A tenant that requires single sign-on refuses other sign-ins and refreshes with 401. */
export const connectionNeeded = () =>
  new AppError('connectionNeeded', 'Sign in by the provider of your organization: it takes no other way')

/** A tenant refuses sign-ins and refreshes by a closed way with 401. */
export const wayClosed = () =>
  new AppError('wayClosed', 'Your organization does not accept this way to sign in. Choose another one')

/** A tenant refuses strangers, and people that are signed in by a way that it closed, with 403. */
export const wayClosedHere = () =>
  new AppError(
    'wayClosedHere',
    'This organization does not accept the way you signed in. Sign in there by another one',
  )

/**
 * A tenant that requires single sign-on refuses strangers, and people that are signed in to another tenant, with 403.
 */
export const connectionNeededHere = () =>
  new AppError(
    'connectionNeededHere',
    'This organization takes people by its own sign-in provider alone. Sign in there',
  )

/** Ignores the error of a removed tenant, whose rows the purge will delete. Throws every other one. */
export const passOverRemoved = (err: unknown): void => {
  if (!(err instanceof AppError && err.code === errorCodes.tenantUnknown)) throw err
}

/** Resolves with the error of a refusal instead of rejecting. Rejects with every other error. */
export const orRefusal = <T>(work: Promise<T>): Promise<T | AppError> =>
  work.catch((err: unknown) => {
    if (err instanceof AppError) return err
    throw err
  })
