/** Answers with JSON that a replica has cached, or with 304. */
import type { FastifyReply } from 'fastify'
import { Type } from '../values/type.ts'
import { isKnown } from './versions.ts'

/** The answer to a client that already has the data. */
export const NotModified = Type.Null({ description: 'Not Modified' })

/** Data that already is JSON. The envelope inserts it unchanged. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Answers with cached data and its tag. The return type is the data's type. The serializer never sees the data, so the
 * caller must include only fields of the schema.
 */
export const answerTagged = (
  reply: FastifyReply,
  { text, tag }: { text: string; tag: string },
  headers: { 'if-none-match'?: string },
): never => {
  reply.header('etag', tag)
  if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send() as never
  return new JsonText(text) as never
}
