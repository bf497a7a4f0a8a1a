import { permissionIds } from '../../attack.ts'
import {
  formOf,
  interactionOf,
  newRequest,
  answerIn,
  type Browser,
  type Params,
} from '../../../lab/browser.ts'
import { newTenant, newUser, ok, request, unique, type Answer, type Session } from '../../../lab/client.ts'

/** A tenant, and the replicas of one installation. */
export interface Stage {
  short: boolean
  root: Session
  tenant: { id: string; admin: Session }
  /** Two replicas on services. */
  urls: string[]
  /** Ids of all permissions by code, with some of the product. */
  permissions: Map<string, number>
  /** Permissions of the product. */
  codes: string[]
}

export interface Application {
  id: number
  name: string
  clientId: string
  /** "" for a public one. */
  secret: string
}

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  scope: string
}

export const redirectUri = 'https://app.example.com/callback'

/** The first replica, which is the only one on the embedded database. */
export const firstUrl = ({ urls }: Pick<Stage, 'urls'>): string => urls[0] ?? ''

/** Creates permissions of the product. */
const addCodes = async (root: Session, count: number): Promise<string[]> => {
  const codes = Array.from({ length: count }, () => `${unique('proof')}:read`)
  for (const code of codes) ok(await root.call('POST', '/rbac/permissions', { code, name: code }))
  return codes
}

/** By default the tenant is a new one. */
export const openStage = async (
  given: Pick<Stage, 'short' | 'root' | 'urls'> & Partial<Stage>,
): Promise<Stage> => {
  const { root } = given
  const tenant = given.tenant ?? (await newTenant(root))
  const codes = await addCodes(root, 6)
  return { ...given, tenant, codes, permissions: await permissionIds(root, tenant.id) }
}

/** By default an own one with a secret that may refresh; `fields` are those of the API. */
export const newApplication = async (root: Session, fields: object = {}): Promise<Application> => {
  const body = {
    name: unique('proof '),
    kind: 'web',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    ...fields,
  }
  const { id, name, client_id: clientId, secret = '' } = ok(await root.call('POST', '/applications', body))
  return { id, name, clientId, secret }
}

export const newPerson = ({ root, tenant }: Stage): Promise<Session> => newUser(root, tenant.id)

/** Answers the questions of the page until it has none. Resolves with the address that the answer goes to. */
export const answerAll = async (browser: Browser, id: string, person: Session): Promise<string> => {
  const { email, password } = person
  let { data } = await browser.read(id)
  for (let step = 0; step < 4 && data?.step !== 'done'; step += 1) {
    const isConsent = data?.step === 'consent'
    const answer = isConsent
      ? await browser.act(id, 'consent', { allow: true })
      : await browser.act(id, 'password', { email, password })
    data = ok(answer)
  }
  return data.redirect_to as string
}

/** Goes through an authorization as a person, who is signed in with the browser or signs in. */
export const authorize = async (browser: Browser, person: Session, params: Params): Promise<string> => {
  const answer = await browser.authorize(params)
  if (answer.location.startsWith('/sign-in')) return answerAll(browser, interactionOf(answer), person)
  return answer.location
}

/** The parameters of an authorization that shows nothing. */
export const silentRequest = ({ clientId }: Application, changes: Params = {}): Params =>
  newRequest(clientId, redirectUri, { prompt: 'none', ...changes }).params

export interface Code {
  code: string
  verifier: string
}

/** A code of an application for a person. Throws where the application gets an error. */
export const newCode = async (
  browser: Browser,
  person: Session,
  { clientId }: Application,
  changes: Params = {},
): Promise<Code> => {
  const { params, verifier } = newRequest(clientId, redirectUri, changes)
  const location = await authorize(browser, person, params)
  const { code } = answerIn(location).params
  if (code === undefined) throw new Error(`no code: ${location}`)
  return { code, verifier }
}

/** A form posted below `/oauth2`; these answers have no envelope. */
export const postForm = async (url: string, path: string, form: Params): Promise<Answer> => {
  const answer = await request(url, 'POST', `/oauth2${path}`, { form: formOf(form) })
  return { ...answer, data: answer.body }
}

const credentialsOf = ({ clientId, secret }: Application): Params => ({
  client_id: clientId,
  client_secret: secret === '' ? undefined : secret,
})

/** Exchanges a code; changes replace parameters. */
export const exchange = (
  url: string,
  application: Application,
  { code, verifier }: Code,
  changes: Params = {},
): Promise<Answer> =>
  postForm(url, '/token', {
    ...credentialsOf(application),
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
    ...changes,
  })

export const refresh = (url: string, application: Application, token: string): Promise<Answer> =>
  postForm(url, '/token', {
    ...credentialsOf(application),
    grant_type: 'refresh_token',
    refresh_token: token,
  })

export const revoke = (url: string, application: Application, token: string): Promise<Answer> =>
  postForm(url, '/revoke', { ...credentialsOf(application), token })

/** The status of `/oauth2/userinfo`: 200 while the session of a token with `openid` is valid. */
export const userinfo = async (url: string, token: string): Promise<number> =>
  (await request(url, 'GET', '/oauth2/userinfo', { token })).status

/** Opens a session of an application at the replica of the browser. */
export const openSession = async (
  browser: Browser,
  person: Session,
  application: Application,
  changes: Params = {},
): Promise<Tokens> => {
  const answer = await exchange(
    browser.base,
    application,
    await newCode(browser, person, application, changes),
  )
  return ok(answer) as Tokens
}

/** The breach of an answer of the token endpoint that is not this error. */
export const unlessError = (what: string, { status, body }: Answer, error = 'invalid_grant'): string[] =>
  body?.error === error ? [] : [`${what} answers ${status} ${body?.error ?? ''}`]
