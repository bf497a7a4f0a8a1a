import { Readable } from 'node:stream'

/** A file whose content is produced during the sending. */
export interface StreamedFile {
  contentType: string
  fileName: string
  body: AsyncGenerator<string>
}

/** The part of a reply that `sendFile` uses. The route's schema describes the file's lines, not the stream. */
interface StreamReply {
  type(contentType: string): unknown
  header(name: string, value: string): unknown
  send(body: never): unknown
}

/**
 * Sends a file as a download. Waits for the first piece, so that a query which fails at once gets its error in the
 * envelope. After a later failure it closes the connection, so that the client detects the broken file.
 */
export const sendFile = async (
  reply: StreamReply,
  { contentType, fileName, body }: StreamedFile,
): Promise<undefined> => {
  const first = await body.next()
  reply.type(contentType)
  reply.header('content-disposition', `attachment; filename="${fileName}"`)
  // Fastify needs the returned reply. An async handler without a return value would send an empty body.
  return reply.send(Readable.from(resumed(first, body), { objectMode: false }) as never) as undefined
}

async function* resumed(
  first: IteratorResult<string, unknown>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<string> {
  if (first.done) return
  yield first.value
  yield* rest
}
