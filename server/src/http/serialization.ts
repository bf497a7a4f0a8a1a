import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** An answer shows a name as it is stored, without validation. */
const ajv = { formats: { name: true } } as const

type Serialize = (data: unknown) => string

/**
 * Shares one serializer among all answers of one shape, and makes it for the first of them. Fastify would make one per
 * status and route at the start. Nearly all of them are the same error, and took 16 MB together.
 */
export const createSerializerCompiler = (): FastifySerializerCompiler<TSchema> => {
  const byShape = new Map<string, Serialize>()
  const serializerOf = (schema: object): Serialize => {
    const shape = JSON.stringify({ ...schema, description: undefined })
    const serialize = byShape.get(shape) ?? fastJsonStringify(schema, { ajv })
    byShape.set(shape, serialize)
    return serialize
  }
  return ({ schema }) => {
    let serialize: Serialize | undefined
    return (data) => (serialize ??= serializerOf(schema))(data)
  }
}
