import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnswerPages } from '../../../../http/answer-pages.ts'
import type { App } from '../../../../http/app-type.ts'
import { clearSignInCookie, cookiesOf } from '../../../../http/browser-cookies.ts'
import { LoggedOut, Logout, LogoutQuestion } from './logout.schemas.ts'
import { beginLogout, confirmLogout, describeLogout, type LogoutOutcome } from './logout.service.ts'

/** The page that asks the person. It reads the request from the fragment, which browsers do not send to a server. */
const questionOf = ({ url }: FastifyRequest): string =>
  `/sign-in#logout=${encodeURIComponent(url.split('?').slice(1).join('?'))}`

type Outcome = Exclude<LogoutOutcome, { kind: 'refused' }>

const send = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply => {
  if (outcome.kind === 'question') return reply.redirect(questionOf(request), 303)
  clearSignInCookie(request, reply)
  return reply.redirect(outcome.location, 303)
}

/** The end session endpoint. */
export const logoutRoutes = (app: App, { sendAsGet, sendFault }: AnswerPages): void => {
  app.get('/logout', { schema: { hide: true, querystring: Logout } }, async (request, reply) => {
    const outcome = await beginLogout(request.ctx, request.query, cookiesOf(request).signIn)
    return outcome.kind === 'refused' ? sendFault(reply, 'logout') : send(request, reply, outcome)
  })
  app.post('/logout', { schema: { hide: true } }, async ({ body }, reply) => sendAsGet(reply, 'logout', body))
}

const tags = ['sign-in']
const config = { fails: ['foreignPage' as const] }

/** The API of the logout page. */
export const logoutQuestionRoutes = (app: App): void => {
  app.post(
    '/logout/question',
    {
      config,
      schema: {
        operationId: 'describeLogout',
        tags,
        summary: 'Tell who signs out, and of what',
        description: 'For the page of the sign-in, with the parameters that the application sent.',
        body: Logout,
        response: { 200: LogoutQuestion },
      },
    },
    (request) => describeLogout(request.ctx, request.body, cookiesOf(request).signIn),
  )
  app.post(
    '/logout/confirm',
    {
      config,
      schema: {
        operationId: 'confirmLogout',
        tags,
        summary: 'Sign out of this browser, and of the applications signed in to with it',
        body: Logout,
        response: { 200: LoggedOut },
      },
    },
    async (request, reply) => {
      const answer = await confirmLogout(request.ctx, request.body, cookiesOf(request).signIn)
      clearSignInCookie(request, reply)
      return answer
    },
  )
}
