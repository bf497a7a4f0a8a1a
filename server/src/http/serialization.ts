import fastJsonStringify from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

/**
 * A serializer compiler for Fastify that makes one serializer for all answers of one shape. Left to itself Fastify makes
 * one for each status of each route; nearly all of them are the same error, and together took 16 MB.
 */
export const createSerializerCompiler = (): FastifySerializerCompiler<TSchema> => {
  const made = new Map<string, (data: unknown) => string>()
  return ({ schema }) => {
    const shape = JSON.stringify({ ...schema, description: undefined })
    const serialize = made.get(shape) ?? fastJsonStringify(schema)
    made.set(shape, serialize)
    return serialize
  }
}
