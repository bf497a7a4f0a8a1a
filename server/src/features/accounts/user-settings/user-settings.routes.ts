import type { App } from '../../../http/app-type.ts'
import { answerTagged, NotModified } from '../../../http/remembered-answer.ts'
import { List, Nothing } from '../../../http/schemas.ts'
import { IfNoneMatch } from '../../../http/versions.ts'
import { getEffective, listEffective } from './effective-answers.service.ts'
import type { EffectiveMemory } from './effective-memory.service.ts'
import {
  Effective,
  EffectiveQuery,
  KeyParams,
  OneEffectiveQuery,
  UpdateSetting,
  UserKeyParams,
  UserSetting,
} from './user-settings.schemas.ts'
import {
  deleteOwnValue,
  deleteUserValue,
  getOwnValue,
  getUserValue,
  putOwnValue,
  putUserValue,
} from './user-settings.service.ts'

export const effectiveRoutes = (app: App, memory: EffectiveMemory): void => {
  app.get(
    '/settings/effective',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'listEffectiveSettings',
        tags: ['settings'],
        summary: 'List the settings that count for a user',
        description: 'Without `setting:read` public keys alone exist.',
        querystring: EffectiveQuery,
        headers: IfNoneMatch,
        response: { 200: List(Effective), 304: NotModified },
      },
    },
    async ({ ctx, query, headers }, reply) =>
      answerTagged(reply, await listEffective(ctx, memory, query), headers),
  )
  app.get(
    '/settings/effective/:key',
    {
      config: { allow: 'caller', support: 'view', fails: ['userUnknown', 'settingUnknown'] },
      schema: {
        operationId: 'getEffectiveSetting',
        tags: ['settings'],
        summary: 'Read the setting that counts for a user',
        description: 'Without `setting:read` public keys alone exist.',
        params: KeyParams,
        querystring: OneEffectiveQuery,
        headers: IfNoneMatch,
        response: { 200: Effective, 304: NotModified },
      },
    },
    async ({ ctx, params, query, headers }, reply) =>
      answerTagged(reply, await getEffective(ctx, memory, params.key, query.user_id), headers),
  )
}

const ownValueRoutes = (app: App): void => {
  app.get(
    '/settings/user/:key',
    {
      config: { allow: 'user', support: 'view', fails: ['settingUnknown', 'userUnknown'] },
      schema: {
        operationId: 'getOwnSetting',
        tags: ['settings'],
        summary: 'Read a value that the caller has set',
        params: KeyParams,
        response: { 200: UserSetting },
      },
    },
    ({ ctx, params }) => getOwnValue(ctx, params.key),
  )
  app.put(
    '/settings/user/:key',
    {
      config: { allow: 'user', support: 'act', fails: ['settingsFull', 'settingLocked', 'userUnknown'] },
      schema: {
        operationId: 'putOwnSetting',
        tags: ['settings'],
        summary: 'Set a value for the caller',
        params: KeyParams,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putOwnValue(ctx, params.key, body.value),
  )
  app.delete(
    '/settings/user/:key',
    {
      config: { allow: 'user', support: 'act', fails: ['settingUnknown', 'userUnknown'] },
      schema: {
        operationId: 'deleteOwnSetting',
        tags: ['settings'],
        summary: 'Delete a value that the caller has set',
        params: KeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteOwnValue(ctx, params.key),
  )
}

const userValueRoutes = (app: App): void => {
  app.get(
    '/settings/users/:id/:key',
    {
      config: { allow: 'setting:read', support: 'view', fails: ['settingUnknown', 'userUnknown'] },
      schema: {
        operationId: 'getUserSetting',
        tags: ['settings'],
        summary: 'Read a value of a user',
        params: UserKeyParams,
        response: { 200: UserSetting },
      },
    },
    ({ ctx, params }) => getUserValue(ctx, params.id, params.key),
  )
  app.put(
    '/settings/users/:id/:key',
    {
      config: {
        allow: 'setting:update',
        support: 'act',
        fails: ['settingsFull', 'settingLocked', 'userUnknown', 'targetOutranksCaller'],
      },
      schema: {
        operationId: 'putUserSetting',
        tags: ['settings'],
        summary: 'Set a value for a user',
        params: UserKeyParams,
        body: UpdateSetting,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params, body }) => putUserValue(ctx, { userId: params.id, key: params.key }, body.value),
  )
  app.delete(
    '/settings/users/:id/:key',
    {
      config: {
        allow: 'setting:delete',
        support: 'act',
        fails: ['settingUnknown', 'userUnknown', 'targetOutranksCaller'],
      },
      schema: {
        operationId: 'deleteUserSetting',
        tags: ['settings'],
        summary: 'Delete a value of a user',
        params: UserKeyParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteUserValue(ctx, params.id, params.key),
  )
}

export const userSettingRoutes = (app: App): void => {
  ownValueRoutes(app)
  userValueRoutes(app)
}
