import type { App } from '../../../http/app-type.ts'
import { cookiesOf } from '../../../http/browser-cookies.ts'
import { ExchangeCode, TokenPair } from './console-codes.schemas.ts'
import { exchangeConsoleCode } from './console-codes.service.ts'

/** The page of the console that a sign-in by a connection ends at. */
export const consoleCodeRoutes = (app: App): void => {
  app.post(
    '/auth/sso',
    {
      config: { fails: ['consoleCodeDead', 'tokenInvalid'] },
      schema: {
        operationId: 'exchangeCode',
        tags: ['sso'],
        summary: 'Exchange the code of a sign-in by a connection',
        description: 'The code works once, for 60 seconds, in the browser that began the sign-in.',
        body: ExchangeCode,
        response: { 200: TokenPair },
      },
    },
    (request) => exchangeConsoleCode(request.ctx, request.body.code, cookiesOf(request)),
  )
}
