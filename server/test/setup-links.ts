/** Setup links of tenants, and the guests who enter by them. */
import type { MailServer } from '../../lab/mail-server.ts'
import { ok, unique, type Caller } from './factories.ts'
import { call, type Answer, type Call } from './harness.ts'
import { deliver } from './mail-queue.ts'
import { codeIn } from './mailed-codes.ts'

export interface SentLink {
  id: string
  email: string
  token: string
}

/** The token in the newest setup link for an address. */
const tokenIn = async (server: MailServer, email: string): Promise<string> => {
  await deliver(server)
  const links = server.to(email).map(({ link = '' }) => /\/console\/setup#token=([\w-]+)$/.exec(link)?.[1])
  return links.findLast((token) => token !== undefined) ?? ''
}

/** Sends a link for the connection, and reads it in the mailbox. */
export const sendLink = async (
  server: MailServer,
  admin: Pick<Caller, 'post'>,
  fields: object = {},
  options: Call = {},
): Promise<SentLink> => {
  const email = `${unique('it')}@example.com`
  const { id } = ok(await admin.post('/setup-links', { email, parts: ['connection'], ...fields }, options))
  return { id, email, token: await tokenIn(server, email) }
}

export const openLink = (token: string, options: Call = {}): Promise<Answer> =>
  call('POST', '/setup/open', { ...options, body: { token } })

export const giveSetupCode = (
  given: { token: string; challenge: string; code: string },
  options: Call = {},
): Promise<Answer> => call('POST', '/setup/enter', { ...options, body: given })

/** A challenge of the link, with its mailed code. */
export const codeOf = async (server: MailServer, { email, token }: SentLink) => {
  const { challenge } = ok(await openLink(token)) as { challenge: string }
  return { token, challenge, code: await codeIn(server, email) }
}

export interface TestGuest {
  link: SentLink
  token: string
  /** The same at each entry. */
  newConnectionId: string
  send: (method: string, path: string) => Promise<Answer>
  get: (path: string, options?: Call) => Promise<Answer>
  post: (path: string, body?: unknown, options?: Call) => Promise<Answer>
  put: (path: string, body?: unknown) => Promise<Answer>
  delete: (path: string) => Promise<Answer>
}

/** Enters by a link. */
export const enter = async (server: MailServer, link: SentLink): Promise<TestGuest> => {
  const answer = ok(await giveSetupCode(await codeOf(server, link)))
  const { token, new_connection_id: newConnectionId } = answer as {
    token: string
    new_connection_id: string
  }
  return {
    link,
    token,
    newConnectionId,
    send: (method, path) => call(method, path, { token }),
    get: (path, options) => call('GET', path, { token, ...options }),
    post: (path, body, options) => call('POST', path, { token, body, ...options }),
    put: (path, body) => call('PUT', path, { token, body }),
    delete: (path) => call('DELETE', path, { token }),
  }
}
