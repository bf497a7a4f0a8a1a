import type { App } from '../../http/app-type.ts'
import { Failure } from '../../http/envelope.ts'
import { ChangePassword, KeySet, Login, Refresh, Register, Registration, TokenPair } from './auth.schemas.ts'
import { changePassword, getKeySet, getRegistration, login, refresh, register } from './auth.service.ts'
import { Nothing } from '../../http/schemas.ts'

/** Endpoints without authentication. */
export const publicAuthRoutes = (app: App): void => {
  app.get(
    '/auth/registration',
    {
      config: { fails: [400] },
      schema: {
        operationId: 'getRegistration',
        tags: ['auth'],
        summary: 'Tell whether and as what one can register',
        response: { 200: Registration },
      },
    },
    ({ ctx }) => getRegistration(ctx),
  )
  app.post(
    '/auth/register',
    {
      config: { fails: [400, 403, 409] },
      schema: {
        operationId: 'register',
        tags: ['auth'],
        summary: 'Register an account',
        description:
          'Joins the built-in tenant as `member`. On an empty embedded database the first account registered becomes platform administrator.',
        body: Register,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => register(ctx, body),
  )
  app.post(
    '/auth/login',
    {
      config: { fails: [400, 401] },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Sign in',
        description: 'Ten failures within 15 minutes make that source wait (429).',
        body: Login,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => login(ctx, body),
  )
  app.post(
    '/auth/refresh',
    {
      config: { fails: [400, 401] },
      schema: {
        operationId: 'refresh',
        tags: ['auth'],
        summary: 'Exchange a refresh token for a new pair',
        description: 'The old refresh token is dead from then on; used again it ends the session.',
        body: Refresh,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => refresh(ctx, body),
  )
}

/** Endpoints of the signed-in caller. */
export const authRoutes = (app: App): void => {
  app.post(
    '/password',
    {
      config: { allow: 'caller', fails: [400] },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change the own password',
        description: 'Ends every other session of the caller.',
        body: ChangePassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => changePassword(ctx, body),
  )
}

/** The public keys by which other services verify our tokens. */
export const keySetRoutes = (app: App): void => {
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'getKeySet',
        tags: ['auth'],
        summary: 'Read the public keys of the tokens',
        description: 'A JSON Web Key Set (RFC 7517) of Ed25519 keys.',
        response: { 200: KeySet, 400: Failure, 500: Failure, 503: Failure },
      },
    },
    ({ ctx }, reply) => {
      reply.header('cache-control', 'public, max-age=300')
      return getKeySet(ctx)
    },
  )
}
