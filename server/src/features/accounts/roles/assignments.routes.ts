import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, PageAfterQuery } from '../../../http/schemas.ts'
import { listAssignments } from './assignment-list.service.ts'
import {
  AssignmentPage,
  AssignmentQuery,
  AssignRole,
  ChangeEnd,
  ChangeHolders,
} from './assignments.schemas.ts'
import { assignRole, changeEnd, changeHolders, listUserRoles, unassignRole } from './assignments.service.ts'
import { AssignmentParams, ChangedUsers, HolderPage, Role, UserParams } from './roles.schemas.ts'
import { listRoleUsers } from './roles.service.ts'

export const assignmentRoutes = (app: App): void => {
  app.get(
    '/rbac/roles/:id/users',
    {
      config: { allow: 'role:read', support: 'view', allowAlso: 'user:read', fails: ['roleUnknown'] },
      schema: {
        operationId: 'listRoleUsers',
        tags: ['roles'],
        summary: 'List the users who hold a role',
        description: 'Ordered by id.',
        params: IdParams,
        querystring: PageAfterQuery,
        response: { 200: HolderPage },
      },
    },
    ({ ctx, params, query }) => listRoleUsers(ctx, params.id, query),
  )
  app.post(
    '/rbac/roles/:id/users',
    {
      config: {
        allow: 'role:assign',
        fails: ['roleUnknown', 'grantExceedsOwn', 'grantOutlastsOwn', 'lastPlatformAdmin', 'lastWayIn'],
      },
      schema: {
        operationId: 'changeRoleUsers',
        tags: ['roles'],
        summary: 'Give a role to many users, or take it',
        description:
          'By the rules for one user, in one transaction. A refusal concerns one user: the others are changed.',
        params: IdParams,
        body: ChangeHolders,
        response: { 200: ChangedUsers },
      },
    },
    ({ ctx, params, body }) => changeHolders(ctx, params.id, body),
  )
  app.get(
    '/rbac/users/:userId/roles',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'listUserRoles',
        tags: ['roles'],
        summary: 'List the roles a user holds',
        description: 'Own roles need no permission; those of others need role:read.',
        params: UserParams,
        response: { 200: List(Role) },
      },
    },
    ({ ctx, params }) => listUserRoles(ctx, params.userId),
  )
  app.post(
    '/rbac/users/:userId/roles',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'targetOutranksCaller',
          'userUnknown',
          'roleUnknown',
          'roleAlreadyHeld',
        ],
      },
      schema: {
        operationId: 'assignRole',
        tags: ['roles'],
        summary: 'Assign a role to a user',
        description: 'Nobody assigns a role that carries a permission they do not hold.',
        params: UserParams,
        body: AssignRole,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => assignRole(ctx, params.userId, body),
  )
  app.put(
    '/rbac/users/:userId/roles/:roleId',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'lastPlatformAdmin',
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'targetOutranksCaller',
          'roleMapped',
          'userUnknown',
          'roleUnknown',
          'assignmentUnknown',
        ],
      },
      schema: {
        operationId: 'changeAssignmentEnd',
        tags: ['roles'],
        summary: 'Change when a role of a user ends',
        description: 'A later end, or none, needs what assigning needs.',
        params: AssignmentParams,
        body: ChangeEnd,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => changeEnd(ctx, params, body),
  )
  app.get(
    '/rbac/assignments',
    {
      config: { allow: 'caller', support: 'view', fails: ['permissionMissing'] },
      schema: {
        operationId: 'listAssignments',
        tags: ['roles'],
        summary: 'List assignments of roles',
        description:
          'Own assignments (`user_id`) need no permission; those of others need role:read and user:read. Ordered by id.',
        querystring: AssignmentQuery,
        response: { 200: AssignmentPage },
      },
    },
    ({ ctx, query }) => listAssignments(ctx, query),
  )
  app.delete(
    '/rbac/users/:userId/roles/:roleId',
    {
      config: {
        allow: 'role:assign',
        fails: [
          'lastPlatformAdmin',
          'targetOutranksCaller',
          'roleMapped',
          'userUnknown',
          'roleUnknown',
          'assignmentUnknown',
        ],
      },
      schema: {
        operationId: 'unassignRole',
        tags: ['roles'],
        summary: 'Remove a role from a user',
        params: AssignmentParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => unassignRole(ctx, params.userId, params.roleId),
  )
}
