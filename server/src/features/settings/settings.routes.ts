import type { App } from '../../http/app-type.ts'
import { List, Nothing } from '../../http/schemas.ts'
import { KeyParams, Setting, UpdateSetting } from './settings.schemas.ts'
import {
  deleteGlobalSetting,
  deleteTenantSetting,
  getGlobalSetting,
  getTenantSetting,
  listGlobalSettings,
  listTenantSettings,
  putGlobalSetting,
  putTenantSetting,
} from './settings.service.ts'

export const globalSettingRoutes = (app: App): void => {
  app.get(
    '/settings',
    {
      config: { allow: 'setting:read' },
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
      config: { allow: 'setting:read', fails: ['settingUnknown'] },
      schema: {
        operationId: 'getGlobalSetting',
        tags: ['settings'],
        summary: 'Read a global setting',
        params: KeyParams,
        response: { 200: Setting },
      },
    },
    ({ ctx, params }) => getGlobalSetting(ctx, params.key),
  )
  app.put(
    '/settings/global/:key',
    {
      config: { allow: 'setting:global', fails: ['settingsFull'] },
      schema: {
        operationId: 'putGlobalSetting',
        tags: ['settings'],
        summary: 'Create or replace a global setting',
        params: KeyParams,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putGlobalSetting(ctx, params.key, body),
  )
  app.delete(
    '/settings/global/:key',
    {
      config: { allow: 'setting:global', fails: ['settingUnknown'] },
      schema: {
        operationId: 'deleteGlobalSetting',
        tags: ['settings'],
        summary: 'Delete a global setting',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteGlobalSetting(ctx, params.key),
  )
}

export const tenantSettingRoutes = (app: App): void => {
  app.get(
    '/settings/tenant',
    {
      config: { allow: 'setting:read' },
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
      config: { allow: 'setting:read', fails: ['settingUnknown'] },
      schema: {
        operationId: 'getTenantSetting',
        tags: ['settings'],
        summary: 'Read a setting of the tenant',
        params: KeyParams,
        response: { 200: Setting },
      },
    },
    ({ ctx, params }) => getTenantSetting(ctx, params.key),
  )
  app.put(
    '/settings/tenant/:key',
    {
      config: { allow: 'setting:update', fails: ['settingsFull', 'mfaRequired'] },
      schema: {
        operationId: 'putTenantSetting',
        tags: ['settings'],
        summary: 'Create or replace a setting of the tenant',
        params: KeyParams,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putTenantSetting(ctx, params.key, body),
  )
  app.delete(
    '/settings/tenant/:key',
    {
      config: { allow: 'setting:delete', fails: ['mfaRequired', 'settingUnknown'] },
      schema: {
        operationId: 'deleteTenantSetting',
        tags: ['settings'],
        summary: 'Delete a setting of the tenant',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteTenantSetting(ctx, params.key),
  )
}
