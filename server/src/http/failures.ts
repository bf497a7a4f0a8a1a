import { STATUS_CODES } from 'node:http'
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Type } from '../values/type.ts'
import { errorCodes, type ErrorName } from '../errors/app-error.ts'
import { isAboutAccount } from '../access/policies.ts'
import { isBehindFrontDoor } from '../config/front-door.ts'
import { needsTenantHeader } from './authenticate.ts'
import { OneOf, SecondStep, TraceId } from './schemas.ts'

const FieldErrors = Type.Object({
  errors: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['username'] }),
      message: Type.String({ examples: ['must have at least 3 characters'] }),
    }),
  ),
  reasons: Type.Optional(
    Type.Array(OneOf('too_short', 'common', 'personal', 'breached'), {
      description: 'Only of a refused password.',
    }),
  ),
})

const NeededApproval = Type.Object({
  operations: Type.Array(Type.String({ examples: ['authority.give'] }), {
    description: 'The operations for which a policy asks.',
  }),
  approvals: Type.Integer({ description: 'How many people must approve.', minimum: 1, examples: [1] }),
  break_glass: Type.Boolean({ description: 'Whether the policies allow break-glass.', examples: [false] }),
})

const ReachedLimit = Type.Object({
  name: Type.String({ description: 'Of the reached limit.', examples: ['users'] }),
  limit: Type.Integer({ minimum: 0, examples: [25] }),
  used: Type.Integer({ minimum: 0, examples: [25] }),
})

/** The body of every error answer. */
export const Failure = Type.Object(
  {
    code: Type.Integer({
      description: 'HTTP status × 100 + a number of its own. Later versions may add codes.',
      enum: Object.values(errorCodes),
      examples: [40001],
    }),
    message: Type.String({ examples: ['username: must have at least 3 characters'] }),
    data: Type.Union([Type.Null(), FieldErrors, SecondStep, ReachedLimit, NeededApproval]),
    trace_id: TraceId,
  },
  { title: 'Error' },
)

/** Errors that routes share. No route declares them. */
export const sharedErrors = {
  /**
   * Every route can have these errors. A path or a query can contain text that the database cannot store, as a body
   * can.
   */
  all: [
    'malformedRequest',
    'malformedBody',
    'tooManyRequests',
    'internal',
    'overloaded',
    'databaseUnavailable',
  ],
  /** Errors of routes with a schema for their input. */
  withInput: ['invalidInput'],
  /** A client can send a body with any method except GET, even if the route expects none. */
  notGet: ['bodyTooLarge', 'mediaTypeUnsupported'],
  /** Errors of changes that can need an approval, or carry one. */
  approvable: [
    'approvalNeeded',
    'approverMissing',
    'breakGlassOff',
    'approvalUnknown',
    'approvalOver',
    'approvalOutdated',
  ],
  /** Errors about the caller and the tenant in scope. */
  signedIn: [
    'tokenMissing',
    'tokenInvalid',
    'permissionMissing',
    'tenantHeaderInvalid',
    'tenantForeign',
    'tenantUnknown',
    'tenantDisabled',
    'sessionRestricted',
    'emailUnverified',
    'passwordExpired',
    'applicationShut',
    'supportShut',
  ],
  /** Routes about the caller's own account. */
  ownAccount: ['sessionOfApplication', 'sessionOfConnection'],
  withTenantHeader: ['tenantHeaderMissing'],
  /** Routes below `/oauth2`, `/ofrep`, `/scim` and `/sso`. */
  frontDoor: ['frontDoorShut'],
} satisfies Record<string, ErrorName[]>

/** The parts of a route's declaration that determine its errors. */
type RouteDeclaration = Pick<RouteOptions, 'method' | 'url' | 'schema'> & { config?: FastifyContextConfig }

const hasInput = ({ schema }: RouteDeclaration): boolean =>
  [schema?.body, schema?.querystring, schema?.params, schema?.headers].some((part) => part !== undefined)

/** The errors of changes, for routes that rehearse them. */
const namesOfOthers = (Object.keys(errorCodes) as ErrorName[]).filter((name) =>
  [400, 403, 404, 409, 503].includes(Math.floor(errorCodes[name] / 100)),
)

const sharedErrorsOf = (route: RouteDeclaration): ErrorName[] => {
  const { method, url, config } = route
  const groups: [boolean, ErrorName[]][] = [
    [true, sharedErrors.all],
    [method !== 'GET', sharedErrors.notGet],
    [hasInput(route), sharedErrors.withInput],
    [config?.allow !== undefined, sharedErrors.signedIn],
    [config?.isApprovable === true, sharedErrors.approvable],
    [config?.failsAsOthers === true, namesOfOthers],
    [isAboutAccount(config?.allow), sharedErrors.ownAccount],
    [needsTenantHeader(url), sharedErrors.withTenantHeader],
    [isBehindFrontDoor(url), sharedErrors.frontDoor],
  ]
  return groups.flatMap(([isOfRoute, errors]) => (isOfRoute ? errors : []))
}

/** All errors of a route: its own errors and the shared errors. */
export const errorsOf = (route: RouteDeclaration): ErrorName[] => [
  ...(route.config?.fails ?? []),
  ...sharedErrorsOf(route),
]

const statusOf = (name: ErrorName): number => Math.floor(errorCodes[name] / 100)

/** The error answers of a route, by status. */
export const failuresOf = (route: RouteDeclaration): Record<number, TSchema> => {
  const statuses = new Set(errorsOf(route).map(statusOf))
  return Object.fromEntries(
    [...statuses].map((status) => [status, { ...Failure, description: STATUS_CODES[status] ?? '' }]),
  )
}
