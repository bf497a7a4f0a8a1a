import type { App } from '../../../http/app-type.ts'
import { refusedCredentials } from '../../../http/authenticate.ts'
import { IdParams, Nothing, Page } from '../../../http/schemas.ts'
import { acceptInvitation } from './accept.service.ts'
import {
  AcceptInvitation,
  CreateInvitation,
  Invitation,
  InvitationFound,
  InvitationQuery,
  LookUpInvitation,
  LookUpQuery,
  TokenPair,
} from './invitations.schemas.ts'
import {
  createInvitation,
  listInvitations,
  lookUpInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.service.ts'

/** Endpoints of callers who invite. */
export const invitationRoutes = (app: App): void => {
  app.get(
    '/invitations',
    {
      config: { allow: 'user:read', support: 'view' },
      schema: {
        operationId: 'listInvitations',
        tags: ['users'],
        summary: 'List invitations',
        description:
          'Invitations of the tenant in scope, newest first. A closed invitation is deleted after 90 days.',
        querystring: InvitationQuery,
        response: { 200: Page(Invitation) },
      },
    },
    ({ ctx, query }) => listInvitations(ctx, query),
  )
  app.post(
    '/invitations',
    {
      config: {
        allow: 'user:create',
        fails: [
          'grantExceedsOwn',
          'grantOutlastsOwn',
          'roleUnknown',
          'limitReached',
          'emailTaken',
          'invitationOpen',
        ],
      },
      schema: {
        operationId: 'createInvitation',
        tags: ['users'],
        summary: 'Invite a person',
        description:
          'Mails a link that lives 7 days; where e-mail is off, the answer shows it. The caller must hold all permissions of the roles.',
        body: CreateInvitation,
        response: { 200: Invitation },
      },
    },
    ({ ctx, body }) => createInvitation(ctx, body),
  )
  app.post(
    '/invitations/:id/resend',
    {
      config: {
        allow: 'user:create',
        fails: ['grantExceedsOwn', 'grantOutlastsOwn', 'invitationUnknown', 'limitReached'],
      },
      schema: {
        operationId: 'resendInvitation',
        tags: ['users'],
        summary: 'Send an invitation again',
        description: 'The new link lives 7 days, and the earlier one is dead.',
        params: IdParams,
        response: { 200: Invitation },
      },
    },
    ({ ctx, params }) => resendInvitation(ctx, params.id),
  )
  app.delete(
    '/invitations/:id',
    {
      config: { allow: 'user:create', fails: ['invitationUnknown'] },
      schema: {
        operationId: 'revokeInvitation',
        tags: ['users'],
        summary: 'Revoke an invitation',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => revokeInvitation(ctx, params.id),
  )
}

/** Endpoints without authentication. */
export const publicInvitationRoutes = (app: App): void => {
  app.post(
    '/auth/invitations/lookup',
    {
      config: { fails: ['linkDead'] },
      schema: {
        operationId: 'lookUpInvitation',
        tags: ['auth'],
        summary: 'Tell the holder of a link about its invitation',
        description: 'A dead link is 400.',
        querystring: LookUpQuery,
        body: LookUpInvitation,
        response: { 200: InvitationFound },
      },
    },
    ({ ctx, query, body }) => lookUpInvitation(ctx, body, query),
  )
}

/** Endpoints with an optional signed-in caller. */
export const acceptInvitationRoutes = (app: App): void => {
  app.post(
    '/auth/invitations/accept',
    {
      config: {
        fails: [
          'factorRequired',
          ...refusedCredentials,
          'linkDead',
          'passwordRefused',
          'newPasswordNeeded',
          'credentialsWrong',
          'tenantDisabled',
          'invitationOfAnother',
          'membershipDisabled',
          'connectionNeeded',
          'wayClosed',
          'userShutOut',
          'emailTaken',
          'limitReached',
          'usernameTaken',
          'accountUnowned',
          'tooManyFailures',
        ],
      },
      schema: {
        operationId: 'acceptInvitation',
        tags: ['auth'],
        summary: 'Accept an invitation',
        description:
          'Signs in to the tenant. A person with an account sends its `password`, or a session of it. A new person chooses a `password`. For an account whose mailbox nobody has proved, `new_password` replaces the password. A dead link is 400, and no error spends the link.',
        body: AcceptInvitation,
        response: { 200: TokenPair },
      },
    },
    ({ ctx, body }) => acceptInvitation(ctx, body),
  )
}
