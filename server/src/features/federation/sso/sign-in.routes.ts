import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../values/type.ts'
import { sendForm, type AnswerPages } from '../../../http/answer-pages.ts'
import type { App } from '../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../http/browser-cookies.ts'
import { IdParams, Nothing, Page, PageQuery, UuidParams } from '../../../http/schemas.ts'
import { takeKeptAnswer, takeOidcAnswer, type AnswerResult } from './answers.service.ts'
import { beginTest, listAttempts, unlinkUser } from './attempts.service.ts'
import { discover } from './discover.service.ts'
import type { Providers } from './start.service.ts'
import { Attempt, Discover, Discovered, SignInTest, StartSignIn } from './sign-in.schemas.ts'
import { startSignIn } from './start.service.ts'

const tags = ['sso']

/** The address at which the interaction continues. */
const resumeOf = (interactionId: string): string => `/oauth2/resume/${interactionId}`

interface Landing {
  request: FastifyRequest
  reply: FastifyReply
  pages: AnswerPages
}

const land = async ({ request, reply, pages }: Landing, result: AnswerResult): Promise<FastifyReply> => {
  if (result.kind === 'over') return pages.sendFault(reply, 'sso')
  if (result.kind === 'refused') {
    return pages.sendRefusal(reply, 'connection', {
      number: result.number,
      path: resumeOf(result.interactionId),
    })
  }
  if (result.kind === 'tested') return pages.sendTest(reply, result.number)
  if (result.cookie !== undefined) setBrowserCookie(request, reply, 'signIn', result.cookie)
  return reply.redirect(resumeOf(result.interactionId), 303)
}

/** The addresses that browsers open during a sign-in at a provider. */
export const signInRoutes = (app: App, providers: Providers, pages: AnswerPages): void => {
  app.get('/sso/start', { schema: { hide: true, querystring: StartSignIn } }, async (request, reply) => {
    const started = await startSignIn(providers, request.ctx, request.query, cookiesOf(request))
    if (started.kind === 'over') return pages.sendFault(reply, 'sso')
    if (started.kind === 'console') return reply.redirect(started.page, 303)
    if (started.kind === 'refused') {
      const by = request.query.provider === undefined ? 'connection' : 'provider'
      return pages.sendRefusal(reply, by, { number: started.number, path: resumeOf(started.interactionId) })
    }
    setBrowserCookie(request, reply, 'browser', started.browser)
    const { address, form } = started.request
    return form ? sendForm(reply, 'provider', { address, fields: form }) : reply.redirect(address, 303)
  })
  app.get(
    '/sso/oidc/:id/callback',
    { schema: { hide: true, params: UuidParams } },
    async (request, reply) => {
      const answer = new URL(request.url, 'http://localhost').searchParams
      const taken = { id: request.params.id, answer }
      const result = await takeOidcAnswer(providers, request.ctx, taken, cookiesOf(request))
      return land({ request, reply, pages }, result)
    },
  )
  app.get(
    '/sso/saml/:id/answer',
    {
      schema: {
        hide: true,
        params: UuidParams,
        querystring: Type.Object({ handle: Type.String({ maxLength: 64 }) }),
      },
    },
    async (request, reply) => {
      const kept = { id: request.params.id, handle: request.query.handle }
      const result = await takeKeptAnswer(request.ctx, kept, cookiesOf(request))
      return land({ request, reply, pages }, result)
    },
  )
}

/** The endpoint that pages use to find the connection of an address. */
export const publicSignInRoutes = (app: App): void => {
  app.post(
    '/auth/discover',
    {
      schema: {
        operationId: 'discoverConnection',
        tags,
        summary: 'Find the connection of an address',
        description:
          'Only the verified domains of tenants decide, so the answer says nothing about accounts.',
        body: Discover,
        response: { 200: Discovered },
      },
    },
    ({ ctx, body }) => discover(ctx, body),
  )
}

/** Tests, outcomes and links, which administrators use. */
export const attemptRoutes = (app: App): void => {
  app.post(
    '/connections/:id/test',
    {
      config: {
        allow: 'sso:manage',
        guests: 'connection',
        fails: ['connectionUnknown', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'testConnection',
        tags,
        summary: 'Begin a test of a connection',
        description: 'The address leads to the provider, and then to a page that tells what would happen.',
        params: UuidParams,
        response: { 200: SignInTest },
      },
    },
    ({ ctx, params }) => beginTest(ctx, params.id),
  )
  app.get(
    '/connections/:id/attempts',
    {
      config: { allow: 'sso:read', support: 'view', guests: 'connection', fails: ['connectionUnknown'] },
      schema: {
        operationId: 'listAttempts',
        tags,
        summary: 'List the last sign-ins by a connection',
        description: 'The last 200 of 30 days, the newest first.',
        params: UuidParams,
        querystring: PageQuery,
        response: { 200: Page(Attempt) },
      },
    },
    ({ ctx, params, query }) => listAttempts(ctx, params.id, query),
  )
  app.delete(
    '/users/:id/sso',
    {
      config: { allow: 'sso:manage', fails: ['userUnknown', 'targetOutranksCaller', 'grantOutlastsOwn'] },
      schema: {
        operationId: 'unlinkUser',
        tags,
        summary: 'Unlink a user from the providers of the tenant',
        description:
          'The sessions that a provider opened end. The next sign-in links anew, by the same rules.',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => unlinkUser(ctx, params.id),
  )
}
