/** HTTP as no client library would send it. */
import { connect } from 'node:net'
import { service, type Running } from './harness.ts'

/** Sends bytes and returns all that comes back until the server closes the connection, or falls silent for `silenceMs`. */
export const sendRaw = async (
  bytes: string | Buffer,
  { at = service, silenceMs = 300 }: { at?: Running; silenceMs?: number } = {},
): Promise<string> => {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.setTimeout(silenceMs, () => socket.destroy())
  socket.write(bytes)
  // Not `once`: a reset connection is an answer, too.
  await new Promise((resolve) => socket.on('close', resolve))
  return Buffer.concat(chunks).toString()
}

/** One whole request, with these header lines and body. */
export const sendRequest = (head: string, headers: string[] = [], body: Buffer = Buffer.alloc(0)) => {
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : []
  const lines = [`${head} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, ...length, '', '']
  return sendRaw(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]))
}

/** The status and the JSON body of what came back. */
export const parseRaw = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const json = /\{.*\}/s.exec(body)?.[0]
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: json === undefined ? undefined : JSON.parse(json),
  }
}
