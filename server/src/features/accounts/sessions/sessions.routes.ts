import type { App } from '../../../http/app-type.ts'
import { List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { Session } from './sessions.schemas.ts'
import { endOtherSessions, endOwnSession, listOwnSessions, logout } from './sessions.service.ts'

export const sessionRoutes = (app: App): void => {
  app.get(
    '/auth/sessions',
    {
      config: { allow: 'suspendedAccount', servesConnections: true },
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
      config: { allow: 'suspendedAccount', servesConnections: true, fails: ['sessionUnknown'] },
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
      config: { allow: 'suspendedAccount', servesConnections: true },
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
      config: { allow: 'suspendedAccount', support: 'view', servesConnections: true, servesExpired: true },
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
}
