/** The clients of assistants against a guarded MCP server: from an answer without a token to a call of a tool. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as second from '@modelcontextprotocol/client'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import express from 'express'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  allowUnregistered,
  holding,
  newOpenResource,
  startDocumentHost,
  startOpen,
  webRedirect,
  type OpenResource,
} from '../../server/test/assistants.ts'
import { answerIn, interactionOf, openBrowser } from '../../server/test/browser.ts'
import {
  clearCatalogue,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  type Caller,
} from '../../server/test/factories.ts'
import { parts, type Running } from '../../server/test/harness.ts'
import { keepAssistants } from '../../server/test/mcp.ts'
import { createGuard } from '../src/guard/guard.ts'

let host: Awaited<ReturnType<typeof startDocumentHost>>
let resource: OpenResource
let user: Caller
let key: string

beforeAll(async () => {
  await platformAdmin()
  host = await startDocumentHost()
  resource = await newOpenResource()
  const tenant = await newTenant()
  await allowUnregistered(tenant.id, true)
  user = await holding(await tenant.member(), resource)
  key = (await keyWith(tenant.id, ['authz:check'])).token
})
afterAll(async () => {
  await host.stop()
  await clearCatalogue()
})

/** An MCP server behind a guard, with one tool. */
const startServer = async (at: Running): Promise<string> => {
  const guard = createGuard({
    baseUrl: at.url,
    issuer: parts.config.issuer,
    key,
    resource: resource.identifier,
  })
  const metadata = guard.metadata()
  const app = express()
  app.use(express.json())
  app.get(metadata.paths, metadata.express)
  app.post('/mcp', guard.express(resource.code), (request, response) => {
    const server = new McpServer({ name: 'invoices', version: '1.0.0' })
    server.registerTool('count', {}, () => ({ content: [{ type: 'text', text: 'seven invoices' }] }))
    const transport = new StreamableHTTPServerTransport()
    void server
      .connect(transport)
      .then(() => transport.handleRequest(request as IncomingMessage, response, request.body))
  })
  app.all('/mcp', (_request, response) => void response.status(405).end())
  const server = createServer(app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The public addresses of service and product lead to where they listen. */
const leading =
  (at: Running, server: string) =>
  (input: string | URL, init?: RequestInit): Promise<Response> => {
    const address = String(input)
      .replace(parts.config.publicUrl, at.url)
      .replace(new URL(resource.identifier).origin, server)
    return fetch(address, init)
  }

/** Keeps everything that a client asks it to keep; `asked` is where a person is sent. */
const newProvider = (clientMetadataUrl: string | undefined) => {
  const kept: Record<string, any> = {}
  return {
    kept,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    redirectUrl: webRedirect,
    clientMetadata: {
      client_name: 'Assistant',
      redirect_uris: [webRedirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'the state',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    codeVerifier: () => kept['verifier'],
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    redirectToAuthorization: (url: URL) => void (kept['asked'] = url),
  }
}

/** The person signs in and allows the client. */
const allow = async (at: Running, asked: URL): Promise<Record<string, string>> => {
  const browser = openBrowser(at)
  const id = interactionOf(await browser.authorize(asked.search.slice(1)))
  expect(ok(await browser.act(id, 'password', { email: user.email, password })).step).toBe('consent')
  return answerIn(ok(await browser.act(id, 'consent', { allow: true })).redirect_to).params
}

const first = { Client, StreamableHTTPClientTransport, UnauthorizedError }
const libraries = {
  '@modelcontextprotocol/sdk': first,
  '@modelcontextprotocol/client': second as unknown as typeof first,
}

test.each(
  Object.entries(libraries).flatMap(([name, library]) => [
    [name, 'its metadata document', library] as const,
    [name, 'registration', library] as const,
  ]),
)('%s finds its way by %s', async (_name, way, library) => {
  const at = await startOpen(host.get)
  const documentUrl = way === 'registration' ? undefined : host.publish()
  const provider = newProvider(documentUrl)
  const fetchThere = leading(at, await startServer(at))
  const open = () =>
    new library.StreamableHTTPClientTransport(new URL(resource.identifier), {
      authProvider: provider,
      fetch: fetchThere,
    })
  const client = () => new library.Client({ name: 'assistant', version: '1.0.0' })
  const bare = open()
  await expect(client().connect(bare)).rejects.toThrow(library.UnauthorizedError)
  const asked = provider.kept['asked'] as URL
  expect(asked.searchParams.get('resource')).toBe(resource.identifier)
  expect(asked.searchParams.get('client_id')).toBe(documentUrl ?? provider.kept['client'].client_id)
  const { code = '', state, iss } = await allow(at, asked)
  expect([state, iss]).toEqual(['the state', parts.config.issuer])
  // The second package checks `iss`, too.
  const finish: (code: string, iss?: string) => Promise<void> = bare.finishAuth.bind(bare)
  await finish(code, iss)
  const connected = client()
  await connected.connect(open())
  expect(await connected.callTool({ name: 'count', arguments: {} })).toMatchObject({
    content: [{ type: 'text', text: 'seven invoices' }],
  })
  await connected.close()
})

describe('the administration', () => {
  const address = `${parts.config.publicUrl}/mcp`

  /** A session of a client, from an answer without a token to a consent. `answer` is what the person says to a plan. */
  const connectAs = async (library: typeof first, admin: Caller, answer?: () => object) => {
    await keepAssistants()
    const at = await startOpen(host.get, { mcp: 'on' })
    // With a refresh token the first package repeats the refused call before it asks the person.
    const provider = newProvider(host.publish({ grant_types: ['authorization_code'] }))
    const fetchThere = (input: string | URL, init?: RequestInit) =>
      fetch(String(input).replace(parts.config.publicUrl, at.url), init)
    const open = () =>
      new library.StreamableHTTPClientTransport(new URL(address), {
        authProvider: provider,
        fetch: fetchThere,
      })
    const newClient = (): any => {
      const capabilities = answer ? { elicitation: { form: {} } } : {}
      const client: any = new library.Client(
        { name: 'assistant', version: '1.0.0' },
        { capabilities, ...(answer && { versionNegotiation: { mode: 'auto' } }) },
      )
      if (answer) client.setRequestHandler('elicitation/create', answer)
      return client
    }
    /** Lets the person answer the page to which the client sent them. */
    const consent = async (transport: any) => {
      const asked = provider.kept['asked'] as URL
      const browser = openBrowser(at)
      const id = interactionOf(await browser.authorize(asked.search.slice(1)))
      let { data } = await browser.read(id)
      if (data.step !== 'consent') {
        data = ok(await browser.act(id, 'password', { email: admin.email, password }))
      }
      const { scopes } = data
      const { code = '', iss } = answerIn(
        ok(await browser.act(id, 'consent', { allow: true })).redirect_to,
      ).params
      await transport.finishAuth(code, iss)
      return scopes
    }
    return { open, newClient, consent, unauthorized: library.UnauthorizedError }
  }

  const contentOf = (result: any) => result.structuredContent ?? JSON.parse(result.content[0].text)

  test.each(Object.entries(libraries))(
    '%s reads after a first consent, and changes after a second',
    async (_name, library) => {
      const tenant = await newTenant()
      await allowUnregistered(tenant.id, true)
      const { open, newClient, consent, unauthorized } = await connectAs(library, tenant.admin)
      const bare = open()
      await expect(newClient().connect(bare)).rejects.toThrow(unauthorized)
      expect((await consent(bare)).map(({ code }: any) => code)).toEqual(['mcp:read'])
      const transport = open()
      const client = newClient()
      await client.connect(transport)
      const { tools } = await client.listTools()
      expect(tools.map(({ name }: any) => name)).toContain('change_users')
      const found = await client.callTool({
        name: 'find_people',
        arguments: { search: tenant.admin.username },
      })
      expect(contentOf(found).result.items).toMatchObject([{ id: tenant.admin.userId }])
      const member = await tenant.member()
      const args = { action: 'update', user_id: member.userId, nickname: 'Ada' }
      const asking = client.callTool({ name: 'change_users', arguments: args })
      await expect(asking).rejects.toThrow(unauthorized)
      const scopes = await consent(transport)
      expect(scopes.map(({ code, is_change: isChange }: any) => [code, isChange])).toEqual([
        ['mcp:read', false],
        ['user:update', true],
      ])
      const wider = newClient()
      await wider.connect(open())
      const planned = contentOf(await wider.callTool({ name: 'change_users', arguments: args }))
      expect(planned).toMatchObject({ status: 'planned', count: 1 })
      const done = await wider.callTool({ name: 'change_users', arguments: { ...args, plan: planned.plan } })
      expect(contentOf(done)).toMatchObject({ status: 'done', result: { nickname: 'Ada' } })
      await client.close()
      await wider.close()
    },
  )

  test.each([
    ['agrees', { action: 'accept', content: { confirm: true } }, 'Ada'],
    ['declines', { action: 'decline' }, ''],
    ['does not tick', { action: 'accept', content: { confirm: false } }, ''],
  ])(
    'a client that asks its person makes the change only if the person %s',
    async (_what, answer, nickname) => {
      const tenant = await newTenant()
      await allowUnregistered(tenant.id, true)
      const asked: any[] = []
      const { open, newClient, consent, unauthorized } = await connectAs(
        libraries['@modelcontextprotocol/client'],
        tenant.admin,
        ((request: any) => {
          asked.push(request)
          return answer
        }) as () => object,
      )
      const bare = open()
      await expect(newClient().connect(bare)).rejects.toThrow(unauthorized)
      await consent(bare)
      const transport = open()
      const client = newClient()
      await client.connect(transport)
      const member = await tenant.member()
      const args = { action: 'update', user_id: member.userId, nickname: 'Ada' }
      await expect(client.callTool({ name: 'change_users', arguments: args })).rejects.toThrow(unauthorized)
      await consent(transport)
      const wider = newClient()
      await wider.connect(open())
      await wider.callTool({ name: 'change_users', arguments: args })
      expect(asked).toHaveLength(1)
      expect(ok(await tenant.admin.get(`/users/${member.userId}`)).nickname).toBe(nickname)
      const sneaking = await wider.callTool({ name: 'change_users', arguments: { ...args, plan: 'x.y.z' } })
      expect(sneaking.isError === true || asked.length === 2).toBe(true)
      await client.close()
      await wider.close()
    },
  )
})
