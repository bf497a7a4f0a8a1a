import type { App } from '../../http/app-type.ts'
import { IdParams, List, Nothing, UuidParams } from '../../http/schemas.ts'
import { Session } from './sessions.schemas.ts'
import { endUserSessions, listUserSessions } from './user-sessions.service.ts'
import { endOtherSessions } from './other-sessions.service.ts'
import { endOwnSession, listOwnSessions, logout } from './sessions.service.ts'

export const sessionRoutes = (app: App): void => {
  app.get(
    '/auth/sessions',
    {
      config: { allow: 'suspendedAccount' },
      schema: {
        operationId: 'listOwnSessions',
        tags: ['auth'],
        summary: 'List the own sessions',
        description: 'Those of all tenants of the person, the last used first, at most 200.',
        response: { 200: List(Session) },
      },
    },
    ({ ctx }) => listOwnSessions(ctx),
  )
  app.delete(
    '/auth/sessions/:id',
    {
      config: { allow: 'suspendedAccount', fails: ['sessionUnknown'] },
      schema: {
        operationId: 'endOwnSession',
        tags: ['auth'],
        summary: 'End one of the own sessions',
        description: 'Also ends the sessions of other tenants that belong to the same sign-in.',
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endOwnSession(ctx, params.id),
  )
  app.delete(
    '/auth/sessions',
    {
      config: { allow: 'suspendedAccount' },
      schema: {
        operationId: 'endOtherSessions',
        tags: ['auth'],
        summary: 'End all own sessions but the current one',
        response: { 200: Nothing },
      },
    },
    ({ ctx }) => endOtherSessions(ctx),
  )
  app.post(
    '/auth/logout',
    {
      config: { allow: 'suspendedAccount' },
      schema: {
        operationId: 'logout',
        tags: ['auth'],
        summary: 'Sign out',
        description: 'Ends the current session, and those of other tenants that belong to the same sign-in.',
        response: { 200: Nothing },
      },
    },
    ({ ctx }) => logout(ctx),
  )
  app.get(
    '/users/:id/sessions',
    {
      config: { allow: 'user:read', fails: ['userUnknown'] },
      schema: {
        operationId: 'listUserSessions',
        tags: ['users'],
        summary: 'List the sessions of a user',
        description: 'Those in the tenant in scope, the last used first, at most 200.',
        params: IdParams,
        response: { 200: List(Session) },
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
        description: 'Those in the tenant in scope, and those that belong to the same sign-ins.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endUserSessions(ctx, params.id),
  )
}
