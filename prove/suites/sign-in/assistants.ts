/** Clients that no administrator has made: they register themselves, or their name is the address of their metadata. */
import { addRole, assign, refuteNothing } from '../../attack.ts'
import {
  answerIn,
  interactionOf,
  newRequest,
  openBrowser,
  type Browser,
  type Params,
} from '../../../lab/browser.ts'
import { newUser, ok, request, unique, type Answer, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import type { Prove } from '../../suite.ts'
import type { OpenStage } from './open-stage.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, userinfo, type Application } from './stage.ts'

/** A resource, and a person who holds its permission. */
interface Scene {
  stage: OpenStage
  resource: string
  closed: string
  code: string
  person: Session
}

const openScene = async (stage: OpenStage): Promise<Scene> => {
  const { root, tenant, codes, permissions } = stage
  const [code = ''] = codes
  const ids = [permissions.get(code) ?? 0]
  const newResource = async (isOpen: boolean): Promise<string> => {
    const identifier = `https://${unique('r')}.example.com/mcp`
    const fields = { identifier, name: 'A proof', permission_ids: ids, allow_unregistered: isOpen }
    ok(await root.call('POST', '/resources', fields))
    return identifier
  }
  const person = await newUser(root, tenant.id)
  const role = await addRole(root, tenant.id, { name: unique('proof '), permissions: ids })
  await assign(root, tenant.id, person.userId, role)
  return { stage, resource: await newResource(true), closed: await newResource(false), code, person }
}

const clientOf = (clientId: string): Application => ({ id: 0, name: 'Assistant', clientId, secret: '' })

/** The scopes that a client would like to have. */
const asked = ({ code, resource }: Scene): Params => ({
  scope: `openid profile email offline_access user:read ${code}`,
  resource,
})

/** Registers from a source of its own. */
const register = (url: string, fields: object = {}, source = '10.9.0.1'): Promise<Answer> =>
  request(url, 'POST', '/oauth2/register', {
    body: { client_name: 'Assistant', redirect_uris: [redirectUri], ...fields },
    headers: { 'x-forwarded-for': source },
  })

/** The error of an authorization of a person who is signed in; "" where it gets a code or a question. */
const errorOf = async (browser: Browser, { clientId }: Application, changes: Params): Promise<string> => {
  const { status, location } = await browser.authorize(newRequest(clientId, redirectUri, changes).params)
  return status === 400 ? 'refused' : (answerIn(location).params['error'] ?? '')
}

/** Everything that a client can request in its own metadata. */
const wishes = {
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: [
    'authorization_code',
    'refresh_token',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
  ],
  scope: 'openid profile email',
  is_third_party: false,
  tenantry_api: true,
  require_mfa: false,
  resource_ids: [1],
}

const breachesOfRecord = async ({ root }: OpenStage, { clientId }: Application): Promise<string[]> => {
  const { items } = ok(await root.call('GET', '/applications?search=Assistant&page_size=100'))
  const found = items.find((one: { client_id: string }) => one.client_id === clientId)
  const { kind, is_third_party, tenantry_api, secrets, resource_ids, tenant_ids } = found ?? {}
  const told = JSON.stringify({ kind, is_third_party, tenantry_api, secrets, resource_ids, tenant_ids })
  const expected = JSON.stringify({
    kind: 'native',
    is_third_party: true,
    tenantry_api: false,
    secrets: [],
    resource_ids: [],
    tenant_ids: null,
  })
  return told === expected ? [] : [`the client is kept as ${told}`]
}

/** The breaches of a session that such a client opened. */
const breachesOfSession = async (
  { stage, resource, code, person }: Scene,
  tokens: door.Tokens,
): Promise<string[]> => {
  const url = firstUrl(stage)
  const { payload } = parseToken(tokens.access_token)
  const query = `user_id=${person.userId}&session_id=${String(payload['sid'])}`
  const { permissions } = ok(await stage.tenant.admin.call('GET', `/authz/permissions?${query}`))
  const { status } = await request(url, 'GET', '/api/v1/profile', { token: tokens.access_token })
  const info = await userinfo(url, tokens.access_token)
  return [
    ...(tokens.scope === `offline_access ${code}` ? [] : [`the scope is ${tokens.scope}`]),
    ...(tokens.id_token === undefined ? [] : ['an ID token came']),
    ...(payload['aud'] === resource ? [] : [`the audience is ${String(payload['aud'])}`]),
    ...(permissions.join() === code ? [] : [`the session may use ${permissions.join()}`]),
    ...(info === 401 ? [] : [`userinfo answers ${info}`]),
    ...(status === 401 || status === 403 ? [] : [`the API answers ${status}`]),
  ]
}

const proveRegistered = async (scene: Scene): Promise<string> => {
  const { stage, closed, person } = scene
  const url = firstUrl(stage)
  const { status, body, text } = await register(url, wishes)
  if (status !== 201) throw new Error(`registering answers ${status}: ${text}`)
  const client = clientOf(body.client_id)
  const browser = openBrowser(url)
  const wanted = asked(scene)
  const expected: [string, Params, string][] = [
    ['no consent', { prompt: 'none' }, 'consent_required'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['a closed resource', { resource: closed }, 'invalid_target'],
    [
      'no PKCE',
      { code_challenge: undefined, code_challenge_method: undefined, nonce: 'n' },
      'invalid_request',
    ],
  ]
  const breaches = await breachesOfRecord(stage, client)
  if (body.token_endpoint_auth_method !== 'none' || body.client_secret !== undefined) {
    breaches.push('the client gets a secret')
  }
  await door.newCode(browser, person, await door.newApplication(stage.root))
  for (const [what, changes, error] of expected) {
    const found = await errorOf(browser, client, { ...wanted, ...changes })
    if (found !== error) breaches.push(`with ${what}: ${found}`)
  }
  breaches.push(...(await breachesOfSession(scene, await door.openSession(browser, person, client, wanted))))
  const device = await door.postForm(url, '/device_authorization', { client_id: client.clientId })
  if (device.status === 200) breaches.push('it gets codes of devices')
  refuteNothing([...breaches, ...(await breachesElsewhere(scene, client))])
  return 'a client that wishes for everything is public and foreign; its session holds what the person consented to'
}

/** A person of a tenant that has not allowed such clients. */
const breachesElsewhere = async (scene: Scene, client: Application): Promise<string[]> => {
  const { root, people } = scene.stage
  const stranger = await newUser(root, people.other.id)
  const browser = openBrowser(firstUrl(scene.stage))
  const { params } = newRequest(client.clientId, redirectUri, asked(scene))
  const { error } = answerIn(await door.authorize(browser, stranger, params)).params
  return error === 'access_denied' ? [] : [`a tenant that allows no such clients: ${error ?? 'a code'}`]
}

/** The limit of registrations an hour for a source (docs/contract.md). */
const registrationsMax = 10

const proveFlood = async ({ stage }: Scene): Promise<string> => {
  const statuses: number[] = []
  for (let at = 0; at < registrationsMax + 5; at += 1) {
    const url = stage.urls[at % stage.urls.length] ?? ''
    statuses.push((await register(url, {}, '10.9.0.2')).status)
  }
  const made = statuses.filter((status) => status === 201).length
  const refused = statuses.filter((status) => status === 429).length
  const { status: other } = await register(firstUrl(stage), {}, '10.9.0.3')
  refuteNothing([
    ...(made <= registrationsMax ? [] : [`a source registers ${made} clients`]),
    ...(made + refused === statuses.length ? [] : [`registering answers ${statuses.join()}`]),
    ...(other === 201 ? [] : [`another source gets ${other}`]),
  ])
  return `${made} of ${statuses.length} registrations of one source, and one of another`
}

/** A document at a path, and the client that it describes. */
const publish = (
  { stage: { internet } }: Scene,
  fields: object = {},
  origin = internet.origin,
): Application => {
  const path = `/${unique('client')}.json`
  const clientId = `${origin}${path}`
  internet.serve(path, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        client_id: clientId,
        client_name: 'Assistant',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        ...fields,
      }),
    )
  })
  return clientOf(clientId)
}

const isAsked = ({ stage: { internet } }: Scene, { clientId }: Application): boolean =>
  internet.asked.includes(new URL(clientId).pathname)

/** Everything that a stranger can try with the id of a client. */
const actAsStranger = async (scene: Scene, client: Application): Promise<void> => {
  const { stage, person } = scene
  const browser = openBrowser(firstUrl(stage))
  const { params } = newRequest(client.clientId, redirectUri, asked(scene))
  const id = interactionOf(await browser.authorize(params))
  await browser.read(id)
  await browser.act(id, 'identify', { email: person.email })
  await browser.act(id, 'password', { email: person.email, password: 'a wrong password' })
  await browser.authorize({ ...params, prompt: 'none' })
  await door.exchange(firstUrl(stage), client, { code: 'x'.repeat(43), verifier: 'x'.repeat(43) })
}

/** A document that redirects to an equal one. */
const publishRedirect = (scene: Scene): { client: Application; target: string } => {
  const { internet } = scene.stage
  const [client, target] = [publish(scene), `/${unique('target')}.json`]
  const document = { client_id: client.clientId, redirect_uris: [redirectUri] }
  internet.serve(target, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  })
  internet.serve(new URL(client.clientId).pathname, (_request, response) => {
    response.writeHead(302, { location: `${internet.origin}${target}` }).end()
  })
  return { client, target }
}

const proveFetches = async (scene: Scene): Promise<string> => {
  const { stage, person } = scene
  const { internet } = stage
  const breaches: string[] = []
  const known = publish(scene)
  await actAsStranger(scene, known)
  if (isAsked(scene, known)) breaches.push('a stranger has a document fetched')
  const browser = openBrowser(firstUrl(stage))
  const tokens = await door.openSession(browser, person, known, asked(scene))
  breaches.push(...(await breachesOfSession(scene, tokens)))
  if (!isAsked(scene, known)) throw new Error('no document was fetched for a person')
  for (const origin of internet.privateOrigins) {
    const client = publish(scene, {}, origin)
    const error = await errorOf(browser, client, asked(scene))
    if (error !== 'refused') breaches.push(`a document at ${origin}: ${error}`)
    if (isAsked(scene, client)) breaches.push(`${origin} was asked for a document`)
  }
  const { client, target } = publishRedirect(scene)
  const error = await errorOf(browser, client, asked(scene))
  if (error !== 'refused') breaches.push(`a document behind a redirect: ${error}`)
  if (internet.asked.includes(target)) breaches.push('a redirect was followed')
  refuteNothing(breaches)
  return `${internet.privateOrigins.length} private addresses and a redirect: an error page; a stranger had nothing fetched`
}

/** Documents are kept for five minutes at least. */
const keptSeconds = 301

const proveChanges = async (scene: Scene): Promise<string> => {
  const { stage, person } = scene
  const browser = openBrowser(firstUrl(stage))
  const client = publish(scene)
  await door.newCode(browser, person, client, asked(scene))
  const silent = { ...asked(scene), prompt: 'none' }
  if ((await errorOf(browser, client, silent)) !== '') throw new Error('the consent is not remembered')
  const changed = { client_id: client.clientId, redirect_uris: ['https://elsewhere.example.com/'] }
  stage.internet.serve(new URL(client.clientId).pathname, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(changed))
  })
  await stage.people.setAhead(keptSeconds)
  const error = await errorOf(browser, client, silent)
  if (error !== 'refused') refuteNothing([`an address that the document names no more: ${error || 'a code'}`])
  return 'an address that left the document gets no code five minutes later, whatever was consented to'
}

export const proveAssistants = async (start: () => Promise<OpenStage>, prove: Prove): Promise<void> => {
  let scene: Promise<Scene> | undefined
  const using = (proof: (scene: Scene) => Promise<string>) => async () =>
    proof(await (scene ??= start().then(openScene)))
  await prove(
    'a client that registers itself is public, foreign and confined to its resource',
    using(proveRegistered),
  )
  await prove('a source registers ten clients an hour at most', using(proveFlood))
  await prove(
    'metadata of clients are fetched for people who are signed in, from public addresses',
    using(proveFetches),
  )
  await prove('a client is what its metadata say now', using(proveChanges))
}
