import type { App } from '../../../http/app-type.ts'
import { Nothing, UuidParams } from '../../../http/schemas.ts'
import { decideSupport } from './decisions.service.ts'
import {
  DecideSupport,
  OneSupportQuery,
  OpenedProduct,
  OpenProduct,
  RequestSupport,
  SupportPage,
  SupportQuery,
  SupportSession,
  SupportToken,
} from './support.schemas.ts'
import { openProduct } from './openings.service.ts'
import { endSupportSession, getSupport, listSupport, requestSupport } from './support.service.ts'
import { issueSupportToken } from './tokens.service.ts'

const tags = ['support']

export const supportRoutes = (app: App): void => {
  app.get(
    '/support/sessions',
    {
      config: { allow: 'user' },
      schema: {
        operationId: 'listSupportSessions',
        tags,
        summary: 'List support sessions',
        description:
          'Own ones (`mine`, or the own `user_id`) need no permission; others need support:allow or audit:read. Newest first.',
        querystring: SupportQuery,
        response: { 200: SupportPage },
      },
    },
    ({ ctx, query }) => listSupport(ctx, query),
  )
  app.get(
    '/support/sessions/:id',
    {
      config: { allow: 'user', fails: ['supportUnknown'] },
      schema: {
        operationId: 'getSupportSession',
        tags,
        summary: 'Read a support session',
        description: 'Actor and user need no permission; others need support:allow or audit:read.',
        params: UuidParams,
        querystring: OneSupportQuery,
        response: { 200: SupportSession },
      },
    },
    ({ ctx, params, query }) => getSupport(ctx, params.id, query),
  )
  app.post(
    '/support/sessions',
    {
      config: {
        allow: 'user',
        fails: ['ownSessionNeeded', 'mfaRequired', 'supportRefused', 'targetOutranksCaller', 'userUnknown'],
      },
      schema: {
        operationId: 'requestSupport',
        tags,
        summary: 'Ask to work as a user for some minutes',
        description:
          'Needs support:view or support:act by kind, and an own session with a second factor. Staff name the tenant by X-Tenant-ID.',
        body: RequestSupport,
        response: { 200: SupportSession },
      },
    },
    ({ ctx, body }) => requestSupport(ctx, body),
  )
  app.post(
    '/support/sessions/:id/decide',
    {
      config: {
        allow: 'user',
        fails: [
          'ownSessionNeeded',
          'mfaRequired',
          'supportRefused',
          'targetOutranksCaller',
          'supportUnknown',
          'supportStatusWrong',
        ],
      },
      schema: {
        operationId: 'decideSupport',
        tags,
        summary: 'Allow or refuse a support session',
        description:
          'For the user, and for users of the tenant with support:allow, a second factor and rank over the user.',
        params: UuidParams,
        body: DecideSupport,
        response: { 200: SupportSession },
      },
    },
    ({ ctx, params, body }) => decideSupport(ctx, params.id, body.allow),
  )
  app.post(
    '/support/sessions/:id/token',
    {
      config: {
        allow: 'user',
        fails: [
          'ownSessionNeeded',
          'mfaRequired',
          'supportRefused',
          'targetOutranksCaller',
          'supportUnknown',
          'supportStatusWrong',
          'supportActive',
        ],
      },
      schema: {
        operationId: 'issueSupportToken',
        tags,
        summary: 'Get a token of an own support session',
        description:
          'The first one starts its clock. The same session of the actor gets more, until it ends.',
        params: UuidParams,
        response: { 200: SupportToken },
      },
    },
    ({ ctx, params }) => issueSupportToken(ctx, params.id),
  )
  app.post(
    '/support/sessions/:id/code',
    {
      config: {
        allow: 'user',
        fails: [
          'ownSessionNeeded',
          'mfaRequired',
          'supportRefused',
          'supportUnknown',
          'supportStatusWrong',
          'applicationUnknown',
        ],
      },
      schema: {
        operationId: 'openProduct',
        tags,
        summary: 'Open a product in an own support session',
        description: 'The code lives 60 seconds, and works once, at the token endpoint (RFC 8693).',
        params: UuidParams,
        body: OpenProduct,
        response: { 200: OpenedProduct },
      },
    },
    ({ ctx, params, body }) => openProduct(ctx, params.id, body),
  )
  app.delete(
    '/support/sessions/:id',
    {
      config: {
        allow: 'suspendedAccount',
        servesConnections: true,
        servesExpired: true,
        fails: ['supportUnknown', 'supportStatusWrong'],
      },
      schema: {
        operationId: 'endSupport',
        tags,
        summary: 'End a support session, or take back its question',
        description:
          'For the actor, for the user in any session of the person, and for users of the tenant with support:allow.',
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => endSupportSession(ctx, params.id),
  )
}
