import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** An answer shows a name as it is stored, so the format `name` is not checked. */
const ajv = { formats: { name: true } } as const

type Serialize = (data: unknown) => string

/**
 * Shares one serializer among all answers of one shape, and builds it for the first of them. At the start Fastify would
 * build one per status and route. Nearly all of these are the same error, and take 16 MB together.
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
