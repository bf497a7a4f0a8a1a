import type { App } from '../../../http/app-type.ts'
import { Nothing } from '../../../http/schemas.ts'
import {
  AuthOptions,
  AuthOptionsQuery,
  ChangeEmail,
  ForgotPassword,
  ResetPassword,
  VerifyEmail,
} from './email.schemas.ts'
import {
  changeEmail,
  forgotPassword,
  getAuthOptions,
  resetPassword,
  sendVerification,
  verifyEmail,
} from './email.service.ts'

/** Endpoints without authentication. */
export const publicEmailRoutes = (app: App): void => {
  app.get(
    '/auth/options',
    {
      schema: {
        operationId: 'getAuthOptions',
        tags: ['auth'],
        summary: 'Tell the ways to an account that are on',
        querystring: AuthOptionsQuery,
        response: { 200: AuthOptions },
      },
    },
    ({ ctx, query }) => getAuthOptions(ctx, query),
  )
  app.post(
    '/auth/password/forgot',
    {
      config: { fails: ['workNeeded', 'secretsOff', 'mailOff'] },
      schema: {
        operationId: 'forgotPassword',
        tags: ['auth'],
        summary: 'Mail a link to a new password',
        description: 'Answers an unknown address alike, in the same time. The link lives 30 minutes.',
        body: ForgotPassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => forgotPassword(ctx, body),
  )
  app.post(
    '/auth/password/reset',
    {
      config: { fails: ['linkDead', 'passwordRefused'] },
      schema: {
        operationId: 'resetPassword',
        tags: ['auth'],
        summary: 'Set a new password by a mailed link',
        description: 'Ends every session of the account. A dead link is 400.',
        body: ResetPassword,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => resetPassword(ctx, body),
  )
}

/** Endpoints of the signed-in caller. */
export const emailRoutes = (app: App): void => {
  app.post(
    '/auth/email/verify',
    {
      config: { allow: 'account', fails: ['passwordRefused', 'linkDead', 'linkOfAnother', 'emailTaken'] },
      schema: {
        operationId: 'verifyEmail',
        tags: ['auth'],
        summary: 'Confirm the own e-mail by a mailed link',
        description:
          'Also confirms a changed e-mail. A session of another account gets 403, and the link stays valid. ' +
          'The first proof of the mailbox ends the password: `new_password` is the next one.',
        body: VerifyEmail,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => verifyEmail(ctx, body),
  )
  app.post(
    '/auth/email/verification',
    {
      config: { allow: 'account', fails: ['mailOff'] },
      schema: {
        operationId: 'sendVerification',
        tags: ['auth'],
        summary: 'Mail the link that confirms the own e-mail again',
        description: 'Does nothing for a confirmed e-mail. The link lives 24 hours.',
        response: { 200: Nothing },
      },
    },
    ({ ctx }) => sendVerification(ctx),
  )
  app.post(
    '/auth/email',
    {
      config: { allow: 'account', fails: ['oldPasswordWrong', 'proofTooOld', 'tooManyFailures', 'mailOff'] },
      schema: {
        operationId: 'changeEmail',
        tags: ['auth'],
        summary: 'Mail a link that changes the own e-mail',
        description:
          'Answers a taken e-mail alike. Nothing changes before the link is used, within 24 hours.',
        body: ChangeEmail,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => changeEmail(ctx, body),
  )
}
