import { refuteNothing } from '../../attack.ts'
import { answerIn, interactionOf, newRequest, openBrowser } from '../../../lab/browser.ts'
import { ok, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, type Application, type Stage } from './stage.ts'

interface Scene {
  url: string
  person: Session
  application: Application
}

const actsOf = ({ email, password }: Session): [string, object][] => [
  ['identify', { email }],
  ['password', { email, password }],
  ['factor', { code: '123456' }],
  ['register', { email: 'a@example.com', username: 'someone', password }],
  ['consent', { allow: true }],
  ['cancel', {}],
  ['tenant', { tenant_id: '00000000-0000-4000-8000-000000000001' }],
]

/** Another browser, with a sign-in of its own and without one. */
const proveOwn = async (stage: Stage, { url, person, application }: Scene): Promise<string> => {
  const victim = openBrowser(url)
  const id = interactionOf(await victim.authorize(newRequest(application.clientId, redirectUri).params))
  const attacker = await door.newPerson(stage)
  const signedIn = openBrowser(url)
  await door.newCode(signedIn, attacker, application)
  const breaches: string[] = []
  for (const browser of [openBrowser(url), signedIn]) {
    const read = await browser.read(id)
    if (read.status !== 404) breaches.push(`reading answers ${read.status}`)
    for (const [act, body] of actsOf(attacker)) {
      const { status } = await browser.act(id, act, body)
      if (status !== 404) breaches.push(`${act} answers ${status}`)
    }
    if ((await browser.open(`/oauth2/resume/${id}`)).location !== '') breaches.push('resuming leads on')
  }
  refuteNothing(breaches)
  const location = await door.answerAll(victim, id, person)
  if (!location.startsWith(redirectUri)) throw new Error(`the own browser gets ${location}`)
  return `${actsOf(attacker).length} acts of two other browsers: 404, and the own one goes on`
}

/** Pages that a browser distinguishes by its headers. */
const foreignPages: Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
]

const proveForeignPages = async ({ url, person, application }: Scene): Promise<string> => {
  const browser = openBrowser(url)
  const id = interactionOf(await browser.authorize(newRequest(application.clientId, redirectUri).params))
  const breaches: string[] = []
  for (const headers of foreignPages) {
    for (const [act, body] of actsOf(person)) {
      const { status } = await browser.call('POST', `/interactions/${id}/${act}`, body, headers)
      if (status !== 403) breaches.push(`${act} of ${JSON.stringify(headers)} answers ${status}`)
    }
  }
  refuteNothing(breaches)
  return `${foreignPages.length} kinds of foreign pages: 403`
}

/** The error of a silent authorization; "" where it gets a code. */
const silently = async ({ url, application }: Scene, cookies: Map<string, string>): Promise<string> => {
  const browser = openBrowser(url, new Map(cookies))
  const { params } = newRequest(application.clientId, redirectUri, { prompt: 'none' })
  return answerIn((await browser.authorize(params)).location).params['error'] ?? ''
}

/** An attacker who planted or read the cookies before a sign-in has nothing after it. */
const proveFixation = async (scene: Scene): Promise<string> => {
  const { url, person, application } = scene
  const browser = openBrowser(url)
  await browser.authorize(newRequest(application.clientId, redirectUri).params)
  const planted = new Map(browser.cookies)
  await door.newCode(browser, person, application)
  const first = new Map(browser.cookies)
  if ((await silently(scene, first)) !== '') throw new Error('the own sign-in gets no code')
  await door.newCode(browser, person, application, { prompt: 'login' })
  const breaches = [
    ...((await silently(scene, planted)) === 'login_required' ? [] : ['a planted cookie signs in']),
    ...((await silently(scene, first)) === 'login_required' ? [] : ['a cookie outlives the next proof']),
    ...((await silently(scene, browser.cookies)) === '' ? [] : ['the new cookie signs nobody in']),
  ]
  refuteNothing(breaches)
  return 'cookies from before a proof sign nobody in'
}

/** When another person signs in with a browser, the earlier one has left it. */
const proveOthers = async (stage: Stage, { url, application }: Scene): Promise<string> => {
  const [browser, person] = [openBrowser(url), await door.newPerson(stage)]
  const tokens = await door.openSession(browser, person, application)
  const other = await door.newPerson(stage)
  await door.newCode(browser, other, application, { prompt: 'login' })
  const listed: { tenant_id: string }[] = ok(await person.call('GET', '/auth/sessions'))
  const left = listed.filter(({ tenant_id: tenantId }) => tenantId === '')
  const again = await door.refresh(url, application, tokens.refresh_token)
  refuteNothing([
    ...(left.length === 0 ? [] : ['the earlier sign-in stands']),
    ...door.unlessError('a refresh of the earlier person', again),
  ])
  return 'the earlier sign-in ends, with its sessions'
}

export const proveBrowsers = async (stage: Stage, prove: Prove): Promise<void> => {
  const application = await door.newApplication(stage.root)
  const scene = { url: firstUrl(stage), person: await door.newPerson(stage), application }
  await prove('an interaction belongs to the browser that began it', () => proveOwn(stage, scene))
  await prove('a page of another site acts on no interaction', () => proveForeignPages(scene))
  await prove('a cookie from before a proof signs nobody in', () => proveFixation(scene))
  await prove('a browser is the sign-in of one person at a time', () => proveOthers(stage, scene))
}
