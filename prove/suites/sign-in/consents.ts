import { refuteNothing } from '../../attack.ts'
import {
  answerIn,
  interactionOf,
  newRequest,
  openBrowser,
  type Browser,
  type Params,
} from '../../../lab/browser.ts'
import { ok, request, unique, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { joinTenant, newPerson } from '../people/stage.ts'
import type { OpenStage } from './open-stage.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, type Application, type Stage } from './stage.ts'

/** The error of a silent authorization; "" where it gets a code. */
const silently = async (browser: Browser, application: Application, changes: Params): Promise<string> => {
  const { location } = await browser.authorize(door.silentRequest(application, changes))
  return answerIn(location).params['error'] ?? ''
}

const newResources = async ({ root, permissions, codes }: Stage) => {
  const ids = codes.map((code) => permissions.get(code) ?? 0)
  const newOne = async () => {
    const identifier = `https://${unique('r')}.example.com/mcp`
    const { id } = ok(
      await root.call('POST', '/resources', { identifier, name: 'A proof', permission_ids: ids }),
    )
    return { id: id as number, identifier }
  }
  return [await newOne(), await newOne()] as const
}

/** A person of two tenants, who consents in one of them. */
const proveConsents = async (stage: OpenStage): Promise<string> => {
  const { root, people, codes } = stage
  const person = await joinTenant(people, await newPerson(people, people.other), people.home)
  const [resource, other] = await newResources(stage)
  const elsewhere = 'https://elsewhere.example.com/callback'
  const fields = {
    is_third_party: true,
    resource_ids: [resource.id, other.id],
    redirect_uris: [redirectUri, elsewhere],
  }
  const [application, another] = [
    await door.newApplication(root, fields),
    await door.newApplication(root, fields),
  ]
  const [code, more] = codes
  const given = { scope: `openid ${code}`, resource: resource.identifier, tenant: people.home.id }
  const browser = openBrowser(firstUrl(stage))
  await door.newCode(browser, person, application, given)
  if ((await silently(browser, application, given)) !== '') throw new Error('the consent is not remembered')
  const further: [string, Application, Params][] = [
    ['a bigger scope', application, { scope: `openid ${code} ${more}` }],
    ['a scope about the person', application, { scope: `openid email ${code}` }],
    ['another resource', application, { resource: other.identifier }],
    ['no resource', application, { resource: undefined }],
    ['another host', application, { redirect_uri: elsewhere }],
    ['another tenant', application, { tenant: people.other.id }],
    ['another application', another, {}],
  ]
  const breaches: string[] = []
  for (const [what, by, changes] of further) {
    const error = await silently(browser, by, { ...given, ...changes })
    if (error !== 'consent_required') breaches.push(`${what}: ${error || 'a code'}`)
  }
  await withdraw(person, application)
  const late = await silently(browser, application, given)
  if (late !== 'consent_required') breaches.push(`a withdrawn consent: ${late || 'a code'}`)
  refuteNothing(breaches)
  return `${further.length} further wishes after a consent: each asks anew, and so does a withdrawn one`
}

const withdraw = async (person: Session, { id }: Application): Promise<void> => {
  const grants: { id: number; application: { id: number } }[] = ok(await person.call('GET', '/auth/grants'))
  for (const grant of grants.filter((one) => one.application.id === id)) {
    ok(await person.call('DELETE', `/auth/grants/${grant.id}`))
  }
}

/** Public clients whose answer any program of the machine could take. */
const imitable: [string, string][] = [
  ['native', 'http://127.0.0.1/callback'],
  ['native', 'http://[::1]:8400/callback'],
  ['native', 'http://localhost:8400/callback'],
  ['native', 'com.example.app:/callback'],
  ['browser', 'http://localhost:5173/callback'],
]

const proveClicks = async (stage: Stage): Promise<string> => {
  const [url, person] = [firstUrl(stage), await door.newPerson(stage)]
  const browser = openBrowser(url)
  await door.newCode(browser, person, await door.newApplication(stage.root))
  const breaches: string[] = []
  for (const [kind, address] of imitable) {
    const application = await door.newApplication(stage.root, { kind, redirect_uris: [address] })
    const { params } = newRequest(application.clientId, address)
    // A click of yesterday counts for nothing.
    await door.authorize(browser, person, params)
    const error = await silently(browser, application, { redirect_uri: address })
    if (error !== 'interaction_required') breaches.push(`${address} gets silently: ${error || 'a code'}`)
    const answer = await browser.authorize(params)
    const step = answer.location.startsWith('/sign-in')
      ? (await browser.read(interactionOf(answer))).data?.step
      : answer.location
    if (step !== 'consent') breaches.push(`${address} is asked about by ${String(step)}`)
  }
  refuteNothing(breaches)
  return `${imitable.length} addresses of one's own applications: no silent code, and a click each time`
}

/** Each answer names the issuer: an application with several of them takes none for another (RFC 9207). */
const proveIssuer = async (stage: Stage): Promise<string> => {
  const [url, person] = [firstUrl(stage), await door.newPerson(stage)]
  const { body } = await request(url, 'GET', '/.well-known/oauth-authorization-server')
  const application = await door.newApplication(stage.root)
  const browser = openBrowser(url)
  const wishes: Params[] = [
    { prompt: 'none' },
    { response_type: 'token' },
    { code_challenge: undefined, code_challenge_method: undefined },
    { request: 'x' },
    { resource: 'https://unknown.example.com/' },
    {},
    { prompt: 'none' },
  ]
  const breaches: string[] = []
  for (const changes of wishes) {
    const { params } = newRequest(application.clientId, redirectUri, changes)
    const { address, params: answer } = answerIn(await door.authorize(browser, person, params))
    if (address !== redirectUri) throw new Error(`${JSON.stringify(changes)} leads to ${address}`)
    if (answer['iss'] !== body.issuer) {
      breaches.push(`${JSON.stringify(changes)}: iss is ${answer['iss'] ?? 'missing'}`)
    }
    if (answer['state'] !== params['state']) breaches.push(`${JSON.stringify(changes)}: another state`)
  }
  refuteNothing(breaches)
  return `${wishes.length} answers, errors and codes: each with issuer and state`
}

export const proveConsenting = async (
  stage: Stage,
  start: () => Promise<OpenStage>,
  prove: Prove,
): Promise<void> => {
  await prove('a program of the machine gets no code without a click of the person', () => proveClicks(stage))
  await prove('every answer to an application names the issuer', () => proveIssuer(stage))
  await prove('a consent serves its application, scopes, resource, host and tenant alone', async () =>
    proveConsents(await start()),
  )
}
