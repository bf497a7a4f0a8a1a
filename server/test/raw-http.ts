/** HTTP that no client library would send. */
import { connect } from 'node:net'
import { service, type Running } from './harness.ts'

/** Sends bytes and returns the answer, up to the end of the connection or to a silence of `silenceMs`. */
export const sendRaw = async (
  bytes: string | Buffer,
  { at = service, silenceMs = 30_000 }: { at?: Running; silenceMs?: number } = {},
): Promise<string> => {
  const { hostname, port } = new URL(at.url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  socket.setTimeout(silenceMs, () => socket.destroy())
  socket.write(bytes)
  // Not `once`, which throws on a reset: that is an answer, too.
  await new Promise((resolve) => socket.on('close', resolve))
  return Buffer.concat(chunks).toString()
}

/** Sends one whole request with these header lines and body. */
export const sendRequest = (head: string, headers: string[] = [], body: Buffer = Buffer.alloc(0)) => {
  const length = body.length > 0 ? [`Content-Length: ${body.length}`] : []
  const lines = [`${head} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, ...length, '', '']
  return sendRaw(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]))
}

/** The status and the JSON body of an answer. */
export const parseRaw = (text: string) => {
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const json = /\{.*\}/s.exec(body)?.[0]
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: json === undefined ? undefined : JSON.parse(json),
  }
}
