/** Providers of strangers on loopback, under their public names, for a replica of the service. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Parts } from '../src/context.ts'
import { parts } from './harness.ts'

/** Replaces the network: a request to a public origin reaches a server on loopback. */
export const networkOf = (origins: Record<string, string>): Pick<Parts, 'provider'> => ({
  provider: {
    hasAllowedScheme: parts.provider.hasAllowedScheme,
    ask: (address, sent) => {
      const url = new URL(address)
      const local = origins[url.origin]
      if (local === undefined) return parts.provider.ask(address, sent)
      const headers = { ...sent.headers, 'x-forwarded-host': url.host, 'x-forwarded-proto': 'https' }
      return parts.provider.ask(`${local}${url.pathname}${url.search}`, { ...sent, headers })
    },
  },
})

export interface TestGitHub {
  url: string
  user: Record<string, unknown>
  emails: unknown
  /** The status of the API. */
  status: number
  /** The body of the token endpoint instead of a token. */
  refusal: object | undefined
  /** The form of the last exchange. */
  exchanged: URLSearchParams
  stop: () => Promise<void>
}

/** A GitHub with one person. */
export const startGitHub = async (): Promise<TestGitHub> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const github: TestGitHub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: {},
    emails: [],
    status: 200,
    refusal: undefined,
    exchanged: new URLSearchParams(),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/login/oauth/access_token') {
      github.exchanged = new URLSearchParams(text)
      send(200, github.refusal ?? { access_token: 'a-token', token_type: 'bearer', scope: '' })
    } else if (request.headers.authorization !== 'Bearer a-token') send(401, {})
    else if (github.status !== 200) send(github.status, { message: 'API rate limit exceeded' })
    else send(200, request.url === '/user/emails' ? github.emails : github.user)
  }
  server.on('request', (request, response) => void answer(request, response))
  return github
}
