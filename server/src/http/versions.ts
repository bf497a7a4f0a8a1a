/** Versions in headers: the ETag of an answer, and the conditions of requests (RFC 9110, "Conditional Requests"). */
import type { FastifyReply } from 'fastify'
import { Type } from '../values/type.ts'
import { namesTag, tagOfVersion } from '../values/entity-tags.ts'

const Condition = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 1000, description, examples: [example] }))

export const IfMatch = Type.Object({
  'if-match': Condition('The `ETag` of the value that is to be replaced: another one is 412.', '"3"'),
})

export const IfNoneMatch = Type.Object({
  'if-none-match': Condition('The `ETag` of an earlier answer: an equal one is 304.', '"x7dF"'),
})

/** Answers with the data, and sets its version as the header `ETag`. */
export const withVersion = <T extends { version: number }>(reply: FastifyReply, data: T): T => {
  reply.header('etag', tagOfVersion(data.version))
  return data
}

/** True if the client already has the answer with this tag. Weak tags count (RFC 9110, 13.1.2). */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && namesTag(ifNoneMatch.replaceAll('W/', ''), tag)
