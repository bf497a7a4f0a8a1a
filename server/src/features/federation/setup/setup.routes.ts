import type { App } from '../../../http/app-type.ts'
import { List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { createSetupDirectory } from './directory.service.ts'
import { revokeSetupLink } from './ending.service.ts'
import { enterSetup, openSetup } from './enter.service.ts'
import { createSetupLink, listSetupLinks } from './links.service.ts'
import {
  CreateSetupLink,
  EmailCodeChallenge,
  EnterSetup,
  OpenSetup,
  SetupDirectory,
  SetupGuest,
  SetupLink,
} from './setup.schemas.ts'

const tags = ['sso']

/** Setup links, which administrators send, and the directory of their guests. */
export const setupRoutes = (app: App): void => {
  app.get(
    '/setup-links',
    {
      config: { allow: 'sso:read', support: 'view' },
      schema: {
        operationId: 'listSetupLinks',
        tags,
        summary: 'List setup links',
        description: 'The open links, then the last ones that ended; 100 in all. A link goes after 90 days.',
        response: { 200: List(SetupLink) },
      },
    },
    ({ ctx }) => listSetupLinks(ctx),
  )
  app.post(
    '/setup-links',
    {
      config: {
        allow: 'sso:manage',
        fails: [
          'setupLinksFull',
          'platformOnlyPermission',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'mailOff',
        ],
      },
      schema: {
        operationId: 'createSetupLink',
        tags,
        summary: 'Mail a setup link',
        description:
          'It lets a person without an account set up sign-in for the tenant, while the caller keeps the permissions. No answer shows it. Needs every permission that a user of the tenant can hold. Other managers are notified.',
        body: CreateSetupLink,
        response: { 200: SetupLink },
      },
    },
    ({ ctx, body }) => createSetupLink(ctx, body),
  )
  app.delete(
    '/setup-links/:id',
    {
      config: { allow: 'sso:manage', fails: ['setupLinkUnknown'] },
      schema: {
        operationId: 'revokeSetupLink',
        tags,
        summary: 'Revoke a setup link',
        description:
          'Its guests are out at once. What they created goes, unless the connection was activated.',
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => revokeSetupLink(ctx, params.id),
  )
  app.post(
    '/setup/directory',
    {
      config: {
        allow: 'guest',
        guests: 'directory',
        fails: [
          'connectionUnknown',
          'rolesFull',
          'serviceAccountsFull',
          'limitReached',
          'roleNameTaken',
          'serviceAccountNameTaken',
        ],
      },
      schema: {
        operationId: 'createSetupDirectory',
        tags,
        summary: 'Create the directory of a connection, as a guest',
        description:
          'The key provisions nothing before the connection is activated. An earlier key of the guest is deleted.',
        response: { 200: SetupDirectory },
      },
    },
    ({ ctx }) => createSetupDirectory(ctx),
  )
}

/** Endpoints without authentication. */
export const publicSetupRoutes = (app: App): void => {
  app.post(
    '/setup/open',
    {
      config: { fails: ['linkDead', 'tooManyCodes', 'mailOff'] },
      schema: {
        operationId: 'openSetup',
        tags,
        summary: 'Mail a code to the address of a setup link',
        description:
          'The code has six digits, lives 10 minutes, and counts only with its challenge and link. It proves no account.',
        body: OpenSetup,
        response: { 200: EmailCodeChallenge },
      },
    },
    ({ ctx, body }) => openSetup(ctx, body),
  )
  app.post(
    '/setup/enter',
    {
      config: { fails: ['linkDead', 'emailCodeWrong', 'tooManyFailures', 'tooManyCodes'] },
      schema: {
        operationId: 'enterSetup',
        tags,
        summary: 'Enter as the guest of a setup link',
        description: 'The token reaches only the parts that the link names. The link opens another one.',
        body: EnterSetup,
        response: { 200: SetupGuest },
      },
    },
    ({ ctx, body }) => enterSetup(ctx, body),
  )
}
