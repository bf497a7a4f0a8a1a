import type { App } from '../../../http/app-type.ts'
import { List, Nothing } from '../../../http/schemas.ts'
import { IfMatch, withVersion } from '../../../http/versions.ts'
import type { SecretKeys } from './declared.service.ts'
import { KeyParams, Setting, UpdateSetting } from './settings.schemas.ts'
import {
  getGlobalSetting,
  getTenantSetting,
  listGlobalSettings,
  listTenantSettings,
} from './settings.service.ts'
import {
  deleteGlobalSetting,
  deleteTenantSetting,
  putGlobalSetting,
  putTenantSetting,
} from './writes.service.ts'

const globalRoutes = (app: App, secretKeys: SecretKeys): void => {
  app.get(
    '/settings',
    {
      config: { allow: 'setting:read', support: 'view' },
      schema: {
        operationId: 'listGlobalSettings',
        tags: ['settings'],
        summary: 'List global settings',
        response: { 200: List(Setting) },
      },
    },
    ({ ctx }) => listGlobalSettings(ctx),
  )
  app.get(
    '/settings/global/:key',
    {
      config: { allow: 'setting:read', support: 'view', fails: ['settingUnknown'] },
      schema: {
        operationId: 'getGlobalSetting',
        tags: ['settings'],
        summary: 'Read a global setting',
        params: KeyParams,
        response: { 200: Setting },
      },
    },
    async ({ ctx, params }, reply) => withVersion(reply, await getGlobalSetting(ctx, params.key)),
  )
  app.put(
    '/settings/global/:key',
    {
      config: {
        allow: 'setting:global',
        fails: ['settingsFull', 'secretsOff', 'versionOutdated', 'mfaRequired', 'ownWay'],
      },
      schema: {
        operationId: 'putGlobalSetting',
        tags: ['settings'],
        summary: 'Create or replace a global setting',
        params: KeyParams,
        headers: IfMatch,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body, headers }) =>
      putGlobalSetting(ctx, secretKeys, params.key, { ...body, ifMatch: headers['if-match'] }),
  )
  app.delete(
    '/settings/global/:key',
    {
      config: { allow: 'setting:global', fails: ['settingUnknown', 'versionOutdated', 'mfaRequired'] },
      schema: {
        operationId: 'deleteGlobalSetting',
        tags: ['settings'],
        summary: 'Delete a global setting',
        params: KeyParams,
        headers: IfMatch,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, headers }) => deleteGlobalSetting(ctx, params.key, headers['if-match']),
  )
}

const tenantRoutes = (app: App, secretKeys: SecretKeys): void => {
  app.get(
    '/settings/tenant',
    {
      config: { allow: 'setting:read', support: 'view' },
      schema: {
        operationId: 'listTenantSettings',
        tags: ['settings'],
        summary: 'List settings of the tenant',
        response: { 200: List(Setting) },
      },
    },
    ({ ctx }) => listTenantSettings(ctx),
  )
  app.get(
    '/settings/tenant/:key',
    {
      config: { allow: 'setting:read', support: 'view', fails: ['settingUnknown'] },
      schema: {
        operationId: 'getTenantSetting',
        tags: ['settings'],
        summary: 'Read a setting of the tenant',
        params: KeyParams,
        response: { 200: Setting },
      },
    },
    async ({ ctx, params }, reply) => withVersion(reply, await getTenantSetting(ctx, params.key)),
  )
  app.put(
    '/settings/tenant/:key',
    {
      config: {
        allow: 'setting:update',
        support: 'act',
        fails: [
          'supportRefused',
          'ownSessionNeeded',
          'settingsFull',
          'secretsOff',
          'mfaRequired',
          'settingLocked',
          'versionOutdated',
          'connectionUnproved',
          'ownWay',
          'targetOutranksCaller',
        ],
      },
      schema: {
        operationId: 'putTenantSetting',
        tags: ['settings'],
        summary: 'Create or replace a setting of the tenant',
        params: KeyParams,
        headers: IfMatch,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body, headers }) =>
      putTenantSetting(ctx, secretKeys, params.key, { ...body, ifMatch: headers['if-match'] }),
  )
  app.delete(
    '/settings/tenant/:key',
    {
      config: {
        allow: 'setting:delete',
        support: 'act',
        fails: [
          'supportRefused',
          'ownSessionNeeded',
          'mfaRequired',
          'settingUnknown',
          'versionOutdated',
          'targetOutranksCaller',
        ],
      },
      schema: {
        operationId: 'deleteTenantSetting',
        tags: ['settings'],
        summary: 'Delete a setting of the tenant',
        params: KeyParams,
        headers: IfMatch,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, headers }) => deleteTenantSetting(ctx, params.key, headers['if-match']),
  )
}

export const settingRoutes = (app: App, secretKeys: SecretKeys): void => {
  globalRoutes(app, secretKeys)
  tenantRoutes(app, secretKeys)
}
