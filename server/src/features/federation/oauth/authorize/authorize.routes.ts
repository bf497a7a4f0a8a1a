import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendAsGet, sendErrorPage, sendForm } from '../../../../http/answer-pages.ts'
import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { UuidParams } from '../../../../http/schemas.ts'
import { locationOf, type AuthorizationAnswer } from '../request/authorization-response.service.ts'
import { authorize, type Authorization, type Parameters } from './authorize.service.ts'
import { findAnswer } from '../interaction/interaction-view.service.ts'
import { getInteraction } from '../interaction/steps.service.ts'

const pageOf = (id: string): string => `/sign-in#interaction=${id}`

/** The page of a sign-in, or the provider that it begins with. */
const placeOf = ({ id, connection }: Extract<Authorization, { kind: 'interaction' }>): string =>
  connection === undefined ? pageOf(id) : `/sso/start?connection=${connection}&interaction=${id}`

const sendAnswer = (reply: FastifyReply, answer: AuthorizationAnswer): FastifyReply =>
  answer.responseMode === 'form_post'
    ? sendForm(reply, 'application', { address: answer.redirectUri, fields: answer.params })
    : reply.redirect(locationOf(answer), 303)

const send = (request: FastifyRequest, reply: FastifyReply, outcome: Authorization): FastifyReply => {
  if (outcome.kind === 'refused') return sendErrorPage(reply, 'authorize')
  if (outcome.kind === 'answer') return sendAnswer(reply, outcome.answer)
  setBrowserCookie(request, reply, 'browser', outcome.browser)
  return reply.redirect(placeOf(outcome), 303)
}

/** Where applications send people. Its errors go to the application, or to a page. */
export const authorizeRoutes = (app: App): void => {
  app.get('/authorize', { schema: { hide: true } }, async (request, reply) =>
    send(request, reply, await authorize(request.ctx, request.query as Parameters, cookiesOf(request))),
  )
  app.post('/authorize', { schema: { hide: true } }, async (request, reply) =>
    sendAsGet(reply, 'authorize', request.body),
  )
}

/** The page of ours that goes on to the application, once nothing is left to be asked. */
export const resumeRoutes = (app: App): void => {
  app.get(
    '/resume/:id',
    {
      config: { fails: ['interactionUnknown', 'stepWrong'] },
      schema: { hide: true, params: UuidParams, response: { 200: {} } },
    },
    async (request, reply) => {
      const place = { id: request.params.id, cookies: cookiesOf(request) }
      const answer = await findAnswer(request.ctx, await getInteraction(request.ctx, place))
      if (answer === null) return sendErrorPage(reply, 'authorize')
      return answer ? sendAnswer(reply, answer) : reply.redirect(pageOf(place.id), 303)
    },
  )
}
