import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/** An answer shows a name as it is stored, without validation. */
const ajv = { formats: { name: true } } as const

/**
 * Shares one serializer among all answers of one shape. Fastify would make one per status and route. Nearly all of
 * them are the same error, and took 16 MB together.
 */
export const createSerializerCompiler = (): FastifySerializerCompiler<TSchema> => {
  const made = new Map<string, (data: unknown) => string>()
  return ({ schema }) => {
    const shape = JSON.stringify({ ...schema, description: undefined })
    const serialize = made.get(shape) ?? fastJsonStringify(schema, { ajv })
    made.set(shape, serialize)
    return serialize
  }
}
