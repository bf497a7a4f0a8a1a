import type { App } from '../../../http/app-type.ts'
import { Nothing, Page } from '../../../http/schemas.ts'
import { IfMatch } from '../../../http/versions.ts'
import type { SecretKeys } from './declared.service.ts'
import { HistoryQuery, Revert, SettingVersion } from './history.schemas.ts'
import {
  listGlobalVersions,
  listTenantVersions,
  revertGlobalSetting,
  revertTenantSetting,
} from './history.service.ts'
import { KeyParams } from './settings.schemas.ts'

export const settingHistoryRoutes = (app: App, secretKeys: SecretKeys): void => {
  app.get(
    '/settings/global/:key/history',
    {
      config: { allow: 'setting:global' },
      schema: {
        operationId: 'listGlobalSettingVersions',
        tags: ['settings'],
        summary: 'List the versions of a global setting, newest first',
        params: KeyParams,
        querystring: HistoryQuery,
        response: { 200: Page(SettingVersion) },
      },
    },
    ({ ctx, params, query }) => listGlobalVersions(ctx, params.key, query),
  )
  app.post(
    '/settings/global/:key/revert',
    {
      config: {
        allow: 'setting:global',
        fails: ['settingsFull', 'settingVersionUnknown', 'versionOutdated', 'mfaRequired', 'ownWay'],
      },
      schema: {
        operationId: 'revertGlobalSetting',
        tags: ['settings'],
        summary: 'Write an earlier value of a global setting again',
        params: KeyParams,
        headers: IfMatch,
        body: Revert,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, headers, body }) =>
      revertGlobalSetting(ctx, secretKeys, params.key, { ...body, ifMatch: headers['if-match'] }),
  )
  app.get(
    '/settings/tenant/:key/history',
    {
      config: { allow: 'setting:read', support: 'view' },
      schema: {
        operationId: 'listTenantSettingVersions',
        tags: ['settings'],
        summary: 'List the versions of a setting of the tenant, newest first',
        params: KeyParams,
        querystring: HistoryQuery,
        response: { 200: Page(SettingVersion) },
      },
    },
    ({ ctx, params, query }) => listTenantVersions(ctx, params.key, query),
  )
  app.post(
    '/settings/tenant/:key/revert',
    {
      config: {
        allow: 'setting:update',
        support: 'act',
        fails: [
          'supportRefused',
          'ownSessionNeeded',
          'settingsFull',
          'mfaRequired',
          'settingLocked',
          'settingVersionUnknown',
          'versionOutdated',
          'connectionUnproved',
          'ownWay',
          'targetOutranksCaller',
        ],
      },
      schema: {
        operationId: 'revertTenantSetting',
        tags: ['settings'],
        summary: 'Write an earlier value of a setting of the tenant again',
        params: KeyParams,
        headers: IfMatch,
        body: Revert,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, headers, body }) =>
      revertTenantSetting(ctx, secretKeys, params.key, { ...body, ifMatch: headers['if-match'] }),
  )
}
