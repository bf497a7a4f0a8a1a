/** Clients that no administrator has made, and the host of their metadata, for tests. */
import type { RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from '../../lab/receiver.ts'
import { addressesBy } from '../src/outbound/addresses.ts'
import { createGet, type Get } from '../src/outbound/get.ts'
import type { Config } from '../src/config/config.ts'
import { newRoleFor, ok, platformAdmin, unique, type Caller } from './factories.ts'
import { startApp, type Running } from './harness.ts'

/** Serves documents over HTTP. The service believes to fetch them from `https://client.example.com`. */
export interface DocumentHost {
  /** Serves a document at a new address, which is answered. */
  publish: (fields?: object, headers?: Record<string, string>) => string
  /** Serves another document at an address. */
  change: (address: string, document: object) => void
  /** Answers otherwise at an address. */
  answer: (address: string, listener: RequestListener) => void
  /** The addresses that were fetched, in order. */
  fetched: string[]
  get: Get
}

export const clientHost = 'client.example.com'
export const loopbackRedirect = 'http://127.0.0.1/callback'
export const webRedirect = 'https://client.example.com/callback'

export const documentOf = (address: string, fields: object = {}) => ({
  client_id: address,
  client_name: 'Assistant',
  redirect_uris: [webRedirect, loopbackRedirect],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  ...fields,
})

const serving =
  (document: object, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(document))

export const startDocumentHost = async (): Promise<DocumentHost & { stop: () => Promise<void> }> => {
  const served = new Map<string, RequestListener>()
  const fetched: string[] = []
  const origin = `https://${clientHost}`
  const { url, stop } = await listen((request, response) => {
    const address = `${origin}${request.url ?? ''}`
    fetched.push(address)
    const answer = served.get(address)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  const near = createGet(addressesBy({ privateHosts: ['127.0.0.1'], allowsLoopback: false }))
  return {
    publish: (fields, headers) => {
      const address = `${origin}/${unique('c')}.json`
      served.set(address, serving(documentOf(address, fields), headers))
      return address
    },
    change: (address, document) => served.set(address, serving(document)),
    answer: (address, listener) => served.set(address, listener),
    fetched,
    get: (address) => near(address.replace(origin, url)),
    stop,
  }
}

/** An installation that serves clients which no administrator has made. */
export const startOpen = async (get: Get, overrides: Partial<Config> = {}): Promise<Running> => {
  const open = { clientDocuments: 'open', clientRegistration: 'open' } as const
  const running = await startApp({ ...open, ...overrides }, undefined, { get })
  onTestFinished(() => running.app.close())
  return running
}

/** A resource of the product that such clients may name, with its only permission. */
export interface OpenResource {
  id: number
  identifier: string
  code: string
  permissionId: number
}

export const newOpenResource = async (fields: object = {}): Promise<OpenResource> => {
  const root = await platformAdmin()
  const code = `${unique('m')}:read`
  const permissionId: number = ok(await root.post('/rbac/permissions', { code, name: 'Read' })).id
  const identifier = `https://${unique('r')}.example.com/mcp`
  const body = {
    identifier,
    name: 'Any',
    permission_ids: [permissionId],
    allow_unregistered: true,
    ...fields,
  }
  return { id: ok(await root.post('/resources', body)).id, identifier, code, permissionId }
}

/** Gives a user the permission of a resource. */
export const holding = async (user: Caller, { permissionId }: OpenResource): Promise<Caller> => {
  await newRoleFor(user, [permissionId])
  return user
}

/** Whether people of a tenant may authorize such clients. */
export const allowUnregistered = async (tenantId: string, value: boolean): Promise<void> => {
  const root = await platformAdmin()
  ok(await root.put('/settings/tenant/auth.unregistered_applications', { value }, { tenant: tenantId }))
}
