import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, Page } from '../../../http/schemas.ts'
import { createKey, deleteKey, listKeys } from './keys.service.ts'
import {
  CreatedKey,
  CreateKey,
  CreateServiceAccount,
  Key,
  KeyParams,
  ServiceAccount,
  ServiceAccountQuery,
  UpdateServiceAccount,
} from './service-accounts.schemas.ts'
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './service-accounts.service.ts'

const tags = ['service accounts']

export const serviceAccountRoutes = (app: App): void => {
  app.get(
    '/service-accounts',
    {
      config: { allow: 'service_account:read', support: 'view' },
      schema: {
        operationId: 'listServiceAccounts',
        tags,
        summary: 'List service accounts',
        description: 'Service accounts of the tenant in scope, ordered by id.',
        querystring: ServiceAccountQuery,
        response: { 200: Page(ServiceAccount) },
      },
    },
    ({ ctx, query }) => listServiceAccounts(ctx, query),
  )
  app.post(
    '/service-accounts',
    {
      config: {
        allow: 'service_account:create',
        fails: ['serviceAccountsFull', 'limitReached', 'serviceAccountNameTaken'],
      },
      schema: {
        operationId: 'createServiceAccount',
        tags,
        summary: 'Create a service account',
        description: 'It starts without roles and keys. Roles are given by `/rbac/users/{userId}/roles`.',
        body: CreateServiceAccount,
        response: { 200: ServiceAccount },
      },
    },
    ({ ctx, body }) => createServiceAccount(ctx, body),
  )
  app.get(
    '/service-accounts/:id',
    {
      config: { allow: 'service_account:read', support: 'view', fails: ['serviceAccountUnknown'] },
      schema: {
        operationId: 'getServiceAccount',
        tags,
        summary: 'Read a service account',
        params: IdParams,
        response: { 200: ServiceAccount },
      },
    },
    ({ ctx, params }) => getServiceAccount(ctx, params.id),
  )
  app.put(
    '/service-accounts/:id',
    {
      config: {
        allow: 'service_account:update',
        fails: ['ownAccount', 'targetOutranksCaller', 'serviceAccountUnknown', 'serviceAccountNameTaken'],
      },
      schema: {
        operationId: 'updateServiceAccount',
        tags,
        summary: 'Change a service account',
        description: 'The keys of a disabled account get 401, and work again when it is enabled.',
        params: IdParams,
        body: UpdateServiceAccount,
        response: { 200: ServiceAccount },
      },
    },
    ({ ctx, params, body }) => updateServiceAccount(ctx, params.id, body),
  )
  app.delete(
    '/service-accounts/:id',
    {
      config: {
        allow: 'service_account:delete',
        fails: ['ownAccount', 'directoryAccount', 'targetOutranksCaller', 'serviceAccountUnknown'],
      },
      schema: {
        operationId: 'deleteServiceAccount',
        tags,
        summary: 'Delete a service account with its keys',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteServiceAccount(ctx, params.id),
  )
}

export const keyRoutes = (app: App): void => {
  app.get(
    '/service-accounts/:id/keys',
    {
      config: { allow: 'service_account:read', support: 'view', fails: ['serviceAccountUnknown'] },
      schema: {
        operationId: 'listKeys',
        tags,
        summary: 'List the keys of a service account',
        params: IdParams,
        response: { 200: List(Key) },
      },
    },
    ({ ctx, params }) => listKeys(ctx, params.id),
  )
  app.post(
    '/service-accounts/:id/keys',
    {
      config: {
        allow: 'service_account:update',
        fails: [
          'keysFull',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'keyExceedsOwn',
          'serviceAccountUnknown',
        ],
      },
      schema: {
        operationId: 'createKey',
        tags,
        summary: 'Create a key of a service account',
        description: 'The answer shows the secret this once.',
        params: IdParams,
        body: CreateKey,
        response: { 200: CreatedKey },
      },
    },
    ({ ctx, params, body }) => createKey(ctx, params.id, body),
  )
  app.delete(
    '/service-accounts/:id/keys/:keyId',
    {
      config: {
        allow: 'service_account:update',
        fails: ['targetOutranksCaller', 'serviceAccountUnknown', 'keyUnknown'],
      },
      schema: {
        operationId: 'deleteKey',
        tags,
        summary: 'Revoke a key',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteKey(ctx, params.id, params.keyId),
  )
}
