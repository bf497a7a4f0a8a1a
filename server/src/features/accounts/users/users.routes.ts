import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, Page } from '../../../http/schemas.ts'
import type { CountUsers } from './counts.service.ts'
import { listUsers } from './listing.service.ts'
import { changeStatus } from './many-users.service.ts'
import {
  ChangedUsers,
  ChangeStatus,
  CreateUser,
  FactorOfUserParams,
  ListedUser,
  Profile,
  ProfileQuery,
  UpdateProfile,
  UpdateUser,
  User,
  UserDetails,
  UserDetailsQuery,
  UserQuery,
  UserSession,
} from './users.schemas.ts'
import { resetUserFactor, resetUserFactors } from './user-factors.service.ts'
import { expirePassword, getProfile, getUserDetails, sendPasswordReset } from './user-security.service.ts'
import { endUserSessions, listUserSessions } from './user-sessions.service.ts'
import { createUser, deleteUser, updateProfile, updateUser } from './users.service.ts'

export const userRoutes = (app: App, countUsers: CountUsers): void => {
  app.get(
    '/profile',
    {
      config: { allow: 'account', support: 'view', servesConnections: true, servesExpired: true },
      schema: {
        operationId: 'getProfile',
        tags: ['auth'],
        summary: 'Read the own user',
        querystring: ProfileQuery,
        response: { 200: Profile },
      },
    },
    ({ ctx, query }) => getProfile(ctx, query),
  )
  app.put(
    '/profile',
    {
      config: { allow: 'account', servesConnections: true, servesExpired: true },
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
      config: { allow: 'user:read', support: 'view' },
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
    ({ ctx, query }) => listUsers(ctx, query, countUsers),
  )
  app.post(
    '/users',
    {
      config: {
        allow: 'user:create',
        fails: [
          'passwordRefused',
          'limitReached',
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'emailTaken',
          'usernameTaken',
        ],
      },
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
  app.post(
    '/users/status',
    {
      config: { allow: 'user:update', fails: ['lastPlatformAdmin', 'lastWayIn'] },
      schema: {
        operationId: 'changeUserStatus',
        tags: ['users'],
        summary: 'Enable or disable many users',
        description:
          'By the rules of `PUT /users/{id}`, in one transaction. A refusal concerns one user: the others are changed.',
        body: ChangeStatus,
        response: { 200: ChangedUsers },
      },
    },
    ({ ctx, body }) => changeStatus(ctx, body),
  )
  app.get(
    '/users/:id',
    {
      config: { allow: 'user:read', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'getUser',
        tags: ['users'],
        summary: 'Read a user',
        description: 'The safety of the account (`include=security`) needs `user:update` as well.',
        params: IdParams,
        querystring: UserDetailsQuery,
        response: { 200: UserDetails },
      },
    },
    ({ ctx, params, query }) => getUserDetails(ctx, params.id, query),
  )
  app.put(
    '/users/:id',
    {
      config: {
        allow: 'user:update',
        fails: [
          'userShutOut',
          'lastPlatformAdmin',
          'lastWayIn',
          'ownAccount',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'ownEmail',
          'emailOfPerson',
          'userUnknown',
          'emailTaken',
          'limitReached',
        ],
      },
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
      config: {
        allow: 'user:delete',
        fails: ['lastPlatformAdmin', 'lastWayIn', 'ownAccount', 'targetOutranksCaller', 'userUnknown'],
      },
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
      config: {
        allow: 'user:update',
        fails: ['lastWayIn', 'ownAccount', 'targetOutranksCaller', 'emailOfPerson', 'userUnknown'],
      },
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
  app.delete(
    '/users/:id/factors/:factorId',
    {
      config: {
        allow: 'user:update',
        fails: [
          'lastWayIn',
          'ownAccount',
          'targetOutranksCaller',
          'emailOfPerson',
          'userUnknown',
          'factorUnknown',
        ],
      },
      schema: {
        operationId: 'resetUserFactor',
        tags: ['users'],
        summary: 'Remove one second factor of a user',
        description:
          'For a person who has lost it. Ends all their sessions, and tells them by e-mail. Recovery codes go with the ' +
          'last factor.',
        params: FactorOfUserParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => resetUserFactor(ctx, params.id, params.factorId),
  )
  app.post(
    '/users/:id/password-reset',
    {
      config: { allow: 'user:update', fails: ['targetOutranksCaller', 'userUnknown', 'mailOff'] },
      schema: {
        operationId: 'sendPasswordReset',
        tags: ['users'],
        summary: 'Mail a user the link to a new password',
        description:
          'The link of `/auth/password/forgot`, within its limits. It goes to the person, and is shown nowhere.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => sendPasswordReset(ctx, params.id),
  )
  app.post(
    '/users/:id/password-expiry',
    {
      config: { allow: 'user:update', fails: ['targetOutranksCaller', 'emailOfPerson', 'userUnknown'] },
      schema: {
        operationId: 'expirePassword',
        tags: ['users'],
        summary: 'Require a new password of a user',
        description:
          'The next session that the password opens is restricted to profile, refresh, logout and `POST /password`, until the ' +
          'password is changed. Sessions that are open go on.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => expirePassword(ctx, params.id),
  )
  app.get(
    '/users/:id/sessions',
    {
      config: { allow: 'user:read', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'listUserSessions',
        tags: ['users'],
        summary: 'List the sessions of a user',
        description:
          'Sessions in the tenant in scope, and the browser sign-ins used there. The last used come first, at most 200.',
        params: IdParams,
        response: { 200: List(UserSession) },
      },
    },
    ({ ctx, params }) => listUserSessions(ctx, params.id),
  )
  app.delete(
    '/users/:id/sessions',
    {
      config: { allow: 'user:update', fails: ['targetOutranksCaller', 'userUnknown'] },
      schema: {
        operationId: 'endUserSessions',
        tags: ['users'],
        summary: 'End the sessions of a user',
        description:
          'Sessions in the tenant in scope, the browser sign-ins used there, and their sessions in other tenants.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endUserSessions(ctx, params.id),
  )
}
