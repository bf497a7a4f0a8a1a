import type { Readable } from 'node:stream'

/** A file that is produced while it is sent. */
export interface StreamedFile {
  contentType: string
  fileName: string
  body: Readable
}

/** The part of a reply that sendFile uses. Its schema describes the file's lines, not the stream. */
interface StreamReply {
  type(contentType: string): unknown
  header(name: string, value: string): unknown
  send(body: never): unknown
}

/** Sends a file as a download. A failure in the middle closes the connection, so that the client sees a broken file. */
export const sendFile = (reply: StreamReply, { contentType, fileName, body }: StreamedFile): undefined => {
  reply.type(contentType)
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  // Fastify needs the returned reply: an async handler without a return value would send an empty body.
  return reply.send(body as never) as undefined
}
