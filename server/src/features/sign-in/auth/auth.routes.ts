import type { App } from '../../../http/app-type.ts'
import { Failure } from '../../../http/failures.ts'
import {
  ChangePassword,
  KeySet,
  keySetPath,
  Login,
  LoginFactor,
  PasskeyLogin,
  ProvePassword,
  Refresh,
  Register,
  Registration,
  TokenPair,
} from './auth.schemas.ts'
import {
  cacheable,
  changePassword,
  getKeySet,
  getRegistration,
  refresh,
  register,
  removePassword,
} from './auth.service.ts'
import { beginPasskeyLogin, loginWithPasskey } from './passkey-sign-in.service.ts'
import { login, loginWithFactor } from './sign-in.service.ts'
import { Nothing, PasskeyRequestOptions } from '../../../http/schemas.ts'

/** Endpoints without authentication. */
export const publicAuthRoutes = (app: App): void => {
  app.get(
    '/auth/registration',
    {
      schema: {
        operationId: 'getRegistration',
        tags: ['auth'],
        summary: 'Get the ways to register and sign in',
        response: { 200: Registration },
      },
    },
    ({ ctx }) => getRegistration(ctx),
  )
  app.post(
    '/auth/register',
    {
      config: {
        fails: [
          'passwordRefused',
          'workNeeded',
          'secretsOff',
          'registrationClosed',
          'connectionNeededHere',
          'wayClosedHere',
          'emailTaken',
          'limitReached',
          'usernameTaken',
        ],
      },
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
      config: {
        fails: [
          'factorRequired',
          'credentialsWrong',
          'accountDisabled',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'login',
        tags: ['auth'],
        summary: 'Sign in',
        description:
          'Where the account has a second factor, the right password is answered by 401 with a challenge in `data`. ' +
          'Ten failures within 15 minutes make that source wait (429).',
        body: Login,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => login(ctx, body),
  )
  app.post(
    '/auth/login/factor',
    {
      config: {
        fails: [
          'accountDisabled',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'factorWrong',
          'challengeDead',
          'tooManyFailures',
          'tooManyCodes',
        ],
      },
      schema: {
        operationId: 'loginWithFactor',
        tags: ['auth'],
        summary: 'Sign in with the second factor',
        description: 'Takes exactly one of `code`, `recovery_code` and `passkey`.',
        body: LoginFactor,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => loginWithFactor(ctx, body),
  )
  app.post(
    '/auth/passkey/options',
    {
      config: { fails: ['passkeysOff'] },
      schema: {
        operationId: 'beginPasskeyLogin',
        tags: ['auth'],
        summary: 'Begin a sign-in with a passkey alone',
        description: 'Options for `navigator.credentials.get`, for 5 minutes.',
        response: { 200: PasskeyRequestOptions },
      },
    },
    ({ ctx }) => beginPasskeyLogin(ctx),
  )
  app.post(
    '/auth/passkey',
    {
      config: {
        fails: [
          'accountDisabled',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'factorWrong',
          'passkeyUnknown',
          'challengeDead',
          'passkeysOff',
        ],
      },
      schema: {
        operationId: 'loginWithPasskey',
        tags: ['auth'],
        summary: 'Sign in with a passkey alone',
        body: PasskeyLogin,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => loginWithPasskey(ctx, body),
  )
  app.post(
    '/auth/refresh',
    {
      config: {
        fails: ['accountDisabled', 'tenantSuspended', 'connectionNeeded', 'wayClosed', 'refreshTokenInvalid'],
      },
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
      config: {
        allow: 'account',
        servesExpired: true,
        fails: ['passwordRefused', 'oldPasswordWrong', 'tooManyFailures'],
      },
      schema: {
        operationId: 'changePassword',
        tags: ['auth'],
        summary: 'Change the own password',
        description: 'Ends every other session of the person, in all tenants.',
        body: ChangePassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => changePassword(ctx, body),
  )
  app.post(
    '/auth/password/remove',
    {
      config: {
        allow: 'account',
        fails: ['oldPasswordWrong', 'proofTooOld', 'mfaRequired', 'lastOwnWay', 'tooManyFailures'],
      },
      schema: {
        operationId: 'removePassword',
        tags: ['auth'],
        summary: 'Remove the own password',
        description:
          'Another way must stay open in each tenant. Ends every other session of the person, in all tenants. ' +
          '`POST /auth/password/forgot` gives a password again.',
        body: ProvePassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => removePassword(ctx, body),
  )
}

/** The keys that verify access tokens. `max-age` bounds the delay until a verifier learns of a new key. */
export const keySetRoutes = (app: App): void => {
  app.get(
    keySetPath,
    {
      schema: {
        operationId: 'getKeySet',
        tags: ['auth'],
        summary: 'Read the public keys of access tokens',
        description:
          'A JSON Web Key Set (RFC 7517). Cache it for at most 5 minutes: a new key is published so long before it signs.',
        response: { 200: KeySet, 400: Failure, 500: Failure, 503: Failure },
      },
    },
    ({ ctx }, reply) => {
      reply.header('cache-control', cacheable)
      return getKeySet(ctx)
    },
  )
}
