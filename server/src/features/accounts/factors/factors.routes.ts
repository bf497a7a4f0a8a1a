import type { App } from '../../../http/app-type.ts'
import { Nothing, UuidParams } from '../../../http/schemas.ts'
import {
  AddPasskey,
  AddTotp,
  ConfirmTotp,
  Factors,
  PasskeyAdded,
  PasskeyCreationOptions,
  ProvePassword,
  RecoveryCodes,
  TotpConfirmed,
  TotpSecret,
} from './factors.schemas.ts'
import { removeFactor, renewRecoveryCodes } from './factors.service.ts'
import { listFactors } from './own-factors.service.ts'
import { addPasskey, beginPasskey } from './passkeys.service.ts'
import { addTotp, confirmTotp } from './totp.service.ts'

export const factorRoutes = (app: App): void => {
  app.get(
    '/auth/factors',
    {
      config: { allow: 'account' },
      schema: {
        operationId: 'listFactors',
        tags: ['auth'],
        summary: 'List the own second factors',
        response: { 200: Factors },
      },
    },
    ({ ctx }) => listFactors(ctx),
  )
  app.post(
    '/auth/factors/totp',
    {
      config: {
        allow: 'account',
        fails: [
          'factorsFull',
          'oldPasswordWrong',
          'proofTooOld',
          'mfaRequired',
          'tooManyFailures',
          'secretsOff',
        ],
      },
      schema: {
        operationId: 'addTotp',
        tags: ['auth'],
        summary: 'Begin an authenticator app',
        description: 'It counts once its first code is confirmed, within 15 minutes.',
        body: AddTotp,
        response: { 200: TotpSecret },
      },
    },
    ({ ctx, body }) => addTotp(ctx, body),
  )
  app.post(
    '/auth/factors/totp/:id/confirm',
    {
      config: {
        allow: 'account',
        fails: ['codeWrong', 'factorsFull', 'mfaRequired', 'factorUnknown', 'tooManyCodes'],
      },
      schema: {
        operationId: 'confirmTotp',
        tags: ['auth'],
        summary: 'Confirm an authenticator app by its first code',
        description: 'The first factor gives this session `mfa`, ends all others, and brings recovery codes.',
        params: UuidParams,
        body: ConfirmTotp,
        response: { 200: TotpConfirmed },
      },
    },
    ({ ctx, params, body }) => confirmTotp(ctx, params.id, body),
  )
  app.post(
    '/auth/factors/passkey/options',
    {
      config: {
        allow: 'account',
        fails: [
          'factorsFull',
          'oldPasswordWrong',
          'proofTooOld',
          'mfaRequired',
          'passkeysOff',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'beginPasskey',
        tags: ['auth'],
        summary: 'Begin a passkey',
        description: 'Options for `navigator.credentials.create`, for 5 minutes and this session.',
        body: ProvePassword,
        response: { 200: PasskeyCreationOptions },
      },
    },
    ({ ctx, body }) => beginPasskey(ctx, body),
  )
  app.post(
    '/auth/factors/passkey',
    {
      config: { allow: 'account', fails: ['passkeyInvalid', 'factorsFull', 'mfaRequired', 'passkeysOff'] },
      schema: {
        operationId: 'addPasskey',
        tags: ['auth'],
        summary: 'Add a passkey',
        description: 'The first factor gives this session `mfa`, ends all others, and brings recovery codes.',
        body: AddPasskey,
        response: { 200: PasskeyAdded },
      },
    },
    ({ ctx, body }) => addPasskey(ctx, body),
  )
  app.post(
    '/auth/factors/:id/remove',
    {
      config: {
        allow: 'account',
        fails: [
          'lastOwnWay',
          'oldPasswordWrong',
          'proofTooOld',
          'mfaRequired',
          'factorUnknown',
          'lastWayIn',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'removeFactor',
        tags: ['auth'],
        summary: 'Remove an own second factor',
        description:
          'Needs a session with `mfa`, and ends all others. Recovery codes go with the last factor.',
        params: UuidParams,
        body: ProvePassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => removeFactor(ctx, params.id, body),
  )
  app.post(
    '/auth/factors/recovery-codes',
    {
      config: {
        allow: 'account',
        fails: ['factorMissing', 'oldPasswordWrong', 'proofTooOld', 'mfaRequired', 'tooManyFailures'],
      },
      schema: {
        operationId: 'renewRecoveryCodes',
        tags: ['auth'],
        summary: 'Replace the own recovery codes',
        description: 'Needs a session with `mfa`. The earlier codes are dead.',
        body: ProvePassword,
        response: { 200: RecoveryCodes },
      },
    },
    ({ ctx, body }) => renewRecoveryCodes(ctx, body),
  )
}
