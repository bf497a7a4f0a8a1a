/**
 * A browser without a window. It keeps cookies, follows no redirect, and calls the endpoints of the sign-in pages.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Answer } from './client.ts'

export type Params = Record<string, string | undefined>

export interface Redirection {
  status: number
  /** "" without the header. */
  location: string
  text: string
  headers: Headers
}

/** The parameters of an authorization, with the verifier of its code. */
export interface Request {
  params: Params
  verifier: string
}

/** A valid request for `openid`. `changes` replace parameters; undefined omits one. */
export const newRequest = (clientId: string, redirectUri: string, changes: Params = {}): Request => {
  const verifier = randomBytes(32).toString('base64url')
  return {
    verifier,
    params: {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      state: randomBytes(8).toString('hex'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    },
  }
}

/** The parameters with a value, form-encoded. */
export const formOf = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ).toString()

const parse = (text: string): Pick<Answer, 'body' | 'data'> => {
  const body = text === '' ? undefined : JSON.parse(text)
  return { body, data: body?.data }
}

/** Headers that a browser sends from a page of the service itself. */
export const pageHeaders = { 'sec-fetch-site': 'same-origin' }

/** Keeps the cookies that an answer sets. An empty value deletes one. */
export const keepCookies = (cookies: Map<string, string>, lines: string[]): void => {
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

const cookieHeader = (cookies: Map<string, string>): Record<string, string> =>
  cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }

/** `cookies` are the browser's first cookies. */
export const openBrowser = (base: string, cookies = new Map<string, string>()) => {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...cookieHeader(cookies), ...(init.headers as Record<string, string>) }
    const response = await fetch(`${base}${path}`, { method, redirect: 'manual', ...init, headers })
    keepCookies(cookies, response.headers.getSetCookie())
    return response
  }

  const open = async (path: string): Promise<Redirection> => {
    const response = await send('GET', path)
    const { status, headers } = response
    return { status, headers, location: headers.get('location') ?? '', text: await response.text() }
  }

  /** `headers` are those by which a browser names the page that sends the request. */
  const ask = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = pageHeaders,
  ): Promise<Answer> => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const response = await send(method, path, {
      headers: { ...headers, ...type },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, ...parse(text), ms: 0 }
  }

  const call = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    ask(method, `/oauth2${path}`, body, headers)

  return {
    base,
    cookies,
    open,
    call,
    /** Opens or renews the session of the console. */
    keepSession: (body: object) => ask('POST', '/console/session', body),
    /** Opens the address that an application redirects people to. */
    authorize: (params: Params | string) =>
      open(`/oauth2/authorize?${typeof params === 'string' ? params : formOf(params)}`),
    /** Reads an interaction. */
    read: (id: string) => call('GET', `/interactions/${id}`),
    act: (id: string, name: string, body: object = {}) => call('POST', `/interactions/${id}/${name}`, body),
  }
}

export type Browser = ReturnType<typeof openBrowser>

/** The id of the interaction that the opened page shows. Throws if there is none. */
export const interactionOf = ({ location, status, text }: Redirection): string => {
  const [, id] = /^\/sign-in#interaction=([\da-f-]{36})$/.exec(location) ?? []
  if (id === undefined) throw new Error(`no page was opened: ${status} ${location} ${text.slice(0, 200)}`)
  return id
}

/** Splits the answer to an application into its address and parameters. */
export const answerIn = (location: string): { address: string; params: Record<string, string> } => {
  const [address = '', query = ''] = location.split('?')
  return { address, params: Object.fromEntries(new URLSearchParams(query)) }
}

/** The verifiers of the sign-ins to the console that browsers have begun last. */
const verifiers = new WeakMap<Browser, string>()

/** Begins the sign-in of the console, which opens a page or the provider of a connection. */
export const beginForConsole = async (browser: Browser, changes: Params = {}): Promise<Redirection> => {
  const { params, verifier } = newRequest('console', '/console/signed-in', { scope: undefined, ...changes })
  verifiers.set(browser, verifier)
  const begun = await browser.authorize(params)
  return begun.location.startsWith('/sso/start') ? browser.open(begun.location) : begun
}

/** The code of the console in an address; undefined without one. */
export const consoleCodeIn = (location: string): string | undefined =>
  /^\/console\/signed-in\?(?:.*&)?code=([\w-]{43})/.exec(location)?.[1]

/** Exchanges a code of the console. The answer has the refresh token that the cookie keeps. */
export const openConsole = async (browser: Browser, code: string, changes: Params = {}): Promise<Answer> => {
  const code_verifier = verifiers.get(browser) ?? 'x'.repeat(43)
  const answer = await browser.keepSession({ code, code_verifier, ...changes })
  const [, refresh_token] = [...browser.cookies].find(([name]) => name.endsWith('tenantry-console')) ?? []
  return answer.status === 200 ? { ...answer, data: { ...answer.data, refresh_token } } : answer
}
