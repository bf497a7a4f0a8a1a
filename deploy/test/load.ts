/** Requests of clients to a proxy, and how many of them fail. */
import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Proxy } from './proxy.ts'

/** The caller's address. The proxies reach the replicas from 127.0.0.1. */
export const clientAddress = '127.0.0.9'

/** The account that the clients use. */
export const email = 'root@example.com'
export const password = 'correct horse battery'

export interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  body: string
}

export interface Call {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  /** The parts of the body, with a pause before each but the first. */
  body?: string[]
  pauseMs?: number
}

export type Send = (call: Call) => Promise<Answer>

/** Sends requests to a proxy by TLS that is verified. Throws when the connection breaks. */
export const sender = ({ port, ca }: Proxy): Send => {
  const agent = new Agent({ keepAlive: true, ca, localAddress: clientAddress })
  return ({ method = 'GET', path, headers = {}, body = [], pauseMs = 0 }) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', servername: 'localhost', port, agent, method, path }
      const length = body.length === 0 ? {} : { 'content-length': Buffer.byteLength(body.join('')) }
      const whole = { host: 'localhost', 'content-type': 'application/json', ...length, ...headers }
      const sent = request({ ...options, headers: whole }, (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        )
      })
      sent.on('error', reject)
      void writeParts(body, pauseMs, (part) => sent.write(part)).then(() => sent.end())
    })
}

const writeParts = async (parts: string[], pauseMs: number, write: (part: string) => void): Promise<void> => {
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(pauseMs)
    write(part)
  }
}

export interface Caller {
  send: Send
  token: string
  tenant: string
}

export interface Load {
  count: number
  writes: number
  /** How often each request failed, by its answer. */
  failures: Record<string, number>
}

const callsOf = ({ token, tenant }: Caller): Call[] => {
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': tenant }
  return [
    { path: '/api/v1/users?page_size=20', headers },
    { method: 'POST', path: '/api/v1/authz/check', headers, body: ['{"permissions":["user:read"]}'] },
    { path: '/api/v1/rbac/roles', headers },
    { method: 'PUT', path: '/api/v1/settings/tenant/deploy.tried', headers, body: ['{"value":', '1}'] },
    { path: '/api/v1/audit/logs?page_size=20', headers },
    { method: 'POST', path: '/api/v1/auth/login', body: [JSON.stringify({ email, password })] },
  ]
}

/** The replicas answer in JSON, the proxies do not. */
const resultOf = ({ status, body }: Answer): string =>
  body.startsWith('{') ? String(status) : `${status} of the proxy`

/** Twelve clients send reads and writes in turn while `work` runs. */
export const underLoad = async (caller: Caller, work: () => Promise<void>): Promise<Load> => {
  const calls = callsOf(caller)
  const sent: Load = { count: 0, writes: 0, failures: {} }
  const over = new AbortController()
  const client = async (turn: number): Promise<void> => {
    for (let at = turn; !over.signal.aborted; at++) {
      const call = calls[at % calls.length] ?? { path: '/' }
      const result = await caller.send(call).then(resultOf, String)
      sent.count++
      if (call.method !== undefined) sent.writes++
      const failure = `${call.method ?? 'GET'} ${call.path} ${result}`
      if (result !== '200') sent.failures[failure] = (sent.failures[failure] ?? 0) + 1
    }
  }
  const clients = Promise.all(Array.from({ length: 12 }, (_, turn) => client(turn)))
  await work().finally(() => over.abort())
  await clients
  return sent
}
