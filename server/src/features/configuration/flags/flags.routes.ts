import type { App } from '../../../http/app-type.ts'
import { Nothing, Page, PageQuery } from '../../../http/schemas.ts'
import { withVersion } from '../../../http/versions.ts'
import { explainFlag } from './explain.service.ts'
import {
  CreateFlag,
  ExplainFlag,
  Flag,
  FlagExplanation,
  FlagParams,
  FlagQuery,
  MatchHeaders,
  Override,
  OverrideParams,
  PutOverride,
  UpdateFlag,
} from './flags.schemas.ts'
import {
  createFlag,
  deleteFlag,
  deleteOverride,
  getFlag,
  listFlags,
  listOverrides,
  putOverride,
  updateFlag,
} from './flags.service.ts'

const tags = ['flags']

export const flagRoutes = (app: App): void => {
  app.get(
    '/flags',
    {
      config: { allow: 'flag:read' },
      schema: {
        operationId: 'listFlags',
        tags,
        summary: 'List feature flags',
        description: 'Ordered by key.',
        querystring: FlagQuery,
        response: { 200: Page(Flag) },
      },
    },
    ({ ctx, query }) => listFlags(ctx, query),
  )
  app.post(
    '/flags',
    {
      config: { allow: 'flag:manage', fails: ['flagsFull', 'flagKeyTaken'] },
      schema: {
        operationId: 'createFlag',
        tags,
        summary: 'Create a feature flag',
        body: CreateFlag,
        response: { 200: Flag },
      },
    },
    async ({ ctx, body }, reply) => withVersion(reply, await createFlag(ctx, body)),
  )
  app.get(
    '/flags/:key',
    {
      config: { allow: 'flag:read', fails: ['flagUnknown'] },
      schema: {
        operationId: 'getFlag',
        tags,
        summary: 'Read a feature flag',
        params: FlagParams,
        response: { 200: Flag },
      },
    },
    async ({ ctx, params }, reply) => withVersion(reply, await getFlag(ctx, params.key)),
  )
  app.put(
    '/flags/:key',
    {
      config: { allow: 'flag:manage', fails: ['flagsFull', 'flagUnknown', 'versionOutdated'] },
      schema: {
        operationId: 'updateFlag',
        tags,
        summary: 'Change a feature flag',
        description: 'Replaces each field that is given. Every replica evaluates by it at once.',
        params: FlagParams,
        headers: MatchHeaders,
        body: UpdateFlag,
        response: { 200: Flag },
      },
    },
    async ({ ctx, params, body, headers }, reply) =>
      withVersion(reply, await updateFlag(ctx, params.key, body, headers['if-match'])),
  )
  app.delete(
    '/flags/:key',
    {
      config: { allow: 'flag:manage', fails: ['flagUnknown', 'versionOutdated'] },
      schema: {
        operationId: 'deleteFlag',
        tags,
        summary: 'Delete a feature flag, with the variants of tenants',
        params: FlagParams,
        headers: MatchHeaders,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, headers }) => deleteFlag(ctx, params.key, headers['if-match']),
  )
  app.post(
    '/flags/:key/explain',
    {
      config: { allow: 'flag:read', fails: ['flagUnknown'] },
      schema: {
        operationId: 'explainFlag',
        tags,
        summary: 'Explain which variant a context gets',
        params: FlagParams,
        body: ExplainFlag,
        response: { 200: FlagExplanation },
      },
    },
    ({ ctx, params, body }) => explainFlag(ctx, params.key, body),
  )
}

export const flagOverrideRoutes = (app: App): void => {
  app.get(
    '/flags/:key/tenants',
    {
      config: { allow: 'flag:read', fails: ['flagUnknown'] },
      schema: {
        operationId: 'listFlagTenants',
        tags,
        summary: 'List the tenants that have a variant of their own',
        description: 'Ordered by id.',
        params: FlagParams,
        querystring: PageQuery,
        response: { 200: Page(Override) },
      },
    },
    ({ ctx, params, query }) => listOverrides(ctx, params.key, query),
  )
  app.put(
    '/flags/:key/tenants/:tenantId',
    {
      config: { allow: 'flag:manage', fails: ['flagsFull', 'flagUnknown'] },
      schema: {
        operationId: 'putFlagTenant',
        tags,
        summary: 'Give a tenant a variant of its own',
        description: 'It counts before all rules, while the flag is enabled.',
        params: OverrideParams,
        body: PutOverride,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putOverride(ctx, params.key, { ...body, tenant_id: params.tenantId }),
  )
  app.delete(
    '/flags/:key/tenants/:tenantId',
    {
      config: { allow: 'flag:manage', fails: ['flagUnknown', 'flagOverrideUnknown'] },
      schema: {
        operationId: 'deleteFlagTenant',
        tags,
        summary: 'Take the variant of its own from a tenant',
        params: OverrideParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteOverride(ctx, params.key, params.tenantId),
  )
}
