import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { KeepSession, KeptSession } from './console-session.schemas.ts'
import { keepSession } from './console-session.service.ts'

/**
 * The console's refresh token is in a cookie that no script can read (decision 0122). Not part of the API: other
 * clients use POST /auth/refresh.
 */
export const consoleSessionRoutes = (app: App): void => {
  app.post(
    '/console/session',
    {
      config: {
        fails: [
          'consoleCodeDead',
          'refreshTokenInvalid',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'foreignPage',
        ],
      },
      schema: { hide: true, body: KeepSession, response: { 200: KeptSession } },
    },
    async (request, reply) => {
      const pair = await keepSession(request.ctx, request.body, cookiesOf(request).console)
      const { refresh_token, ...kept } = pair
      setBrowserCookie(request, reply, 'console', refresh_token)
      return kept
    },
  )
}
