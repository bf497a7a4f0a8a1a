import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { KeepSession, KeptSession } from './auth.schemas.ts'
import { keptSeconds, renewSession, requireSameOrigin } from './console-session.service.ts'

const url = '/console/session'
const cookieName = 'tenantry_refresh'

/** The browser names the origin of the page. It keeps a Secure cookie of a page without TLS only on the own machine. */
const attributesFor = ({ headers: { origin = '' } }: FastifyRequest) =>
  ({ path: url, httpOnly: true, sameSite: 'strict', secure: !origin.startsWith('http:') }) as const

/**
 * The console's refresh token lives in a cookie that no script can read (decision 0122). Not part of the API: other
 * clients use POST /auth/refresh.
 */
export const consoleSessionRoutes = (app: App): void => {
  app.post(
    url,
    {
      config: { fails: ['refreshTokenInvalid', 'tenantSuspended', 'connectionNeeded', 'foreignPage'] },
      schema: { hide: true, body: KeepSession, response: { 200: KeptSession } },
    },
    async (request, reply) => {
      requireSameOrigin(request.headers['sec-fetch-site'])
      const pair = await renewSession(request.ctx, request.body, request.cookies[cookieName])
      const { refresh_token, ...kept } = pair
      reply.setCookie(cookieName, refresh_token, { ...attributesFor(request), maxAge: keptSeconds })
      return kept
    },
  )
}
