import { refuteNothing } from '../../attack.ts'
import { formOf, openBrowser, type Browser, type Params } from '../../../lab/browser.ts'
import type { Prove } from '../../suite.ts'
import { requireDead } from './codes.ts'
import { similarTo } from './redirects.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, unlessError, type Application, type Stage, type Tokens } from './stage.ts'

const goodbye = 'https://app.example.com/goodbye'

interface Scene {
  stage: Stage
  browser: Browser
  application: Application
  tokens: Tokens
}

const logOut = ({ browser }: Scene, params: Params) => browser.open(`/oauth2/logout?${formOf(params)}`)

const openScene = async (stage: Stage): Promise<Scene> => {
  const browser = openBrowser(firstUrl(stage))
  const application = await door.newApplication(stage.root, { post_logout_redirect_uris: [goodbye] })
  const tokens = await door.openSession(browser, await door.newPerson(stage), application)
  return { stage, browser, application, tokens }
}

/** Throws unless the sign-in is still valid: it then gets another code without a question. */
const requireSignedIn = async ({ browser, application }: Scene, what: string): Promise<void> => {
  const { location } = await browser.authorize(door.silentRequest(application))
  if (!location.startsWith(`${redirectUri}?code=`)) refuteNothing([`${what} ended the sign-in: ${location}`])
}

const proveAddresses = async (stage: Stage): Promise<string> => {
  const scene = await openScene(stage)
  const { application, tokens } = scene
  const other = await door.newApplication(stage.root, { post_logout_redirect_uris: [goodbye] })
  const hint = { id_token_hint: tokens.id_token }
  const wishes: [string, Params][] = [
    ...[...new Set(similarTo(goodbye)), redirectUri].map((address): [string, Params] => [
      address,
      { ...hint, post_logout_redirect_uri: address },
    ]),
    ['an address of nobody', { post_logout_redirect_uri: goodbye }],
    ['a hint of another', { ...hint, client_id: other.clientId, post_logout_redirect_uri: goodbye }],
    ['an access token as hint', { id_token_hint: tokens.access_token, post_logout_redirect_uri: goodbye }],
    ['an unknown client', { client_id: 'x'.repeat(22), post_logout_redirect_uri: goodbye }],
  ]
  const breaches: string[] = []
  for (const [what, params] of wishes) {
    const { status, location, text } = await logOut(scene, params)
    if (status !== 400 || location !== '' || text.includes('evil')) {
      breaches.push(`${what}: ${status} ${location}`)
    }
  }
  refuteNothing(breaches)
  await requireSignedIn(scene, 'a refused logout')
  const { location } = await logOut(scene, {
    ...hint,
    client_id: application.clientId,
    post_logout_redirect_uri: goodbye,
    state: 'x',
  })
  if (location !== `${goodbye}?state=x`) refuteNothing([`the registered address: ${location}`])
  return `${wishes.length} wishes beside the registered address: each an error page, and the sign-in stands`
}

/** A page of another site signs nobody out; a page of ours asks. */
const proveQuestions = async (stage: Stage): Promise<string> => {
  const scene = await openScene(stage)
  const stranger = await openScene(stage)
  const wishes: [string, Params][] = [
    ['nothing', {}],
    ['a client', { client_id: scene.application.clientId, post_logout_redirect_uri: goodbye }],
    ['the hint of another person', { id_token_hint: stranger.tokens.id_token }],
  ]
  const breaches: string[] = []
  for (const [what, params] of wishes) {
    const { location } = await logOut(scene, params)
    if (!location.startsWith('/sign-in#logout=')) breaches.push(`with ${what}: ${location || 'no question'}`)
    const { status } = await scene.browser.call('POST', '/logout/confirm', params, {
      'sec-fetch-site': 'cross-site',
    })
    if (status !== 403) breaches.push(`a foreign page confirms with ${what}: ${status}`)
  }
  refuteNothing(breaches)
  await requireSignedIn(scene, 'a foreign page')
  return `${wishes.length} logouts of strangers: a question, and the sign-in stands`
}

const proveEnd = async (stage: Stage): Promise<string> => {
  const scene = await openScene(stage)
  const { browser, application, tokens } = scene
  const person = await door.newPerson(stage)
  const offline = await door.openSession(browser, person, application, {
    scope: 'openid offline_access',
    prompt: 'login',
  })
  const online = await door.openSession(browser, person, application)
  const { location } = await logOut(scene, { id_token_hint: offline.id_token })
  if (!location.startsWith('/sign-in#signed-out')) throw new Error(`the logout leads to ${location}`)
  for (const [what, one] of Object.entries({ offline, online, earlier: tokens })) {
    for (const url of stage.urls) {
      const again = await door.refresh(url, application, one.refresh_token)
      refuteNothing(unlessError(`a refresh of the ${what} session`, again))
    }
    await requireDead(stage.urls, one.access_token, `the ${what} session`)
  }
  const { location: late } = await browser.authorize(door.silentRequest(application))
  if (!late.includes('error=login_required')) refuteNothing([`the browser gets ${late}`])
  return 'the sign-in, its sessions and the session of the hint ended on every replica'
}

export const proveLogouts = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a logout leads to no address but a registered one', () => proveAddresses(stage))
  await prove('a logout that a stranger made ends nothing', () => proveQuestions(stage))
  await prove('a logout ends the sign-in with all of its sessions', () => proveEnd(stage))
}
