/** Answers that a replica has remembered as JSON: they go out as they are, or as 304. */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { isKnown } from './versions.ts'

/** The answer to a client that has it already. */
export const NotModified = Type.Null({ description: 'Not Modified' })

/** Data of an answer that is JSON already. The envelope takes it as it is. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Answers with remembered data and its tag. The type is that of the data: the serializer never sees it, so the service
 * makes only fields that the schema names.
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
