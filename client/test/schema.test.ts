/** `npm run docs` writes the types of the SDK from the API description. Each construct of a schema has its type here. */
import { describe, expect, test } from 'vitest'
import type { ApiDocument, Operation, Schema } from '../../server/test/api-document.ts'
import { clientFiles } from '../../server/test/client-files.ts'
import { errorCodes } from '../../server/src/errors/app-error.ts'
import * as generated from '../src/error-codes.ts'

const schemaFileOf = (document: Partial<ApiDocument>): string =>
  clientFiles({ tags: [], paths: {}, components: { schemas: {} }, 'x-error-codes': [], ...document })[
    'client/src/schema.ts'
  ] ?? ''

/** The declarations of one object whose field `value` has this schema. */
const written = (schema: Schema, required: string[] = ['value']): string =>
  schemaFileOf({
    components: { schemas: { Thing: { type: 'object', properties: { value: schema }, required } } },
  })

describe('a field', () => {
  test.each<[string, Schema, string]>([
    ['text', { type: 'string' }, 'value: string'],
    ['a whole number', { type: 'integer' }, 'value: number'],
    ['a number', { type: 'number' }, 'value: number'],
    ['a truth value', { type: 'boolean' }, 'value: boolean'],
    ['null', { type: 'null' }, 'value: null'],
    ['any JSON', {}, 'value: unknown'],
    ['constants', { enum: ['a', 1, null] }, "value: 'a' | 1 | null"],
    ['one constant', { const: 0 }, 'value: 0'],
    ['one of several types', { anyOf: [{ type: 'string' }, { const: 1 }] }, 'value: string | 1'],
    ['a named schema', { $ref: '#/components/schemas/Other' }, 'value: Other'],
    ['a list', { type: 'array', items: { $ref: '#/Other' } }, 'value: Array<Other>'],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, 'value: Record<string, number>'],
    [
      'an object',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'null' } }, required: ['a'] },
      'value: {\n    a: string\n    b?: null\n  }',
    ],
  ])('a field that holds %s has its type', (_what, schema, type) => {
    expect(written(schema)).toContain(`export interface Thing {\n  ${type}\n}\n`)
  })

  test('a field that is not required may be left out', () => {
    expect(written({ type: 'string' }, [])).toContain('  value?: string\n')
  })

  test('has its description and its bounds as a comment', () => {
    const schema = { type: 'string', description: 'Name', minLength: 1, maxLength: 64, default: 'ada' }
    expect(written(schema)).toContain('  /** Name. 1 to 64 characters, default "ada". */\n  value: string\n')
  })

  test.each<[string, Schema, string]>([
    ['an unknown type', { type: 'date' }, 'no type is known'],
    ['an object without fields', { type: 'object' }, 'neither fields nor a type'],
  ])('a field with %s is refused', (_what, schema, message) => {
    expect(() => written(schema)).toThrow(message)
  })
})

test('a query may omit every parameter, or set it to undefined', () => {
  const operation = {
    operationId: 'listThings',
    parameters: [
      { name: 'id', in: 'path', schema: { type: 'integer' } },
      { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } },
    ],
  } as Operation
  expect(schemaFileOf({ paths: { '/things/{id}': { get: operation } } })).toContain(
    'export interface ListThingsQuery {\n  /** 1 or more. */\n  page?: number | undefined\n}\n',
  )
})

test('the envelope of errors has no type: it becomes an ApiError', () => {
  const error: Schema = { type: 'object', properties: { code: { type: 'integer' } } }
  expect(schemaFileOf({ components: { schemas: { Error: error } } })).not.toContain('interface')
})

test('the table of error codes is the one of the server', () => {
  expect(generated.errorCodes).toEqual(errorCodes)
})
