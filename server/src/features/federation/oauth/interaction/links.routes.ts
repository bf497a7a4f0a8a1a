import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { Nothing } from '../../../../http/schemas.ts'
import { findLook } from './interaction-view.service.ts'
import { FindLook, FindWayBack, Look, VerifyEmail, WayBack } from './interactions.schemas.ts'
import {
  AcceptInvitation,
  ConfirmSignUp,
  JoinedHere,
  LoginFactor,
  OpenedForLink,
  OpenForLink,
  Reader,
} from './links.schemas.ts'
import {
  acceptInvitationHere,
  confirmSignUpHere,
  getReader,
  giveJoinedFactor,
  openForLink,
  type JoinResult,
} from './links.service.ts'
import { findWayBack, verifyEmailHere } from './steps.service.ts'

const tags = ['sign-in']
const response = { 200: JoinedHere }

const sendJoined = (
  request: FastifyRequest,
  reply: FastifyReply,
  { joined, cookie }: JoinResult,
): JoinedHere => {
  if (cookie !== undefined) setBrowserCookie(request, reply, 'signIn', cookie)
  return joined
}

/** The API of the pages of mailed links. */
export const linkRoutes = (app: App): void => {
  app.get(
    '/links/reader',
    {
      schema: {
        operationId: 'getReader',
        tags,
        summary: 'Read the address of the person who is signed in with this browser',
        response: { 200: Reader },
      },
    },
    (request) => getReader(request.ctx, cookiesOf(request)),
  )
  app.post(
    '/links/interaction',
    {
      config: { fails: ['linkDead', 'signUpClosed', 'foreignPage'] },
      schema: {
        operationId: 'openForLink',
        tags,
        summary: 'Open the sign-in of a mailed link, for a provider',
        description: 'A provider then brings the person, who accepts the link without a password.',
        body: OpenForLink,
        response: { 200: OpenedForLink },
      },
    },
    async (request, reply) => {
      const { id, browser } = await openForLink(request.ctx, cookiesOf(request), request.body)
      setBrowserCookie(request, reply, 'browser', browser)
      return { id }
    },
  )
  app.post(
    '/links/invitation',
    {
      config: {
        fails: [
          'tokenInvalid',
          'linkDead',
          'passwordRefused',
          'newPasswordNeeded',
          'credentialsWrong',
          'tenantDisabled',
          'invitationOfAnother',
          'connectionNeeded',
          'wayClosed',
          'userShutOut',
          'emailTaken',
          'limitReached',
          'usernameTaken',
          'accountUnowned',
          'providerRefused',
          'interactionUnknown',
          'tooManyFailures',
          'foreignPage',
        ],
      },
      schema: {
        operationId: 'acceptInvitationHere',
        tags,
        summary: 'Accept an invitation, and sign this browser in',
        description: 'As `/auth/invitations/accept`, with the sign-in of the browser in place of a session.',
        body: AcceptInvitation,
        response,
      },
    },
    async (request, reply) =>
      sendJoined(request, reply, await acceptInvitationHere(request.ctx, cookiesOf(request), request.body)),
  )
  app.post(
    '/links/sign-up',
    {
      config: {
        fails: [
          'tokenInvalid',
          'linkDead',
          'passwordRefused',
          'newPasswordNeeded',
          'credentialsWrong',
          'signUpClosed',
          'organizationsFull',
          'invitationOfAnother',
          'emailTaken',
          'slugTaken',
          'providerRefused',
          'interactionUnknown',
          'tooManyFailures',
          'foreignPage',
        ],
      },
      schema: {
        operationId: 'confirmSignUpHere',
        tags,
        summary: 'Create the organization of a link, and sign this browser in',
        description: 'As `/auth/sign-up/confirm`, with the sign-in of the browser in place of a session.',
        body: ConfirmSignUp,
        response,
      },
    },
    async (request, reply) =>
      sendJoined(request, reply, await confirmSignUpHere(request.ctx, cookiesOf(request), request.body)),
  )
  app.post(
    '/links/factor',
    {
      config: {
        fails: [
          'accountDisabled',
          'tenantSuspended',
          'connectionNeeded',
          'wayClosed',
          'factorWrong',
          'challengeDead',
          'tooManyFailures',
          'tooManyCodes',
          'foreignPage',
        ],
      },
      schema: {
        operationId: 'giveJoinedFactor',
        tags,
        summary: 'Give the second factor, after a link was accepted by the password',
        body: LoginFactor,
        response,
      },
    },
    async (request, reply) =>
      sendJoined(request, reply, await giveJoinedFactor(request.ctx, cookiesOf(request), request.body)),
  )
  app.post(
    '/verify-email',
    {
      config: {
        fails: ['passwordRefused', 'tokenInvalid', 'linkDead', 'linkOfAnother', 'emailTaken', 'foreignPage'],
      },
      schema: {
        tags,
        operationId: 'verifyEmailHere',
        summary: 'Confirm the address of the person who is signed in with this browser',
        body: VerifyEmail,
        response: { 200: Nothing },
      },
    },
    (request) => verifyEmailHere(request.ctx, cookiesOf(request), request.body),
  )
  app.post(
    '/way-back',
    {
      config: { fails: ['linkDead', 'foreignPage'] },
      schema: {
        tags,
        operationId: 'findWayBack',
        summary: 'Tell which application a mailed link leads back to',
        description:
          'The link stays unspent. `application` is null if the link has no application, or the application has no home page.',
        body: FindWayBack,
        response: { 200: WayBack },
      },
    },
    ({ ctx, body }) => findWayBack(ctx, body.token),
  )
  app.post(
    '/look',
    {
      config: { fails: ['foreignPage'] },
      schema: {
        tags: ['sign-in'],
        operationId: 'findLook',
        summary: 'Tell how the pages of the own account look',
        description:
          'The branding of a tenant, and the application to go back to. `application` is null for an unknown or disabled one, and for one that registered itself.',
        body: FindLook,
        response: { 200: Look },
      },
    },
    ({ ctx, body }) => findLook(ctx, body),
  )
}
