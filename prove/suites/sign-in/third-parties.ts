import { ask, permissionIds, refuteNothing } from '../../attack.ts'
import { createGuard } from '../../../client/src/guard/guard.ts'
import { openBrowser } from '../../../lab/browser.ts'
import { addKey, ok, request, unique, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import { readOperations, type Operation } from '../../operations.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith } from '../escalation/stage.ts'
import * as door from './stage.ts'
import { firstUrl, userinfo, type Application, type Stage, type Tokens } from './stage.ts'

/** A path with unknown ids. */
const pathOf = ({ path }: Operation): string =>
  path.replaceAll(/\{[^}]*\}/g, (name) =>
    /secret|session|tenant|uuid/i.test(name) ? '00000000-0000-4000-8000-000000000009' : '1',
  )

/** Asks every operation that needs a caller. A refusal is 401, or 403 for the reason that the token is an application's. */
const openDoors = async (url: string, token: string, what: string): Promise<string[]> => {
  const breaches: string[] = []
  for (const operation of await readOperations(url)) {
    // Paths elsewhere take tokens of their own kind.
    if (!operation.path.startsWith('/api/')) continue
    const { method, body } = operation
    const { status } = await ask(url, method, pathOf(operation), { token, body })
    if (status !== 401 && status !== 403) breaches.push(`${what} at ${method} ${operation.path}: ${status}`)
  }
  return breaches
}

interface Scene {
  person: Session
  application: Application
  resource: string
}

const openScene = async (stage: Stage): Promise<Scene> => {
  const { root, permissions, codes } = stage
  const resource = `https://${unique('r')}.example.com/mcp`
  const [code = ''] = codes
  const fields = { identifier: resource, name: 'A proof', permission_ids: [permissions.get(code)] }
  const { id } = ok(await root.call('POST', '/resources', fields))
  const application = await door.newApplication(root, { is_third_party: true, resource_ids: [id] })
  // An administrator: every route would be open to their own session.
  return { person: stage.tenant.admin, application, resource }
}

/** Tokens of each kind, with the endpoints that accept none of them. */
const tokensOf = ({ access_token: access, refresh_token: refresh, id_token: id }: Tokens) =>
  [
    ['an access token', access],
    ['a refresh token', refresh],
    ['an ID token', id],
  ] as const

const proveShut = async (stage: Stage, { person, application, resource }: Scene): Promise<string> => {
  const url = firstUrl(stage)
  const scope = ['openid', ...stage.codes].join(' ')
  const plain = await door.openSession(openBrowser(url), person, application, { scope })
  const bound = await door.openSession(openBrowser(url), person, application, { scope, resource })
  const breaches: string[] = []
  if ((await userinfo(url, plain.access_token)) !== 200) throw new Error('userinfo refuses its own token')
  if ((await userinfo(url, bound.access_token)) !== 401) breaches.push('a token of a resource reads userinfo')
  for (const [what, token] of [...tokensOf(plain), ...tokensOf(bound)]) {
    breaches.push(...(await openDoors(url, token, what)))
  }
  // It is for the audience of the API, but the application may not call it.
  const own = await door.openSession(openBrowser(url), person, await door.newApplication(stage.root))
  breaches.push(...(await openDoors(url, own.access_token, 'a token of an own application')))
  for (const { refresh_token: token } of [plain, bound]) {
    const { status } = await request(url, 'POST', '/api/v1/auth/refresh', { body: { refresh_token: token } })
    if (status !== 401) breaches.push(`/auth/refresh answers ${status}`)
  }
  refuteNothing(breaches)
  return 'seven tokens of an administrator at every operation that needs a caller: 401 or 403'
}

/** A verifier of TENANTRY_AUDIENCE, as a service of the product has it. Its status for a token. */
const newVerifier = async ({ root, tenant, urls: [baseUrl = ''] }: Stage) => {
  const { token: key } = await addKey(root, tenant.id, unique('guard'))
  const { iss, aud } = parseToken(root.token).payload
  const guard = createGuard({ baseUrl, key, issuer: String(iss), audience: String(aud) })
  const admit = guard.request('user:read')
  return async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const verdict = await admit(new Request('https://product.example.com/', { headers }))
    return verdict instanceof Response ? verdict.status : 200
  }
}

/** Tokens for another audience: the guard refuses them without a question to the service. */
const proveVerifiers = async (stage: Stage, { person, application, resource }: Scene): Promise<string> => {
  const url = firstUrl(stage)
  const statusOf = await newVerifier(stage)
  const scope = ['openid', ...stage.codes].join(' ')
  const plain = await door.openSession(openBrowser(url), person, application, { scope })
  const bound = await door.openSession(openBrowser(url), person, application, { scope, resource })
  const breaches: string[] = []
  for (const [what, token] of [...tokensOf(plain), ...tokensOf(bound)]) {
    const status = await statusOf(token)
    if (status !== 401) breaches.push(`${what}: ${status}`)
  }
  refuteNothing(breaches)
  return 'six tokens of an administrator at a verifier of the product: 401'
}

/** The permission about applications is not enough for one that speaks for every user without asking them. */
const proveOwners = async ({ root }: Stage): Promise<string> => {
  const builtIn = root.tenantId
  const permissions = await permissionIds(root, builtIn)
  const ids = idsOf(permissions, ['application:read', 'application:manage'])
  const { user: clerk } = await userWith(root, builtIn, ids)
  const own = await door.newApplication(root)
  const fields = { name: unique('proof '), kind: 'web', redirect_uris: [door.redirectUri] }
  const resource = {
    identifier: `https://${unique('r')}.example.com/mcp`,
    name: 'A proof',
    permission_ids: ids,
  }
  const { secrets } = ok(await root.call('GET', `/applications/${own.id}`))
  const acts: [string, string, object?][] = [
    ['POST', '/applications', fields],
    ['PUT', `/applications/${own.id}`, { ...fields, redirect_uris: ['https://evil.example/'] }],
    ['POST', `/applications/${own.id}/secrets`, {}],
    ['DELETE', `/applications/${own.id}/secrets/${secrets[0].id}`],
    ['DELETE', `/applications/${own.id}`],
    ['POST', '/resources', resource],
  ]
  const breaches: string[] = []
  for (const [method, path, body] of acts) {
    const { status } = await clerk.call(method, path, body)
    if (status !== 403) breaches.push(`${method} ${path}: ${status}`)
  }
  refuteNothing(breaches)
  ok(await clerk.call('POST', '/applications', { ...fields, is_third_party: true }))
  return `${acts.length} acts with application:manage alone: 403; a third party's application is made`
}

/** The token endpoint refuses the client id and the tokens of the console. */
const proveConsole = async (stage: Stage, { person, application }: Scene): Promise<string> => {
  const url = firstUrl(stage)
  const console = { ...application, clientId: 'console', secret: '' }
  const { status, location } = await openBrowser(url).authorize(door.silentRequest(console))
  const asConsole = await door.refresh(url, console, person.refreshToken)
  const asAnother = await door.refresh(url, application, person.refreshToken)
  refuteNothing([
    ...(status === 400 && location === '' ? [] : [`an authorization answers ${status} ${location}`]),
    ...door.unlessError('a refresh as the console', asConsole, 'invalid_client'),
    ...door.unlessError("a refresh by the console's token", asAnother),
  ])
  const body = { refresh_token: person.refreshToken }
  ok(await request(url, 'POST', '/api/v1/auth/refresh', { body }))
  return 'an error page, invalid_client and invalid_grant; the token stays unspent'
}

/** A session of an application opens no session that would be wider than itself. */
const proveNoOther = async (stage: Stage, { person }: Scene): Promise<string> => {
  const url = firstUrl(stage)
  const own = await door.newApplication(stage.root, { tenantry_api: true })
  const { access_token: token } = await door.openSession(openBrowser(url), person, own)
  const at = (method: string, path: string, body?: object) =>
    request(url, method, `/api/v1${path}`, { token, body })
  ok(await at('GET', '/profile'))
  const { status } = await at('POST', '/auth/switch', { tenant_id: stage.tenant.id })
  if (status !== 403) refuteNothing([`/auth/switch answers ${status}`])
  const [code = ''] = stage.codes
  const narrowed = await door.openSession(openBrowser(url), person, own, { scope: `openid ${code}` })
  const asked = await request(url, 'GET', '/api/v1/auth/sessions', { token: narrowed.access_token })
  if (asked.status !== 403) refuteNothing([`the own account answers ${asked.status}`])
  return 'no switch by an application, and no own account by a narrowed session'
}

/** The refresh token of one client is none of another, and stays unspent. */
const proveClients = async (stage: Stage, { person, application }: Scene): Promise<string> => {
  const url = firstUrl(stage)
  const tokens = await door.openSession(openBrowser(url), person, application)
  const other = await door.newApplication(stage.root)
  refuteNothing(door.unlessError('another client', await door.refresh(url, other, tokens.refresh_token)))
  ok(await door.revoke(url, other, tokens.refresh_token).then((answer) => ({ ...answer, data: null })))
  ok(await door.refresh(url, application, tokens.refresh_token))
  return 'another client neither refreshes nor revokes, and the token stays unspent'
}

export const proveThirdParties = async (stage: Stage, prove: Prove): Promise<void> => {
  const scene = await openScene(stage)
  await prove('a token of an application opens nothing of the API', () => proveShut(stage, scene))
  await prove('a session of an application opens no other session', () => proveNoOther(stage, scene))
  await prove('a verifier of the product takes no token of a third party', () => proveVerifiers(stage, scene))
  await prove('an own application is changed by nobody without tenant:enter', () => proveOwners(stage))
  await prove('the console is no client of the token endpoint', () => proveConsole(stage, scene))
  await prove('a refresh token serves its own client alone', () => proveClients(stage, scene))
}
