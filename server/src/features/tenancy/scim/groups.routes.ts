import { Type } from '../../../values/type.ts'
import type { App } from '../../../http/app-type.ts'
import { Page } from '../../../http/schemas.ts'
import { scimBodyBytesMax, send, sendCreated, sendNothing } from '../../../http/scim-answers.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listDirectoryGroups,
  listGroups,
  patchGroup,
  replaceGroup,
} from './groups.service.ts'
import {
  DirectoryGroup,
  DirectoryGroupQuery,
  PageQuery,
  Projection,
  Resource,
  ResourceParams,
  ScimBody,
  ScimList,
} from './scim.schemas.ts'

const tags = ['directories']
const config = { provesCallers: true } as const
const needs = 'Needs the key of the service account that a connection names, with `scim:provision`.'

export const groupRoutes = (app: App): void => {
  app.get(
    '/Groups',
    {
      config,
      schema: {
        operationId: 'scimListGroups',
        tags,
        summary: 'List groups of the directory',
        description: needs,
        querystring: PageQuery,
        response: { 200: ScimList },
      },
    },
    async ({ ctx, query }, reply) => send(reply, listGroups(ctx, query)),
  )
  app.post(
    '/Groups',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimCreateGroup',
        tags,
        summary: 'Create a group of the directory',
        description: needs,
        querystring: Projection,
        body: ScimBody,
        response: { 201: Resource },
      },
    },
    async ({ ctx, query, body }, reply) => sendCreated(reply, createGroup(ctx, body, query)),
  )
  app.get(
    '/Groups/:id',
    {
      config,
      schema: {
        operationId: 'scimGetGroup',
        tags,
        summary: 'Read a group of the directory',
        description: needs,
        params: ResourceParams,
        querystring: Projection,
        response: { 200: Resource },
      },
    },
    async ({ ctx, params, query }, reply) => send(reply, getGroup(ctx, params.id, query)),
  )
  app.put(
    '/Groups/:id',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimReplaceGroup',
        tags,
        summary: 'Replace a group of the directory',
        description: needs,
        params: ResourceParams,
        querystring: Projection,
        body: ScimBody,
        response: { 200: Resource },
      },
    },
    async ({ ctx, params, query, body }, reply) => send(reply, replaceGroup(ctx, params.id, body, query)),
  )
  app.patch(
    '/Groups/:id',
    {
      config,
      bodyLimit: scimBodyBytesMax,
      schema: {
        operationId: 'scimPatchGroup',
        tags,
        summary: 'Change a group of the directory',
        description: needs,
        params: ResourceParams,
        body: ScimBody,
        response: { 204: Type.Null() },
      },
    },
    async ({ ctx, params, body }, reply) => sendNothing(reply, patchGroup(ctx, params.id, body)),
  )
  app.delete(
    '/Groups/:id',
    {
      config,
      schema: {
        operationId: 'scimDeleteGroup',
        tags,
        summary: 'Delete a group of the directory',
        description: needs,
        params: ResourceParams,
        response: { 204: Type.Null() },
      },
    },
    async ({ ctx, params }, reply) => sendNothing(reply, deleteGroup(ctx, params.id)),
  )
}

/** The directory's groups, for administrators. */
export const directoryRoutes = (app: App): void => {
  app.get(
    '/directory/groups',
    {
      config: { allow: 'sso:read', support: 'view' },
      schema: {
        operationId: 'listDirectoryGroups',
        tags,
        summary: 'List the groups of the directory',
        description: 'Their ids are mapped to roles in the connection. In the order of their creation.',
        querystring: DirectoryGroupQuery,
        response: { 200: Page(DirectoryGroup) },
      },
    },
    ({ ctx, query }) => listDirectoryGroups(ctx, query),
  )
}
