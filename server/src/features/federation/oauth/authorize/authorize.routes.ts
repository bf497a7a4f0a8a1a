import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendForm, type AnswerPages } from '../../../../http/answer-pages.ts'
import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { UuidParams } from '../../../../http/schemas.ts'
import { responseUrl, type AuthorizationResponse } from '../request/authorization-response.service.ts'
import { authorize, type Authorization, type Parameters } from './authorize.service.ts'
import { findResponse, linkPageOf } from '../interaction/completion.service.ts'
import { getInteraction } from '../interaction/steps.service.ts'

const pageUrl = (id: string): string => `/sign-in#interaction=${id}`

/** The sign-in page, or the requested provider. */
const interactionUrl = ({ id, start }: Extract<Authorization, { kind: 'interaction' }>): string =>
  start === undefined ? pageUrl(id) : `/sso/start?${start}&interaction=${id}`

const sendResponse = (reply: FastifyReply, response: AuthorizationResponse): FastifyReply =>
  response.responseMode === 'form_post'
    ? sendForm(reply, 'application', { address: response.redirectUri, fields: response.params })
    : reply.redirect(responseUrl(response), 303)

type Outcome = Exclude<Authorization, { kind: 'refused' }>

const send = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): FastifyReply => {
  if (outcome.kind === 'response') return sendResponse(reply, outcome.response)
  setBrowserCookie(request, reply, 'browser', outcome.browser)
  return reply.redirect(interactionUrl(outcome), 303)
}

/** The authorization endpoint. Its errors are sent to the application, or shown on a page. */
export const authorizeRoutes = (app: App, { sendAsGet, sendUnbegun }: AnswerPages): void => {
  app.get('/authorize', { schema: { hide: true } }, async (request, reply) => {
    const outcome = await authorize(request.ctx, request.query as Parameters, cookiesOf(request))
    return outcome.kind === 'refused' ? sendUnbegun(reply, outcome.fault) : send(request, reply, outcome)
  })
  app.post('/authorize', { schema: { hide: true } }, async (request, reply) =>
    sendAsGet(reply, 'authorize', request.body),
  )
}

/** Redirects a finished interaction to the application. */
export const resumeRoutes = (app: App, { sendUnbegun }: AnswerPages): void => {
  app.get(
    '/resume/:id',
    {
      config: { fails: ['interactionUnknown', 'stepWrong'] },
      schema: { hide: true, params: UuidParams, response: { 200: {} } },
    },
    async (request, reply) => {
      const ref = { id: request.params.id, cookies: cookiesOf(request) }
      const result = await getInteraction(request.ctx, ref)
      const response = await findResponse(request.ctx, result)
      if (response === null) return sendUnbegun(reply, 'invalid_client')
      if (response) return sendResponse(reply, response)
      return reply.redirect(linkPageOf(result) ?? pageUrl(ref.id), 303)
    },
  )
}
