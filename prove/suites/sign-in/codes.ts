import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { answerIn, newRequest, openBrowser, type Params } from '../../../lab/browser.ts'
import { ok, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, unlessError, userinfo, type Application, type Stage } from './stage.ts'

/** A session that ends at one replica is refused at the others within this time (docs/contract.md). */
export const boundMs = 2000

/** Throws unless the token is refused at every replica in time. */
export const requireDead = async (urls: string[], token: string, what: string): Promise<void> => {
  const deadline = Date.now() + boundMs
  for (const url of urls) {
    let status = await userinfo(url, token)
    for (; status !== 401 && Date.now() < deadline; status = await userinfo(url, token)) await sleep(20)
    if (status !== 401) refuteNothing([`${what} answers ${status} at userinfo`])
  }
}

const proveOnce = async (stage: Stage, application: Application, person: Session): Promise<string> => {
  const { urls, short } = stage
  const [rounds, width] = [short ? 5 : 40, 6]
  let opened = 0
  for (let round = 0; round < rounds; round += 1) {
    const code = await door.newCode(openBrowser(firstUrl(stage)), person, application)
    const uses = Array.from({ length: width }, (_, at) =>
      door.exchange(urls[at % urls.length] ?? '', application, code),
    )
    const answers = await Promise.all(uses)
    const won = answers.filter(({ status }) => status === 200)
    if (won.length > 1) throw new Error(`one code opened ${won.length} sessions`)
    refuteNothing(
      answers.filter((one) => !won.includes(one)).flatMap((one) => unlessError('a second use', one)),
    )
    for (const { body } of won) {
      await requireDead(urls, body.access_token, 'the session of a code that was used again')
      refuteNothing(
        unlessError('its refresh', await door.refresh(firstUrl(stage), application, body.refresh_token)),
      )
    }
    opened += won.length
  }
  return `${rounds} codes, each used ${width} times at once: ${opened} sessions opened, and ended by the second use`
}

const proveLater = async (stage: Stage, application: Application, person: Session): Promise<string> => {
  const url = firstUrl(stage)
  const code = await door.newCode(openBrowser(url), person, application)
  const { access_token: token } = ok(await door.exchange(url, application, code))
  if ((await userinfo(url, token)) !== 200) throw new Error('the session of a code is refused')
  refuteNothing(unlessError('a second use', await door.exchange(url, application, code)))
  await requireDead(stage.urls, token, 'the session of a code that was used again')
  const path = `/audit/logs?action=application.code_reused&about_user_id=${person.userId}`
  const { total } = ok(await stage.root.call('GET', path, undefined, { tenant: stage.tenant.id }))
  if (total === 0) throw new Error('no record tells of the second use')
  return 'a second use ends the session of the first, and is recorded'
}

const proveBinding = async (stage: Stage, application: Application, person: Session): Promise<string> => {
  const url = firstUrl(stage)
  const browser = openBrowser(url)
  const other = await door.newApplication(stage.root)
  const { verifier: another } = newRequest('', '')
  const wrong: [string, Application, Params][] = [
    ['another client', other, {}],
    ['another address', application, { redirect_uri: 'https://app.example.com/other' }],
    ['another verifier', application, { code_verifier: another }],
    ['no verifier', application, { code_verifier: undefined }],
    ['another resource', application, { resource: 'https://other.example.com/' }],
  ]
  const breaches: string[] = []
  for (const [what, by, changes] of wrong) {
    const code = await door.newCode(browser, person, application)
    const answer = await door.exchange(url, by, code, changes)
    if (answer.status === 200) breaches.push(`a code with ${what} opens a session`)
    breaches.push(...unlessError(`a code after ${what}`, await door.exchange(url, application, code)))
  }
  refuteNothing(breaches)
  return `${wrong.length} wrong exchanges: refused, and each uses its code up`
}

/** A client that is a public one may be imitated, and an own one with a secret sends a nonce in place of PKCE. */
const provePkce = async (stage: Stage, application: Application, person: Session): Promise<string> => {
  const url = firstUrl(stage)
  const browser = openBrowser(url)
  await door.newCode(browser, person, application)
  const open = await door.newApplication(stage.root, { kind: 'browser' })
  const none = { code_challenge: undefined, code_challenge_method: undefined }
  const weak: [string, Application, Params][] = [
    ['no challenge', open, none],
    ['a nonce of a public client', open, { ...none, nonce: 'n' }],
    ['no challenge, no nonce', application, none],
    ['the method plain', open, { code_challenge_method: 'plain' }],
    ['the method left out', open, { code_challenge_method: undefined }],
    ['a method without challenge', open, { code_challenge: undefined }],
    ['a short challenge', open, { code_challenge: 'x' }],
  ]
  const breaches: string[] = []
  for (const [what, { clientId }, changes] of weak) {
    const { location } = await browser.authorize(newRequest(clientId, redirectUri, changes).params)
    const { error } = answerIn(location).params
    if (error !== 'invalid_request') breaches.push(`${what}: ${location}`)
  }
  // The verifier of a downgraded code counts for nothing.
  const bare = await door.newCode(browser, person, application, { ...none, nonce: 'n' })
  breaches.push(...unlessError('a verifier without challenge', await door.exchange(url, application, bare)))
  const shown = await door.newCode(browser, person, open)
  const without = await door.exchange(url, open, shown, { code_verifier: undefined })
  breaches.push(...unlessError('a challenge without verifier', without))
  refuteNothing(breaches)
  return `${weak.length} weak requests get no code, and a code without its verifier no token`
}

export const proveCodes = async (stage: Stage, prove: Prove): Promise<void> => {
  const [application, person] = [await door.newApplication(stage.root), await door.newPerson(stage)]
  await prove('a code opens one session, also at once and at every replica', () =>
    proveOnce(stage, application, person),
  )
  await prove('a second use of a code ends the session of the first', () =>
    proveLater(stage, application, person),
  )
  await prove('a code serves its client, address, resource and verifier alone', () =>
    proveBinding(stage, application, person),
  )
  await prove('there is no code without PKCE, and no token without its verifier', () =>
    provePkce(stage, application, person),
  )
}
