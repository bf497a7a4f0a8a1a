import type { Readable } from 'node:stream'

/** A file that is made while it is sent. */
export interface StreamedFile {
  contentType: string
  fileName: string
  body: Readable
}

/** What is used of a reply whose schema describes the lines of the file, not the stream of them. */
interface StreamReply {
  type(contentType: string): unknown
  header(name: string, value: string): unknown
  send(body: never): unknown
}

/** Answers with a file to save. When it breaks off, so does the connection: the client sees that it is not whole. */
export const sendFile = (reply: StreamReply, { contentType, fileName, body }: StreamedFile): undefined => {
  reply.type(contentType)
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  // The reply, by whatever type: of an async handler that returns none, an empty body would be sent.
  return reply.send(body as never) as undefined
}
