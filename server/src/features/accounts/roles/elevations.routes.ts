import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing } from '../../../http/schemas.ts'
import { endEligibility, listEligibleRoles, makeEligible } from './eligibility.service.ts'
import {
  EligibleRole,
  Elevation,
  ElevationPage,
  ElevationQuery,
  MakeEligible,
  StartElevation,
} from './elevations.schemas.ts'
import { endElevation, listElevations, startElevation } from './elevations.service.ts'
import { AssignmentParams, UserParams } from './roles.schemas.ts'

export const eligibilityRoutes = (app: App): void => {
  app.get(
    '/rbac/users/:userId/eligible-roles',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'listEligibleRoles',
        tags: ['roles'],
        summary: 'List the roles a user is eligible for',
        description: 'Own ones need no permission; those of others need role:read.',
        params: UserParams,
        response: { 200: List(EligibleRole) },
      },
    },
    ({ ctx, params }) => listEligibleRoles(ctx, params.userId),
  )
  app.post(
    '/rbac/users/:userId/eligible-roles',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'mfaRequired',
          'ownSessionNeeded',
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'userUnknown',
          'roleUnknown',
          'roleAlreadyHeld',
          'roleAlreadyEligible',
        ],
      },
      schema: {
        operationId: 'makeEligible',
        tags: ['roles'],
        summary: 'Make a user eligible for a role',
        description:
          'The role counts only in a session that starts it. Needs what assigning needs, and a second factor.',
        params: UserParams,
        body: MakeEligible,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => makeEligible(ctx, params.userId, body),
  )
  app.delete(
    '/rbac/users/:userId/eligible-roles/:roleId',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'mfaRequired',
          'ownSessionNeeded',
          'targetOutranksCaller',
          'userUnknown',
          'roleUnknown',
          'eligibilityUnknown',
        ],
      },
      schema: {
        operationId: 'endEligibility',
        tags: ['roles'],
        summary: 'End the eligibility of a user for a role',
        description: 'Ends elevations by it at once.',
        params: AssignmentParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endEligibility(ctx, params.userId, params.roleId),
  )
}

export const elevationRoutes = (app: App): void => {
  app.get(
    '/elevations',
    {
      config: { allow: 'caller', support: 'view', fails: ['permissionMissing'] },
      schema: {
        operationId: 'listElevations',
        tags: ['roles'],
        summary: 'List elevations',
        description: 'Own ones (`user_id`) need no permission; those of others need role:read. Newest first.',
        querystring: ElevationQuery,
        response: { 200: ElevationPage },
      },
    },
    ({ ctx, query }) => listElevations(ctx, query),
  )
  app.post(
    '/elevations',
    {
      config: {
        allow: 'user',
        fails: ['mfaRequired', 'ownSessionNeeded', 'notEligible', 'roleUnknown', 'elevationActive'],
      },
      schema: {
        operationId: 'startElevation',
        tags: ['roles'],
        summary: 'Start a role for some minutes, in this session',
        description: 'Needs an own session with a second factor. Acts in the own tenant.',
        body: StartElevation,
        response: { 200: Elevation },
      },
    },
    ({ ctx, body }) => startElevation(ctx, body),
  )
  app.delete(
    '/elevations/:id',
    {
      config: {
        allow: 'user',
        fails: [
          'mfaRequired',
          'ownSessionNeeded',
          'permissionMissing',
          'targetOutranksCaller',
          'elevationUnknown',
        ],
      },
      schema: {
        operationId: 'endElevation',
        tags: ['roles'],
        summary: 'End an elevation',
        description: 'Own ones need no permission; those of others need role:assign, and rank.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endElevation(ctx, params.id),
  )
}
