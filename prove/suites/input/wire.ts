import http from 'node:http'

export interface Sent {
  method: string
  url: string
  headers: [string, string][]
  body: string | Uint8Array | undefined
}

export interface Received {
  status: number
  headers: http.IncomingHttpHeaders
  text: string
  ms: number
}

const hangsMs = 15_000

/** The body. Empty for a stream of events, which has no end. */
const collect = (response: http.IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    if (response.headers['content-type']?.startsWith('text/event-stream')) {
      response.destroy()
      resolve('')
      return
    }
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(Buffer.concat(chunks).toString()))
    response.on('error', reject)
  })

const lengthOf = (body: Sent['body']): string[] =>
  body === undefined ? [] : ['content-length', String(Buffer.byteLength(body))]

/** Sends a request unchanged, where `fetch` would repair the URL and join headers. Rejects when no answer comes. */
export const openWire = (base: string) => {
  const agent = new http.Agent({ keepAlive: true })
  const { host } = new URL(base)
  const send = ({ method, url, headers, body }: Sent): Promise<Received> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const all = ['host', host, ...lengthOf(body), ...headers.flat()]
      const request = http.request(base, { agent, method, path: url, headers: all })
      request.setTimeout(hangsMs, () => request.destroy(new Error(`no answer within ${hangsMs} ms`)))
      request.on('response', (response) => {
        const { statusCode: status = 0, headers: received } = response
        collect(response).then(
          (text) => resolve({ status, headers: received, text, ms: performance.now() - startedAt }),
          reject,
        )
      })
      request.on('error', reject)
      request.end(body)
    })
  return { send, close: () => agent.destroy() }
}

export type Wire = ReturnType<typeof openWire>
