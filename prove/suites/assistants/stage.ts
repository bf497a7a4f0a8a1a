import { openBrowser } from '../../../lab/browser.ts'
import { post, type Reply } from '../../../lab/mcp.ts'
import { ok, type Session } from '../../../lab/client.ts'
import { publicUrl, type Stage } from '../people/stage.ts'
import { exchange, newApplication, newCode, type Application } from '../sign-in/stage.ts'

export const send = (
  url: string,
  token: string | undefined,
  method: string,
  params: object = {},
): Promise<Reply> => post({ url }, token, { method, params })

export const callTool = (url: string, token: string, name: string, args: object): Promise<Reply> =>
  send(url, token, 'tools/call', { name, arguments: args })

export interface Assistant {
  application: Application
  token: string
}

/** A third-party application that may name the resource of assistants. */
const newAssistantApplication = async ({ root }: Stage): Promise<Application> => {
  const { items } = ok(await root.call('GET', '/resources?page_size=200'))
  const { id } = items.find(({ is_built_in: isBuiltIn }: { is_built_in: boolean }) => isBuiltIn)
  return newApplication(root, { is_third_party: true, resource_ids: [id] })
}

/** A person signs in with a browser, consents to scopes, and the assistant gets its token. */
export const openAssistant = async (
  stage: Stage,
  person: Session,
  scope: string,
  known: { application?: Application; resource?: string } = {},
): Promise<Assistant> => {
  const [url = ''] = stage.urls
  const { application = await newAssistantApplication(stage), resource = `${publicUrl}/mcp` } = known
  const asked = { scope, resource, tenant: person.tenantId }
  const code = await newCode(openBrowser(url), person, application, asked)
  const { body } = await exchange(url, application, code)
  if (body?.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`)
  return { application, token: body.access_token }
}
