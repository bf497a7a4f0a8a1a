import type { App } from '../../../http/app-type.ts'
import { IdParams, List, Nothing, UuidParams } from '../../../http/schemas.ts'
import { Connection, ConnectionQuery, CreateConnection, UpdateConnection } from './connections.schemas.ts'
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  updateConnection,
} from './connections.service.ts'
import { Exemption, PutExemption, RequirementEffect } from './exemptions.schemas.ts'
import { listExemptions, putExemption } from './exemptions.service.ts'
import { getRequirementEffect } from './required.service.ts'

const tags = ['sso']

const rank = 'Needs every permission that a user of the tenant can hold. Other managers are notified.'

/** Routes about break-glass users, who sign in without any connection. */
const exemptionRoutes = (app: App): void => {
  app.get(
    '/sso-exemptions',
    {
      config: { allow: 'sso:read', support: 'view' },
      schema: {
        operationId: 'listExemptions',
        tags,
        summary: 'List break-glass users',
        description:
          'All users who sign in without a connection where `auth.sso` is `required`, by id; at most 3.',
        response: { 200: List(Exemption) },
      },
    },
    ({ ctx }) => listExemptions(ctx),
  )
  app.get(
    '/sso-exemptions/effect',
    {
      config: { allow: 'sso:read', support: 'view' },
      schema: {
        operationId: 'getRequirementEffect',
        tags,
        summary: 'Count what the requirement of single sign-on ends',
        description:
          'The users of the tenant, and their sessions, that end when `auth.sso` becomes `required`: those that neither ' +
          'an active connection nor a break-glass user with a second factor opened.',
        response: { 200: RequirementEffect },
      },
    },
    ({ ctx }) => getRequirementEffect(ctx),
  )
  app.put(
    '/users/:id/sso-exemption',
    {
      config: {
        allow: 'sso:manage',
        fails: [
          'userUnknown',
          'exemptionsFull',
          'limitReached',
          'lastWayIn',
          'targetOutranksCaller',
          'grantOutlastsOwn',
        ],
      },
      schema: {
        operationId: 'putExemption',
        tags,
        summary: 'Make a user a break-glass user',
        description:
          'A break-glass user has a second factor, and is no user of a directory. Each sign-in of one is told to all who ' +
          `hold \`sso:manage\`. ${rank}`,
        params: IdParams,
        body: PutExemption,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putExemption(ctx, params.id, body),
  )
}

export const connectionRoutes = (app: App): void => {
  app.get(
    '/connections',
    {
      config: { allow: 'sso:read', support: 'view', guests: 'connection' },
      schema: {
        operationId: 'listConnections',
        tags,
        summary: 'List connections',
        description: 'All connections of the tenant in scope, the oldest first; at most 5.',
        response: { 200: List(Connection) },
      },
    },
    ({ ctx }) => listConnections(ctx),
  )
  app.get(
    '/connections/:id',
    {
      config: { allow: 'sso:read', support: 'view', guests: 'connection', fails: ['connectionUnknown'] },
      schema: {
        operationId: 'getConnection',
        tags,
        summary: 'Read a connection',
        description: 'The secret stands in no answer.',
        params: UuidParams,
        querystring: ConnectionQuery,
        response: { 200: Connection },
      },
    },
    ({ ctx, params, query }) => getConnection(ctx, params.id, query),
  )
  app.post(
    '/connections',
    {
      config: {
        allow: 'sso:manage',
        guests: 'connection',
        fails: [
          'connectionsFull',
          'connectionIdTaken',
          'limitReached',
          'issuerShared',
          'platformOnlyPermission',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'secretsOff',
        ],
      },
      schema: {
        operationId: 'createConnection',
        tags,
        summary: 'Create a connection',
        description: `A draft, which signs nobody in. The issuer has to answer with metadata of its own. ${rank}`,
        body: CreateConnection,
        response: { 200: Connection },
      },
    },
    ({ ctx, body }) => createConnection(ctx, body),
  )
  app.put(
    '/connections/:id',
    {
      config: {
        allow: 'sso:manage',
        guests: 'connection',
        fails: [
          'connectionUnknown',
          'connectionUntested',
          'lastWayIn',
          'platformOnlyPermission',
          'targetOutranksCaller',
          'grantOutlastsOwn',
          'secretsOff',
        ],
      },
      schema: {
        operationId: 'updateConnection',
        tags,
        summary: 'Change a connection',
        description: `\`disabled\` ends its sessions and keeps its links. Issuer and subject never change. ${rank}`,
        params: UuidParams,
        body: UpdateConnection,
        response: { 200: Connection },
      },
    },
    ({ ctx, params, body }) => updateConnection(ctx, params.id, body),
  )
  app.delete(
    '/connections/:id',
    {
      config: {
        allow: 'sso:manage',
        guests: 'connection',
        fails: ['connectionUnknown', 'lastWayIn', 'targetOutranksCaller', 'grantOutlastsOwn'],
      },
      schema: {
        operationId: 'deleteConnection',
        tags,
        summary: 'Delete a connection',
        description: `Its links and sessions end. ${rank}`,
        params: UuidParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteConnection(ctx, params.id),
  )
  exemptionRoutes(app)
}
