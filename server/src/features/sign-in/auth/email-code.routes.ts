import type { App } from '../../../http/app-type.ts'
import { TokenPair } from './auth.schemas.ts'
import { AskEmailCode, EmailCodeChallenge, EmailCodeLogin } from './email-code.schemas.ts'
import { askEmailCode, loginWithEmailCode } from './email-code.service.ts'

/** Endpoints without authentication. */
export const publicEmailCodeRoutes = (app: App): void => {
  app.post(
    '/auth/email-code',
    {
      config: { fails: ['workNeeded', 'secretsOff', 'tooManyCodes', 'emailCodesOff', 'mailOff'] },
      schema: {
        operationId: 'askEmailCode',
        tags: ['auth'],
        summary: 'Mail a code to sign in with',
        description:
          'The answer is the same for every address. The code has six digits, lives 10 minutes, and counts only with its challenge.',
        body: AskEmailCode,
        response: { 200: EmailCodeChallenge },
      },
    },
    ({ ctx, body }) => askEmailCode(ctx, body),
  )
  app.post(
    '/auth/login/email-code',
    {
      config: {
        fails: [
          'factorRequired',
          'emailCodeWrong',
          'accountDisabled',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'tooManyFailures',
          'tooManyCodes',
        ],
      },
      schema: {
        operationId: 'loginWithEmailCode',
        tags: ['auth'],
        summary: 'Sign in with a code by mail',
        description:
          'Where the account has a second factor, the right code is answered as the right password is. ' +
          'After 20 wrong codes in an hour, an address accepts none for an hour (429).',
        body: EmailCodeLogin,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => loginWithEmailCode(ctx, body),
  )
}
