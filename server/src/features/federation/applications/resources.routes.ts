import type { App } from '../../../http/app-type.ts'
import { IdParams, Nothing, Page, PageQuery } from '../../../http/schemas.ts'
import { CreateResource, Resource, UpdateResource } from './resources.schemas.ts'
import { createResource, deleteResource, listResources, updateResource } from './resources.service.ts'

const tags = ['applications']

export const resourceRoutes = (app: App): void => {
  app.get(
    '/resources',
    {
      config: { allow: 'application:read' },
      schema: {
        operationId: 'listResources',
        tags,
        summary: 'List resources',
        description: 'Ordered by id.',
        querystring: PageQuery,
        response: { 200: Page(Resource) },
      },
    },
    ({ ctx, query }) => listResources(ctx, query),
  )
  app.post(
    '/resources',
    {
      config: {
        allow: 'application:manage',
        allowAlso: 'tenant:enter',
        fails: ['resourcesFull', 'unknownPermission', 'resourceIdentifierTaken'],
      },
      schema: {
        operationId: 'createResource',
        tags,
        summary: 'Create a resource',
        description: 'A service of the product that accepts tokens, with the permissions that it uses.',
        body: CreateResource,
        response: { 200: Resource },
      },
    },
    ({ ctx, body }) => createResource(ctx, body),
  )
  app.put(
    '/resources/:id',
    {
      config: {
        allow: 'application:manage',
        allowAlso: 'tenant:enter',
        fails: ['unknownPermission', 'resourceUnknown', 'resourceBuiltIn', 'resourceIdentifierTaken'],
      },
      schema: {
        operationId: 'updateResource',
        tags,
        summary: 'Change a resource',
        description: 'Another `identifier` ends the sessions and consents of the resource.',
        params: IdParams,
        body: UpdateResource,
        response: { 200: Resource },
      },
    },
    ({ ctx, params, body }) => updateResource(ctx, params.id, body),
  )
  app.delete(
    '/resources/:id',
    {
      config: {
        allow: 'application:manage',
        allowAlso: 'tenant:enter',
        fails: ['resourceUnknown', 'resourceBuiltIn'],
      },
      schema: {
        operationId: 'deleteResource',
        tags,
        summary: 'Delete a resource, and end its sessions and consents',
        params: IdParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteResource(ctx, params.id),
  )
}
