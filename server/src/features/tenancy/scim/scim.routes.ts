import type { FastifyRequest } from 'fastify'
import { Type } from '../../../values/type.ts'
import type { App } from '../../../http/app-type.ts'
import {
  notImplemented,
  scimBodyBytesMax,
  send,
  sendCreated,
  sendNothing,
} from '../../../http/scim-answers.ts'
import {
  getResourceType,
  getSchema,
  listResourceTypes,
  listSchemas,
  readConfiguration,
} from './discovery.service.ts'
import {
  PageQuery,
  Projection,
  Resource,
  ResourceParams,
  ScimBody,
  ScimDocument,
  ScimFailure,
  ScimList,
} from './scim.schemas.ts'
import { keepRefusalOf } from './directory.service.ts'
import { createUser } from './creation.service.ts'
import { deleteUser, getUser, listUsers, patchUser, replaceUser } from './users.service.ts'

const tags = ['directories']
/** docs/contract.md, "Limits". */
const config = { provesCallers: true, bodyWorkMax: 50_000 } as const
const needs = 'Needs the key of the service account that a connection names, with `scim:provision`.'

const userRoutes = (app: App): void => {
  app.get(
    '/Users',
    {
      config,
      schema: {
        operationId: 'scimListUsers',
        tags,
        summary: 'List users of the directory',
        description: needs,
        querystring: PageQuery,
        response: { 200: ScimList },
      },
    },
    async ({ ctx, query }, reply) => send(reply, listUsers(ctx, query)),
  )
  app.post(
    '/Users',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimCreateUser',
        tags,
        summary: 'Create a user of the directory',
        description: needs,
        querystring: Projection,
        body: ScimBody,
        response: { 201: Resource },
      },
    },
    async ({ ctx, query, body }, reply) => sendCreated(reply, createUser(ctx, body, query)),
  )
  app.get(
    '/Users/:id',
    {
      config,
      schema: {
        operationId: 'scimGetUser',
        tags,
        summary: 'Read a user of the directory',
        description: needs,
        params: ResourceParams,
        querystring: Projection,
        response: { 200: Resource },
      },
    },
    async ({ ctx, params, query }, reply) => send(reply, getUser(ctx, params.id, query)),
  )
  app.put(
    '/Users/:id',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimReplaceUser',
        tags,
        summary: 'Replace a user of the directory',
        description: needs,
        params: ResourceParams,
        querystring: Projection,
        body: ScimBody,
        response: { 200: Resource },
      },
    },
    async ({ ctx, params, query, body }, reply) => send(reply, replaceUser(ctx, params.id, body, query)),
  )
  app.patch(
    '/Users/:id',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimPatchUser',
        tags,
        summary: 'Change a user of the directory',
        description: needs,
        params: ResourceParams,
        querystring: Projection,
        body: ScimBody,
        response: { 200: Resource },
      },
    },
    async ({ ctx, params, query, body }, reply) => send(reply, patchUser(ctx, params.id, body, query)),
  )
  app.delete(
    '/Users/:id',
    {
      config,
      schema: {
        operationId: 'scimDeleteUser',
        tags,
        summary: 'Delete a user of the directory',
        description: needs,
        params: ResourceParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ ctx, params }, reply) => sendNothing(reply, deleteUser(ctx, params.id)),
  )
}

const documentRoutes = (app: App): void => {
  app.get(
    '/ServiceProviderConfig',
    {
      config,
      schema: {
        operationId: 'scimGetConfiguration',
        tags,
        summary: 'Read the supported features of SCIM',
        description: needs,
        response: { 200: ScimDocument },
      },
    },
    async ({ ctx }, reply) => send(reply, readConfiguration(ctx)),
  )
  app.get(
    '/ResourceTypes',
    {
      config,
      schema: {
        operationId: 'scimListResourceTypes',
        tags,
        summary: 'List the types of resources',
        description: needs,
        response: { 200: ScimList },
      },
    },
    async ({ ctx }, reply) => send(reply, listResourceTypes(ctx)),
  )
  app.get(
    '/ResourceTypes/:id',
    {
      config,
      schema: {
        operationId: 'scimGetResourceType',
        tags,
        summary: 'Read a type of resources',
        description: needs,
        params: ResourceParams,
        response: { 200: ScimDocument },
      },
    },
    async ({ ctx, params }, reply) => send(reply, getResourceType(ctx, params.id)),
  )
  app.get(
    '/Schemas',
    {
      config,
      schema: {
        operationId: 'scimListSchemas',
        tags,
        summary: 'List the schemas of resources',
        description: needs,
        response: { 200: ScimList },
      },
    },
    async ({ ctx }, reply) => send(reply, listSchemas(ctx)),
  )
  app.get(
    '/Schemas/:id',
    {
      config,
      schema: {
        operationId: 'scimGetSchema',
        tags,
        summary: 'Read a schema of resources',
        description: needs,
        params: ResourceParams,
        response: { 200: ScimDocument },
      },
    },
    async ({ ctx, params }, reply) => send(reply, getSchema(ctx, params.id)),
  )
}

/** Parts of the standard that the service does not support. They answer 501. */
const absentRoutes = (app: App): void => {
  const absent = [
    ['GET', '/Me'],
    ['POST', '/Me'],
    ['PUT', '/Me'],
    ['PATCH', '/Me'],
    ['DELETE', '/Me'],
    ['POST', '/Bulk'],
    ['POST', '/.search'],
    ['POST', '/Users/.search'],
    ['POST', '/Groups/.search'],
  ] as const
  for (const [method, url] of absent) {
    app.route({
      method,
      url,
      config,
      schema: { hide: true, response: { 501: ScimFailure } },
      handler: async () => {
        throw notImplemented()
      },
    })
  }
}

/** Keeps why a change was refused, once the caller is known. A failure to keep it changes no answer. */
export const keepRefusal = async ({ ctx, method, log }: FastifyRequest, message: string): Promise<void> => {
  // An unknown path has no context.
  const { allow } = (ctx as typeof ctx | undefined) ?? {}
  if (method === 'GET' || allow === undefined) return
  await keepRefusalOf(ctx, message).catch((err: unknown) => log.warn({ err }, 'refusal not kept'))
}

/** Users of the directory, and the documents about the service provider. */
export const scimRoutes = (app: App): void => {
  userRoutes(app)
  documentRoutes(app)
  absentRoutes(app)
}
