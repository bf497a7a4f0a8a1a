import type { App } from '../../../http/app-type.ts'
import { IdParams } from '../../../http/schemas.ts'
import { AttributeValues, PatchAttributes } from './user-attributes.schemas.ts'
import {
  getOwnAttributes,
  getUserAttributes,
  patchOwnAttributes,
  patchUserAttributes,
} from './user-attributes.service.ts'

export const userAttributeRoutes = (app: App): void => {
  app.get(
    '/users/:id/attributes',
    {
      config: { allow: 'user:read', support: 'view', fails: ['userUnknown'] },
      schema: {
        operationId: 'getUserAttributes',
        tags: ['attributes'],
        summary: 'Read the attributes of a user',
        description: 'Those that the caller may read.',
        params: IdParams,
        response: { 200: AttributeValues },
      },
    },
    ({ ctx, params }) => getUserAttributes(ctx, params.id),
  )
  app.patch(
    '/users/:id/attributes',
    {
      config: { allow: 'user:update', fails: ['userUnknown', 'targetOutranksCaller', 'attributeFilled'] },
      schema: {
        operationId: 'patchUserAttributes',
        tags: ['attributes'],
        summary: 'Change attributes of a user',
        description: 'All or none of them. Null deletes a value. Answers with all that the caller may read.',
        params: IdParams,
        body: PatchAttributes,
        response: { 200: AttributeValues },
      },
    },
    ({ ctx, params, body }) => patchUserAttributes(ctx, params.id, body),
  )
  app.get(
    '/profile/attributes',
    {
      config: { allow: 'account', servesConnections: true },
      schema: {
        operationId: 'getOwnAttributes',
        tags: ['attributes'],
        summary: 'Read the attributes of the own user',
        description: 'Those that `self` lets people read.',
        response: { 200: AttributeValues },
      },
    },
    ({ ctx }) => getOwnAttributes(ctx),
  )
  app.patch(
    '/profile/attributes',
    {
      config: { allow: 'account', servesConnections: true, fails: ['attributeFilled'] },
      schema: {
        operationId: 'patchOwnAttributes',
        tags: ['attributes'],
        summary: 'Change attributes of the own user',
        description: 'Those that `self` lets people write. Null deletes a value.',
        body: PatchAttributes,
        response: { 200: AttributeValues },
      },
    },
    ({ ctx, body }) => patchOwnAttributes(ctx, body),
  )
}
