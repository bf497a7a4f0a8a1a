import type { App } from '../../../http/app-type.ts'
import { List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { cookiesOf, setBrowserCookie } from '../../../http/browser-cookies.ts'
import { beginAddition } from './addition.service.ts'
import {
  AddIdentity,
  IdentityAddition,
  CreateProvider,
  Provider,
  ProviderTest,
  UpdateProvider,
} from './providers.schemas.ts'
import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
  updateProvider,
} from './providers.service.ts'
import { beginProviderTest } from './tests.service.ts'

const tags = ['providers']

const rank = 'Needs every permission there is. Other managers are notified.'

export const providerRoutes = (app: App): void => {
  app.get(
    '/providers',
    {
      config: { allow: 'provider:read' },
      schema: {
        operationId: 'listProviders',
        tags,
        summary: 'List providers',
        description: 'All providers, the oldest first; at most 20.',
        response: { 200: List(Provider) },
      },
    },
    ({ ctx }) => listProviders(ctx),
  )
  app.get(
    '/providers/:id',
    {
      config: { allow: 'provider:read', fails: ['providerUnknown'] },
      schema: {
        operationId: 'getProvider',
        tags,
        summary: 'Read a provider',
        description: 'The secret stands in no answer.',
        params: UuidParams,
        response: { 200: Provider },
      },
    },
    ({ ctx, params }) => getProvider(ctx, params.id),
  )
  app.post(
    '/providers',
    {
      config: {
        allow: 'provider:manage',
        fails: [
          'providersFull',
          'providerSlugTaken',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'secretsOff',
        ],
      },
      schema: {
        operationId: 'createProvider',
        tags,
        summary: 'Create a provider',
        description: `A draft, which signs nobody in. ${rank}`,
        body: CreateProvider,
        response: { 200: Provider },
      },
    },
    ({ ctx, body }) => createProvider(ctx, body),
  )
  app.put(
    '/providers/:id',
    {
      config: {
        allow: 'provider:manage',
        fails: [
          'providerUnknown',
          'providerUntested',
          'lastProvider',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'secretsOff',
        ],
      },
      schema: {
        operationId: 'updateProvider',
        tags,
        summary: 'Change a provider',
        description:
          '`disabled` ends its sessions and keeps its identities. Kind, slug, issuer and tenant never change. ' +
          rank,
        params: UuidParams,
        body: UpdateProvider,
        response: { 200: Provider },
      },
    },
    ({ ctx, params, body }) => updateProvider(ctx, params.id, body),
  )
  app.delete(
    '/providers/:id',
    {
      config: {
        allow: 'provider:manage',
        fails: ['providerUnknown', 'lastProvider', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'deleteProvider',
        tags,
        summary: 'Delete a provider',
        description: `Its identities go, and the sessions that it opened end. ${rank}`,
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteProvider(ctx, params.id),
  )
}

/** Addresses that work in the browser whose cookie the answer sets. */
export const providerTicketRoutes = (app: App): void => {
  app.post(
    '/providers/:id/test',
    {
      config: {
        allow: 'provider:manage',
        fails: ['providerUnknown', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'testProvider',
        tags,
        summary: 'Begin a test of a provider',
        description: `The address leads to the provider, and then to a page that tells the result. ${rank}`,
        params: UuidParams,
        response: { 200: ProviderTest },
      },
    },
    async (request, reply) => {
      const { url, browser } = await beginProviderTest(
        request.ctx,
        request.params.id,
        cookiesOf(request).browser,
      )
      setBrowserCookie(request, reply, 'browser', browser)
      return { url }
    },
  )
  app.post(
    '/auth/identities',
    {
      config: {
        allow: 'account',
        fails: ['providerUnknown', 'oldPasswordWrong', 'proofTooOld', 'mfaRequired', 'tooManyFailures'],
      },
      schema: {
        operationId: 'addIdentity',
        tags: ['auth'],
        summary: 'Begin to add an own identity',
        description: 'The address leads to the provider. After its answer, the person is told by mail.',
        body: AddIdentity,
        response: { 200: IdentityAddition },
      },
    },
    async (request, reply) => {
      const { url, browser } = await beginAddition(request.ctx, request.body, cookiesOf(request).browser)
      setBrowserCookie(request, reply, 'browser', browser)
      return { url }
    },
  )
}
