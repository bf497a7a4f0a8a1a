import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import { Type } from '../../../../values/type.ts'
import type { ErrorName } from '../../../../errors/app-error.ts'
import type { App } from '../../../../http/app-type.ts'
import { cookiesOf, setBrowserCookie } from '../../../../http/browser-cookies.ts'
import { UuidParams } from '../../../../http/schemas.ts'
import { TypeUserCode } from '../devices/devices.schemas.ts'
import { giveProof } from './account-proof.service.ts'
import { describeInteraction } from './interaction-view.service.ts'
import type { InteractionResult, InteractionRef } from './interactions.service.ts'
import {
  ChangeEmail,
  ChooseNewPassword,
  ChooseTenant,
  ConfirmEnrolment,
  Consent,
  Enrol,
  ForgotPassword,
  GiveEmailCode,
  GiveFactor,
  GivePasskey,
  GivePassword,
  GiveProof,
  Identify,
  Interaction,
  Register,
  SignUp,
} from './interactions.schemas.ts'
import { beginEnrolment, confirmEnrolment, skipPasskey } from './enrolment.service.ts'
import {
  beginForDevice,
  cancel,
  changeEmailHere,
  chooseNewPassword,
  chooseTenant,
  forgotPasswordHere,
  getInteraction,
  giveConsent,
  identify,
  sendVerificationHere,
  signUpHere,
} from './steps.service.ts'
import {
  beginPasskeyStep,
  giveEmailCode,
  giveFactor,
  givePasskey,
  givePassword,
  registerHere,
} from './proofs.service.ts'

const base = '/interactions/:id'

const refOf = (request: FastifyRequest, { id }: { id: string }): InteractionRef => ({
  id,
  cookies: cookiesOf(request),
})

/** Sends the next step, and sets the new cookie of the sign-in. */
const sendNextStep = (
  request: FastifyRequest,
  reply: FastifyReply,
  result: InteractionResult,
): Promise<Interaction> => {
  if (result.cookie !== undefined) setBrowserCookie(request, reply, 'signIn', result.cookie)
  return describeInteraction(request.ctx, result)
}

/** The interaction has ended, is at another step, or a concurrent request has changed it. */
const notAtStep: ErrorName[] = ['interactionUnknown', 'stepWrong']

const common = { tags: ['sign-in'], params: UuidParams, response: { 200: Interaction } }

/** A route by which the person answers a step. */
interface StepRoute<Body extends TObject> {
  operationId: string
  summary: string
  description?: string
  fails?: ErrorName[]
  body: Body
  act: (ctx: FastifyRequest['ctx'], ref: InteractionRef, body: Static<Body>) => Promise<InteractionResult>
}

const Empty = Type.Object({})

const addStep = <Body extends TObject>(
  app: App,
  path: string,
  { fails = [], act, ...schema }: StepRoute<Body>,
): void => {
  app.post(
    `${base}/${path}`,
    {
      config: { fails: [...notAtStep, 'foreignPage', ...fails] },
      schema: { ...common, ...schema },
    },
    async (request, reply) =>
      sendNextStep(
        request,
        reply,
        await act(request.ctx, refOf(request, request.params), request.body as Static<Body>),
      ),
  )
}

const noSignIn: ErrorName[] = ['accountDisabled', 'tenantSuspended', 'connectionNeeded', 'wayClosed']

/** The API of the sign-in pages. Every route answers with the next step. */
export const interactionRoutes = (app: App): void => {
  app.get(
    base,
    {
      config: { fails: [...notAtStep] },
      schema: { ...common, operationId: 'getInteraction', summary: 'Read the next step of a sign-in' },
    },
    async (request, reply) =>
      sendNextStep(request, reply, await getInteraction(request.ctx, refOf(request, request.params))),
  )
  app.post(
    '/interactions',
    {
      config: { fails: ['deviceUnknown', 'tooManyCodes', 'foreignPage'] },
      schema: {
        tags: ['sign-in'],
        operationId: 'beginForDevice',
        summary: 'Begin the sign-in of the device that shows a code',
        body: TypeUserCode,
        response: { 200: Interaction },
      },
    },
    async (request, reply) => {
      const { browser, ...result } = await beginForDevice(
        request.ctx,
        cookiesOf(request),
        request.body.user_code,
      )
      setBrowserCookie(request, reply, 'browser', browser)
      return sendNextStep(request, reply, result)
    },
  )
  proofRoutes(app)
  stepRoutes(app)
}

/** The steps that prove an identity. */
const proofRoutes = (app: App): void => {
  addStep(app, 'identify', {
    operationId: 'identify',
    summary: 'Name an address',
    description: 'The answer is the same for every address.',
    body: Identify,
    act: identify,
  })
  addStep(app, 'password', {
    operationId: 'givePassword',
    summary: 'Give the password',
    fails: ['credentialsWrong', ...noSignIn, 'tooManyFailures', 'signInRefused'],
    body: GivePassword,
    act: givePassword,
  })
  addStep(app, 'forgot', {
    operationId: 'forgotPasswordHere',
    summary: 'Mail a link to a new password, which leads back to the application',
    description: 'The answer is the same for every address.',
    fails: ['workNeeded', 'secretsOff', 'mailOff'],
    body: ForgotPassword,
    act: forgotPasswordHere,
  })
  addStep(app, 'factor', {
    operationId: 'giveFactor',
    summary: 'Give the second factor',
    fails: [...noSignIn, 'factorWrong', 'challengeDead', 'tooManyFailures', 'tooManyCodes', 'signInRefused'],
    body: GiveFactor,
    act: giveFactor,
  })
  addStep(app, 'passkey/options', {
    operationId: 'beginPasskeyStep',
    summary: 'Begin with a passkey alone',
    fails: ['passkeysOff'],
    body: Empty,
    act: beginPasskeyStep,
  })
  addStep(app, 'passkey', {
    operationId: 'givePasskey',
    summary: 'Give a passkey',
    fails: [...noSignIn, 'factorWrong', 'passkeyUnknown', 'challengeDead', 'passkeysOff', 'signInRefused'],
    body: GivePasskey,
    act: givePasskey,
  })
  addStep(app, 'email-code', {
    operationId: 'giveEmailCode',
    summary: 'Mail a code to the typed address, or give it',
    description: 'Without a code one is mailed. It counts in the browser of this sign-in alone.',
    fails: [
      'emailCodeWrong',
      'workNeeded',
      'secretsOff',
      ...noSignIn,
      'tooManyFailures',
      'tooManyCodes',
      'emailCodesOff',
      'mailOff',
    ],
    body: GiveEmailCode,
    act: giveEmailCode,
  })
  addStep(app, 'proof', {
    operationId: 'giveProof',
    summary: 'Prove an account by a mailed link, before a connection links it',
    description: 'Without a token the link is mailed. It counts in the browser of this sign-in alone.',
    fails: ['mailOff', 'linkDead', 'signInRefused'],
    body: GiveProof,
    act: giveProof,
  })
  addStep(app, 'register', {
    operationId: 'registerHere',
    summary: 'Register',
    fails: [
      'passwordRefused',
      'workNeeded',
      'secretsOff',
      'registrationClosed',
      'connectionNeededHere',
      'wayClosedHere',
      'emailTaken',
      'limitReached',
      'usernameTaken',
    ],
    body: Register,
    act: registerHere,
  })
  addStep(app, 'sign-up', {
    operationId: 'signUpHere',
    summary: 'Mail the link that creates an organization, which leads back to the application',
    description: 'The limits and the answer are those of `/auth/sign-up`.',
    fails: ['workNeeded', 'secretsOff', 'signUpClosed', 'mailOff'],
    body: SignUp,
    act: signUpHere,
  })
}

/** The steps after a proof. */
const stepRoutes = (app: App): void => {
  addStep(app, 'enrol', {
    operationId: 'beginEnrolment',
    summary: 'Begin the second factor that is asked for, or the offered passkey',
    description:
      'The offered passkey needs no password, nor does a factor within 5 minutes after the person gave it.',
    fails: ['oldPasswordWrong', 'proofTooOld', 'passkeysOff', 'secretsOff', 'tooManyFailures'],
    body: Enrol,
    act: beginEnrolment,
  })
  addStep(app, 'enrol/confirm', {
    operationId: 'confirmEnrolment',
    summary: 'Confirm the second factor',
    fails: ['codeWrong', 'passkeyInvalid', 'factorUnknown', 'tooManyCodes', 'passkeysOff'],
    body: ConfirmEnrolment,
    act: confirmEnrolment,
  })
  addStep(app, 'skip', {
    operationId: 'skipPasskey',
    summary: 'Decline the offered passkey',
    description: 'The next offer comes after 30 days.',
    body: Empty,
    act: skipPasskey,
  })
  addStep(app, 'new-password', {
    operationId: 'chooseNewPassword',
    summary: 'Choose another password, which an administrator asked for',
    description: 'Ends every other session of the person, in all tenants.',
    fails: ['passwordRefused', 'oldPasswordWrong'],
    body: ChooseNewPassword,
    act: (ctx, ref, { new_password: password }) => chooseNewPassword(ctx, ref, password),
  })
  addStep(app, 'verification', {
    operationId: 'sendVerificationHere',
    summary: 'Mail the link that confirms the e-mail again',
    fails: ['mailOff'],
    body: Empty,
    act: sendVerificationHere,
  })
  addStep(app, 'email', {
    operationId: 'changeEmailHere',
    summary: 'Mail a link that changes an unconfirmed e-mail',
    fails: ['oldPasswordWrong', 'proofTooOld', 'tooManyFailures', 'mailOff'],
    body: ChangeEmail,
    act: changeEmailHere,
  })
  addStep(app, 'tenant', {
    operationId: 'chooseTenant',
    summary: 'Choose the tenant',
    body: ChooseTenant,
    act: (ctx, ref, { tenant_id: id }) => chooseTenant(ctx, ref, id),
  })
  addStep(app, 'consent', {
    operationId: 'giveConsent',
    summary: 'Allow or refuse',
    body: Consent,
    act: (ctx, ref, { allow }) => giveConsent(ctx, ref, allow),
  })
  addStep(app, 'cancel', {
    operationId: 'cancelInteraction',
    summary: 'Give up',
    body: Empty,
    act: cancel,
  })
}
