import type { App } from '../../../http/app-type.ts'
import { refusedCredentials } from '../../../http/authenticate.ts'
import { Nothing } from '../../../http/schemas.ts'
import {
  ConfirmSignUp,
  CreateOrganization,
  LookUpSignUp,
  LookUpSignUpQuery,
  SignUp,
  SignUpFound,
  TokenPair,
} from './sign-up.schemas.ts'
import { askSignUp, confirmSignUp, createOrganization, lookUpSignUp } from './sign-up.service.ts'

/** Endpoints without authentication. */
export const publicSignUpRoutes = (app: App): void => {
  app.post(
    '/auth/sign-up',
    {
      config: { fails: ['workNeeded', 'secretsOff', 'signUpClosed', 'mailOff'] },
      schema: {
        operationId: 'signUp',
        tags: ['auth'],
        summary: 'Ask for the link that creates an organization',
        description:
          'The answer is the same for every address. The link lives 24 hours, and nothing is created before it is followed. ' +
          'A source asks five times an hour; beyond them 429.',
        body: SignUp,
        response: { 200: Nothing },
      },
    },
    ({ ctx, body }) => askSignUp(ctx, body),
  )
  app.post(
    '/auth/sign-up/lookup',
    {
      config: { fails: ['linkDead', 'signUpClosed'] },
      schema: {
        operationId: 'lookUpSignUp',
        tags: ['auth'],
        summary: 'Tell the holder of a link about its sign-up',
        description: 'A dead link is 400.',
        querystring: LookUpSignUpQuery,
        body: LookUpSignUp,
        response: { 200: SignUpFound },
      },
    },
    ({ ctx, query, body }) => lookUpSignUp(ctx, body, query),
  )
}

/** Endpoints with an optional signed-in caller. */
export const confirmSignUpRoutes = (app: App): void => {
  app.post(
    '/auth/sign-up/confirm',
    {
      config: {
        fails: [
          'factorRequired',
          ...refusedCredentials,
          'linkDead',
          'passwordRefused',
          'newPasswordNeeded',
          'credentialsWrong',
          'signUpClosed',
          'organizationsFull',
          'invitationOfAnother',
          'emailTaken',
          'limitReached',
          'slugTaken',
          'accountUnowned',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'confirmSignUp',
        tags: ['auth'],
        summary: 'Create the organization of a link',
        description:
          'Signs in to it as its administrator. Takes the proofs of an accepted invitation. A dead link is 400, and no error spends the link.',
        body: ConfirmSignUp,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => confirmSignUp(ctx, body),
  )
}

/** Endpoints of the signed-in caller. */
export const organizationRoutes = (app: App): void => {
  app.post(
    '/auth/organizations',
    {
      config: {
        allow: 'account',
        fails: ['signUpClosed', 'organizationsFull', 'ownerNeeded', 'slugTaken'],
      },
      schema: {
        operationId: 'createOrganization',
        tags: ['auth'],
        summary: 'Create an organization of one’s own',
        description: 'Signs in to it as its administrator, with a session of the same sign-in.',
        body: CreateOrganization,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => createOrganization(ctx, body),
  )
}
