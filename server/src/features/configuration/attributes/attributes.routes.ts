import type { App } from '../../../http/app-type.ts'
import { List, Nothing } from '../../../http/schemas.ts'
import { Attribute, AttributeParams, AttributeQuery, PutAttribute } from './attributes.schemas.ts'
import { deleteAttribute, listAttributes, putAttribute } from './attributes.service.ts'

export const attributeRoutes = (app: App): void => {
  app.get(
    '/attributes',
    {
      config: { allow: 'caller' },
      schema: {
        operationId: 'listAttributes',
        tags: ['attributes'],
        summary: 'List attributes',
        description: 'The attributes that the caller may read; with `attribute:declare` all of them.',
        querystring: AttributeQuery,
        response: { 200: List(Attribute) },
      },
    },
    ({ ctx, query }) => listAttributes(ctx, query),
  )
  app.put(
    '/attributes/:subject/:key',
    {
      config: { allow: 'attribute:declare', fails: ['storedValuesRefused', 'attributesFull'] },
      schema: {
        operationId: 'putAttribute',
        tags: ['attributes'],
        summary: 'Declare an attribute',
        description: 'An omitted field becomes its default. The type of the schema never changes.',
        params: AttributeParams,
        body: PutAttribute,
        response: { 200: Attribute },
      },
    },
    ({ ctx, params, body }) => putAttribute(ctx, params, body),
  )
  app.delete(
    '/attributes/:subject/:key',
    {
      config: { allow: 'attribute:declare', fails: ['attributeUnknown'] },
      schema: {
        operationId: 'deleteAttribute',
        tags: ['attributes'],
        summary: 'Delete an attribute',
        description: 'Its values have no effect from the answer on, and are deleted later.',
        params: AttributeParams,
        response: { 200: Nothing },
      },
    },
    ({ ctx, params }) => deleteAttribute(ctx, params),
  )
}
