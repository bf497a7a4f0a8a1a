import type { App } from '../../../http/app-type.ts'
import { IdParams, Nothing, Page } from '../../../http/schemas.ts'
import {
  Application,
  ApplicationQuery,
  CreateApplication,
  CreatedApplication,
  CreatedSecret,
  CreateSecret,
  OneApplicationQuery,
  SecretParams,
  UpdateApplication,
} from './applications.schemas.ts'
import {
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  updateApplication,
} from './applications.service.ts'
import { createSecret, deleteSecret } from './secrets.service.ts'

const tags = ['applications']

export const applicationRoutes = (app: App): void => {
  app.get(
    '/applications',
    {
      config: { allow: 'application:read' },
      schema: {
        operationId: 'listApplications',
        tags,
        summary: 'List applications',
        description:
          'Ordered by id; those that registered themselves too, unless `is_registered` leaves them out.',
        querystring: ApplicationQuery,
        response: { 200: Page(Application) },
      },
    },
    ({ ctx, query }) => listApplications(ctx, query),
  )
  app.post(
    '/applications',
    {
      config: {
        allow: 'application:manage',
        fails: ['applicationsFull', 'grantExceedsOwn', 'grantOutlastsOwn', 'unknownPermission'],
      },
      schema: {
        operationId: 'createApplication',
        tags,
        summary: 'Create an application',
        description:
          'A first-party application also needs `tenant:enter`; an application with `tenantry_api` needs every permission.',
        body: CreateApplication,
        response: { 200: CreatedApplication },
      },
    },
    ({ ctx, body }) => createApplication(ctx, body),
  )
  app.get(
    '/applications/:id',
    {
      config: { allow: 'application:read', fails: ['applicationUnknown'] },
      schema: {
        operationId: 'getApplication',
        tags,
        summary: 'Read an application',
        params: IdParams,
        querystring: OneApplicationQuery,
        response: { 200: Application },
      },
    },
    ({ ctx, params, query }) => getApplication(ctx, params.id, query),
  )
  app.put(
    '/applications/:id',
    {
      config: {
        allow: 'application:manage',
        fails: ['applicationUnknown', 'grantExceedsOwn', 'grantOutlastsOwn', 'unknownPermission'],
      },
      schema: {
        operationId: 'updateApplication',
        tags,
        summary: 'Change an application',
        description:
          'Its sessions end where it is disabled, or may serve a tenant or a resource no longer. Needs what its creation ' +
          'needs, before and after.',
        params: IdParams,
        body: UpdateApplication,
        response: { 200: Application },
      },
    },
    ({ ctx, params, body }) => updateApplication(ctx, params.id, body),
  )
  app.delete(
    '/applications/:id',
    {
      config: {
        allow: 'application:manage',
        fails: ['applicationUnknown', 'grantExceedsOwn', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'deleteApplication',
        tags,
        summary: 'Delete an application with its consents, and end its sessions',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteApplication(ctx, params.id),
  )
  secretRoutes(app)
}

const secretRoutes = (app: App): void => {
  app.post(
    '/applications/:id/secrets',
    {
      config: {
        allow: 'application:manage',
        fails: [
          'applicationPublic',
          'applicationSecretsFull',
          'applicationUnknown',
          'grantExceedsOwn',
          'grantOutlastsOwn',
        ],
      },
      schema: {
        operationId: 'createApplicationSecret',
        tags,
        summary: 'Add a secret to a web application',
        description: 'The answer shows the secret this once. No session ends.',
        params: IdParams,
        body: CreateSecret,
        response: { 200: CreatedSecret },
      },
    },
    ({ ctx, params, body }) => createSecret(ctx, params.id, body),
  )
  app.delete(
    '/applications/:id/secrets/:secretId',
    {
      config: {
        allow: 'application:manage',
        fails: ['applicationUnknown', 'applicationSecretUnknown', 'grantExceedsOwn', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'deleteApplicationSecret',
        tags,
        summary: 'Revoke a secret',
        description:
          'The secret is refused from the answer on. Sessions continue only with the other secret.',
        params: SecretParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteSecret(ctx, params.id, params.secretId),
  )
}
