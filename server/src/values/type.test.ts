import { Type as TypeBox, type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { Type } from './type.ts'

type Builders = typeof Type

const options = { title: 'Thing', description: 'a thing' }
const fields = ({ Optional, String, Integer }: Builders) => ({
  id: Integer({ minimum: 1 }),
  name: Optional(String({ maxLength: 64, 'x-trim': true })),
  slug: String(),
})

const schemas: Record<keyof Builders, (type: Builders) => TSchema[]> = {
  Array: (type) => [type.Array(type.String()), type.Array(type.Object(fields(type)), { maxItems: 3 })],
  Boolean: (type) => [type.Boolean(), type.Boolean(options)],
  Enum: (type) => [type.Enum(['a', 'b']), type.Enum(['a'], options)],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 0 })],
  Literal: (type) => [type.Literal('a'), type.Literal(1, options), type.Literal(true)],
  Null: (type) => [type.Null(), type.Null(options)],
  Number: (type) => [type.Number(), type.Number({ maximum: 1 })],
  Object: (type) => [
    type.Object({}),
    type.Object(fields(type), options),
    type.Object({ inner: type.Optional(type.Object(fields(type))) }),
  ],
  Omit: (type) => [
    type.Omit(type.Object(fields(type), options), ['id']),
    type.Omit(type.Object(fields(type)), ['id', 'slug'], options),
  ],
  Optional: (type) => [type.Optional(type.String(options)), type.Optional(type.Optional(type.Null()))],
  Partial: (type) => [
    type.Partial(type.Object(fields(type), options)),
    type.Partial(type.Object(fields(type)), options),
    type.Object({ ...type.Partial(type.Object(fields(type))).properties, more: type.String() }),
  ],
  Pick: (type) => [
    type.Pick(type.Object(fields(type), options), ['name', 'id']),
    type.Pick(type.Object(fields(type)), ['name'], options),
  ],
  Record: (type) => [
    type.Record(type.String(), type.Integer()),
    type.Record(type.String(), type.Unknown(), options),
  ],
  String: (type) => [type.String(), type.String({ format: 'email' })],
  Union: (type) => [type.Union([type.String(), type.Null()]), type.Union([type.Integer()], options)],
  Unknown: (type) => [type.Unknown(), type.Unknown(options)],
  Unsafe: (type) => [type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })],
}

test.each(Object.entries(schemas))('%s has the result of TypeBox', (_kind, build) => {
  expect(JSON.stringify(build(Type))).toBe(JSON.stringify(build(TypeBox)))
})

test('a copy of an optional schema is required again, as with TypeBox', () => {
  const build = (type: Builders) => type.Object({ name: { ...type.Optional(type.String()) } })
  expect(build(Type)).toEqual(build(TypeBox))
})
