import type { App } from '../../http/app-type.ts'
import { IdParams, Nothing, Page } from '../../http/schemas.ts'
import { listUsers } from './listing.service.ts'
import { CreateUser, ListedUser, UpdateProfile, UpdateUser, User, UserQuery } from './users.schemas.ts'
import { resetUserFactors } from './user-factors.service.ts'
import { createUser, deleteUser, getProfile, getUser, updateProfile, updateUser } from './users.service.ts'

export const userRoutes = (app: App): void => {
  app.get(
    '/profile',
    {
      config: { allow: 'account', fails: [404] },
      schema: {
        operationId: 'getProfile',
        tags: ['auth'],
        summary: 'Read the own user',
        response: { 200: User },
      },
    },
    ({ ctx }) => getProfile(ctx),
  )
  app.put(
    '/profile',
    {
      config: { allow: 'account', fails: [400, 404] },
      schema: {
        operationId: 'updateProfile',
        tags: ['auth'],
        summary: 'Change the own nickname and picture',
        body: UpdateProfile,
        response: { 200: User },
      },
    },
    ({ ctx, body }) => updateProfile(ctx, body),
  )
  app.get(
    '/users',
    {
      config: { allow: 'user:read', fails: [400] },
      schema: {
        operationId: 'listUsers',
        tags: ['users'],
        summary: 'List users',
        description:
          'Users of the tenant in scope, ordered by id unless `sort` says otherwise. Roles, as a filter or in the answer, ' +
          'need `role:read` as well.',
        querystring: UserQuery,
        response: { 200: Page(ListedUser) },
      },
    },
    ({ ctx, query }) => listUsers(ctx, query),
  )
  app.post(
    '/users',
    {
      config: { allow: 'user:create', fails: [400, 409] },
      schema: {
        operationId: 'createUser',
        tags: ['users'],
        summary: 'Create a user',
        description: 'The user starts with the role `member`.',
        body: CreateUser,
        response: { 200: User },
      },
    },
    ({ ctx, body }) => createUser(ctx, body),
  )
  app.get(
    '/users/:id',
    {
      config: { allow: 'user:read', fails: [400, 404] },
      schema: {
        operationId: 'getUser',
        tags: ['users'],
        summary: 'Read a user',
        params: IdParams,
        response: { 200: User },
      },
    },
    ({ ctx, params }) => getUser(ctx, params.id),
  )
  app.put(
    '/users/:id',
    {
      config: { allow: 'user:update', fails: [400, 404, 409] },
      schema: {
        operationId: 'updateUser',
        tags: ['users'],
        summary: 'Change a user',
        description: 'Disabling a user ends their sessions at once.',
        params: IdParams,
        body: UpdateUser,
        response: { 200: User },
      },
    },
    ({ ctx, params, body }) => updateUser(ctx, params.id, body),
  )
  app.delete(
    '/users/:id',
    {
      config: { allow: 'user:delete', fails: [400, 404] },
      schema: {
        operationId: 'deleteUser',
        tags: ['users'],
        summary: 'Delete a user',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteUser(ctx, params.id),
  )
  app.delete(
    '/users/:id/factors',
    {
      config: { allow: 'user:update', fails: [400, 404] },
      schema: {
        operationId: 'resetUserFactors',
        tags: ['users'],
        summary: 'Remove the second factors of a user',
        description: 'For a person who has lost them. Ends all their sessions, and tells them by e-mail.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => resetUserFactors(ctx, params.id),
  )
}
