import type { App } from '../../../http/app-type.ts'
import { Nothing, Page } from '../../../http/schemas.ts'
import { Definition, DefinitionQuery, PutDefinition } from './definitions.schemas.ts'
import {
  deleteDefinition,
  listDefinitions,
  lockSettingKey,
  putDefinition,
  unlockSettingKey,
} from './definitions.service.ts'
import { KeyParams } from './settings.schemas.ts'

export const definitionRoutes = (app: App): void => {
  app.get(
    '/settings/definitions',
    {
      config: { allow: 'setting:read', support: 'view' },
      schema: {
        operationId: 'listSettingDefinitions',
        tags: ['settings'],
        summary: 'List declared settings',
        querystring: DefinitionQuery,
        response: { 200: Page(Definition) },
      },
    },
    ({ ctx, query }) => listDefinitions(ctx, query),
  )
  app.put(
    '/settings/definitions/:key',
    {
      config: {
        allow: 'setting:declare',
        fails: ['settingReserved', 'storedValuesRefused', 'definitionsFull'],
      },
      schema: {
        operationId: 'putSettingDefinition',
        tags: ['settings'],
        summary: 'Declare a setting',
        params: KeyParams,
        body: PutDefinition,
        response: { 200: Definition },
      },
    },
    ({ ctx, params, body }) => putDefinition(ctx, params.key, body),
  )
  app.delete(
    '/settings/definitions/:key',
    {
      config: { allow: 'setting:declare', fails: ['settingReserved', 'settingUnknown'] },
      schema: {
        operationId: 'deleteSettingDefinition',
        tags: ['settings'],
        summary: 'Delete the declaration of a setting',
        description: 'Plain values stay without a declaration. Secrets and values of users are deleted.',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteDefinition(ctx, params.key),
  )
  app.put(
    '/settings/global/:key/lock',
    {
      config: { allow: 'setting:global', fails: ['settingReserved', 'settingUnknown'] },
      schema: {
        operationId: 'lockSetting',
        tags: ['settings'],
        summary: 'Lock a declared setting for tenants and users',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => lockSettingKey(ctx, params.key),
  )
  app.delete(
    '/settings/global/:key/lock',
    {
      config: { allow: 'setting:global', fails: ['settingReserved', 'settingUnknown'] },
      schema: {
        operationId: 'unlockSetting',
        tags: ['settings'],
        summary: 'Unlock a declared setting',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => unlockSettingKey(ctx, params.key),
  )
}
