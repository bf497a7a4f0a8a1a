/** Assistants at `/mcp`: their sessions, and calls of tools by bare messages. */
import { mcpUrl } from '../src/config/front-door.ts'
import { permissionsOf } from '../src/access/assistant-scopes.ts'
import { keepAssistantsResource } from '../src/features/federation/applications/resources.service.ts'
import { systemCtx } from '../src/start/parts.ts'
import sql from 'sql-template-tag'
import type { Caller } from './factories.ts'
import { post, type Reply } from '../../lab/mcp.ts'
import { newApplication, openSession, type TestApplication } from './front-door.ts'
import { parts, startApp, type Running } from './harness.ts'

/** Makes the resource, as a start with TENANTRY_MCP=on does. */
export const keepAssistants = (): Promise<void> =>
  keepAssistantsResource(systemCtx(parts, 'test'), mcpUrl(parts.config))

/** An application of the tests that serves assistants. The caller closes it. */
export const startAssistants = async (overrides: object = {}): Promise<Running> => {
  await keepAssistants()
  return startApp({ mcp: 'on', ...overrides })
}

export const assistantsResource = () =>
  parts.store
    .scoped({})
    .only<{ id: number; identifier: string }>(sql`select id, identifier from resources where is_built_in`)

export { post }

export const send = (
  at: Pick<Running, 'url'>,
  token: string | undefined,
  method: string,
  params: object = {},
): Promise<Reply> => post(at, token, { method, params })

export interface Assistant {
  token: string
  refreshToken: string
  application: TestApplication
  call: (name: string, args?: object) => Promise<Reply>
  /** Plans a change, and makes it. */
  change: (name: string, args: object) => Promise<Reply>
  list: () => Promise<any[]>
}

/** The session of an assistant with these scopes, for a user who consented to them. */
export const openAssistant = async (
  at: Running,
  user: Pick<Caller, 'userId' | 'tenantId'>,
  scopes: string[],
  known?: TestApplication,
): Promise<Assistant> => {
  const resource = await assistantsResource()
  const application =
    known ?? (await newApplication({ is_third_party: true, kind: 'web', resource_ids: [resource.id] }))
  const { access_token: token, refresh_token: refreshToken } = await openSession(user, application, {
    scopes,
    narrowedTo: permissionsOf(scopes),
    resource,
  })
  return { refreshToken, application, ...assistantBy(at, token) }
}

/** Calls with a token or a key. */
export const assistantBy = (at: Running, token: string) => {
  const call = (name: string, args: object = {}) => send(at, token, 'tools/call', { name, arguments: args })
  return {
    token,
    call,
    change: async (name: string, args: object) => {
      const planned = await call(name, args)
      if (planned.content?.plan === undefined) throw new Error(`no plan: ${JSON.stringify(planned.body)}`)
      return call(name, { ...args, plan: planned.content.plan })
    },
    list: async () => {
      const { body } = await send(at, token, 'tools/list')
      return body.result.tools
    },
  }
}
