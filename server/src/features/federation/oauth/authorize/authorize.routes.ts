import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendAsGet, sendErrorPage, sendForm } from '../../../../http/answer-pages.ts'
import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { UuidParams } from '../../../../http/schemas.ts'
import { responseUrl, type AuthorizationResponse } from '../request/authorization-response.service.ts'
import { authorize, type Authorization, type Parameters } from './authorize.service.ts'
import { findResponse } from '../interaction/completion.service.ts'
import { getInteraction } from '../interaction/steps.service.ts'

const pageUrl = (id: string): string => `/sign-in#interaction=${id}`

/** The sign-in page, or the provider of the requested connection. */
const interactionUrl = ({ id, connection }: Extract<Authorization, { kind: 'interaction' }>): string =>
  connection === undefined ? pageUrl(id) : `/sso/start?connection=${connection}&interaction=${id}`

const sendResponse = (reply: FastifyReply, response: AuthorizationResponse): FastifyReply =>
  response.responseMode === 'form_post'
    ? sendForm(reply, 'application', { address: response.redirectUri, fields: response.params })
    : reply.redirect(responseUrl(response), 303)

const send = (request: FastifyRequest, reply: FastifyReply, outcome: Authorization): FastifyReply => {
  if (outcome.kind === 'refused') return sendErrorPage(reply, 'authorize')
  if (outcome.kind === 'response') return sendResponse(reply, outcome.response)
  setBrowserCookie(request, reply, 'browser', outcome.browser)
  return reply.redirect(interactionUrl(outcome), 303)
}

/** The authorization endpoint. Its errors are sent to the application, or shown on a page. */
export const authorizeRoutes = (app: App): void => {
  app.get('/authorize', { schema: { hide: true } }, async (request, reply) =>
    send(request, reply, await authorize(request.ctx, request.query as Parameters, cookiesOf(request))),
  )
  app.post('/authorize', { schema: { hide: true } }, async (request, reply) =>
    sendAsGet(reply, 'authorize', request.body),
  )
}

/** Redirects a finished interaction to the application. */
export const resumeRoutes = (app: App): void => {
  app.get(
    '/resume/:id',
    {
      config: { fails: ['interactionUnknown', 'stepWrong'] },
      schema: { hide: true, params: UuidParams, response: { 200: {} } },
    },
    async (request, reply) => {
      const ref = { id: request.params.id, cookies: cookiesOf(request) }
      const response = await findResponse(request.ctx, await getInteraction(request.ctx, ref))
      if (response === null) return sendErrorPage(reply, 'authorize')
      return response ? sendResponse(reply, response) : reply.redirect(pageUrl(ref.id), 303)
    },
  )
}
