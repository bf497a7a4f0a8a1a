/** Guesses of secrets, and the places where one could be read. */
import { fingerprint, refuteNothing } from '../../attack.ts'
import {
  answerIn,
  formOf,
  interactionOf,
  newRequest,
  openBrowser,
  type Browser,
} from '../../../lab/browser.ts'
import { addKey, newUser, ok, request, type Answer, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import type { OpenStage } from './open-stage.ts'
import * as door from './stage.ts'
import { firstUrl, redirectUri, type Application, type Stage } from './stage.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
/** Wrong codes of a source in 15 minutes (docs/contract.md). */
const guessesMax = 10

const newDevice = async (url: string, { clientId }: Application) =>
  ok(await door.postForm(url, '/device_authorization', { client_id: clientId, scope: 'openid' })) as {
    device_code: string
    user_code: string
  }

/** Types a code at a page of the installation, from a source. */
const type = (browser: Browser, userCode: string, source: string): Promise<Answer> =>
  browser.call(
    'POST',
    '/interactions',
    { user_code: userCode },
    { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': source },
  )

const proveGuesses = async (stage: OpenStage): Promise<string> => {
  const url = firstUrl(stage)
  const grants = ['authorization_code', 'refresh_token', deviceGrant]
  const application = await door.newApplication(stage.root, { kind: 'native', grant_types: grants })
  const device = await newDevice(url, application)
  const [guesser, person] = [openBrowser(url), await door.newPerson(stage)]
  const statuses: number[] = []
  for (let at = 0; at < guessesMax + 2; at += 1) {
    statuses.push((await type(guesser, `BBBB-BBB${'BCDFGHJKLMNP'[at] ?? 'B'}`, '10.8.0.1')).status)
  }
  const late = await type(guesser, device.user_code, '10.8.0.1')
  const breaches = [
    ...(statuses.filter((status) => status === 404).length <= guessesMax
      ? []
      : [`guesses get ${statuses.join()}`]),
    ...(late.status === 429 ? [] : [`the right code after them gets ${late.status}`]),
  ]
  const browser = openBrowser(url)
  const { id } = ok(await type(browser, device.user_code.toLowerCase(), '10.8.0.2'))
  await door.answerAll(browser, id, person)
  const again = await type(browser, device.user_code, '10.8.0.2')
  if (again.status !== 404) breaches.push(`a code that was decided about gets ${again.status}`)
  const form = { grant_type: deviceGrant, device_code: device.device_code, client_id: application.clientId }
  ok(await door.postForm(url, '/token', form))
  breaches.push(...door.unlessError('a second token', await door.postForm(url, '/token', form)))
  refuteNothing(breaches)
  return `${guessesMax} wrong codes of a source, then 429, for the right one too; a code lets one device in`
}

/** An answer without the parts that name the requested address. */
const shapeOf = (answer: Answer, id: string, email: string): string =>
  fingerprint({ ...answer, text: answer.text.replaceAll(id, '<id>').replaceAll(email, '<email>') })
    .split('\n')
    .filter((line) => !/^(content-length|set-cookie|retry-after|x-ratelimit)/.test(line))
    .join('\n')

const proveEnumeration = async (stage: Stage): Promise<string> => {
  const url = firstUrl(stage)
  const application = await door.newApplication(stage.root)
  const [known, disabled] = [await door.newPerson(stage), await door.newPerson(stage)]
  ok(await stage.tenant.admin.call('PUT', `/users/${disabled.userId}`, { status: 0 }))
  const shapes = async (email: string): Promise<string[]> => {
    const browser = openBrowser(url)
    const id = interactionOf(await browser.authorize(newRequest(application.clientId, redirectUri).params))
    const acts: [string, object][] = [
      ['identify', { email }],
      ['password', { email, password: 'a wrong password' }],
    ]
    const found: string[] = []
    for (const [act, body] of acts) found.push(shapeOf(await browser.act(id, act, body), id, email))
    return found
  }
  const expected = await shapes(`nobody.${known.email}`)
  const breaches: string[] = []
  for (const [what, { email }] of Object.entries({ known, disabled })) {
    const found = await shapes(email)
    for (const [at, shape] of found.entries()) {
      if (shape !== expected[at]) {
        breaches.push(`act ${at} for a ${what} address: ${shape} instead of ${expected[at]}`)
      }
    }
  }
  refuteNothing(breaches)
  return 'a known address, a disabled one and an unknown one get the same answers to the byte'
}

/** Uses everything that has secrets, and returns the secrets. */
const useSecrets = async (stage: OpenStage, person: Session): Promise<[string, string][]> => {
  const { root, tenant } = stage
  const url = firstUrl(stage)
  const application = await door.newApplication(root)
  const browser = openBrowser(url)
  const code = await door.newCode(browser, person, application)
  await door.exchange(url, { ...application, secret: `${application.secret}x` }, code)
  const tokens = ok(await door.exchange(url, application, code)) as door.Tokens
  await door.exchange(url, application, code)
  const other = ok(await door.exchange(url, application, await door.newCode(browser, person, application)))
  const next = ok(await door.refresh(url, application, other.refresh_token)) as door.Tokens
  await request(url, 'GET', '/oauth2/userinfo', { token: next.access_token })
  const key = await addKey(tenant.admin, tenant.id, 'A proof of secrets')
  const credentials = { client_id: `sa_${key.userId}`, client_secret: key.token }
  await door.postForm(url, '/introspect', { ...credentials, token: next.access_token })
  const machine = ok(await door.postForm(url, '/token', { ...credentials, grant_type: 'client_credentials' }))
  await browser.open(
    `/oauth2/authorize?${formOf({ ...door.silentRequest(application), id_token_hint: tokens.id_token })}`,
  )
  await browser.open(`/oauth2/logout?${formOf({ id_token_hint: other.id_token })}`)
  await door.revoke(url, application, next.refresh_token)
  return [
    ['a code', code.code],
    ['a verifier', code.verifier],
    ['a secret', application.secret],
    ['a key', key.token],
    ['a password', person.password.padEnd(30, '!')],
    ['an access token', tokens.access_token],
    ['a refresh token', tokens.refresh_token],
    ['an ID token', tokens.id_token],
    ['the ID token of a logout', other.id_token],
    ['a rotated refresh token', next.refresh_token],
    ['the token of a service account', machine.access_token],
    ...[...browser.cookies].map(([name, value]): [string, string] => [`the cookie ${name}`, value]),
  ]
}

const proveSecrecy = async (stage: OpenStage): Promise<string> => {
  const { root, tenant, people } = stage
  const person = await newUser(root, tenant.id)
  const secrets = await useSecrets(stage, person)
  const records: string[] = []
  for (const by of [undefined, tenant.id]) {
    const { text } = await root.call('GET', '/audit/logs?page_size=100', undefined, by ? { tenant: by } : {})
    records.push(text)
  }
  const logged = people.log.join('\n')
  if (!logged.includes('/oauth2/token') || !records.join('').includes('application.code_reused')) {
    throw new Error('log or records lack what was done')
  }
  const breaches = secrets.flatMap(([what, value]) => [
    ...(logged.includes(value) ? [`${what} stands in the log`] : []),
    ...(records.some((text) => text.includes(value)) ? [`${what} stands in a record`] : []),
  ])
  refuteNothing(breaches)
  return `${secrets.length} secrets of a sign-in: none in ${people.log.length} lines of the log, nor in the records`
}

const headersOfPages = {
  'referrer-policy': /^no-referrer$/,
  'cache-control': /no-store/,
  'content-security-policy': /frame-ancestors 'none'/,
}

/** Answers that a browser shows, or follows with a code in its address. */
const proveHeaders = async (stage: Stage): Promise<string> => {
  const [url, person] = [firstUrl(stage), await door.newPerson(stage)]
  const application = await door.newApplication(stage.root)
  const browser = openBrowser(url)
  await door.newCode(browser, person, application)
  const { params } = newRequest(application.clientId, redirectUri)
  const pages = {
    'an error page': await browser.authorize({ ...params, redirect_uri: 'https://evil.example' }),
    'a refused logout': await browser.open('/oauth2/logout?post_logout_redirect_uri=https://evil.example'),
    'a redirect with a code': await browser.authorize(params),
    'a form with a code': await browser.authorize({ ...params, response_mode: 'form_post' }),
    'a redirect to the page': await openBrowser(url).authorize(params),
    'a question of a logout': await browser.open('/oauth2/logout'),
    'an interaction that is over': await browser.open('/oauth2/resume/00000000-0000-4000-8000-000000000009'),
  }
  if (answerIn(pages['a redirect with a code'].location).params['code'] === undefined) {
    throw new Error('no code')
  }
  if (!pages['a form with a code'].text.includes('name="code"')) throw new Error('no form with a code')
  const breaches = Object.entries(pages).flatMap(([what, { headers }]) =>
    Object.entries(headersOfPages).flatMap(([name, pattern]) =>
      pattern.test(headers.get(name) ?? '') ? [] : [`${what}: ${name} is ${headers.get(name) ?? 'missing'}`],
    ),
  )
  refuteNothing(breaches)
  return `${Object.keys(pages).length} answers: no frame, no cache, no referrer`
}

export const proveSecrets = async (
  stage: Stage,
  start: () => Promise<OpenStage>,
  prove: Prove,
): Promise<void> => {
  await prove('a sign-in tells nobody whether an address is known', () => proveEnumeration(stage))
  await prove('no page of a sign-in is framed, kept or named to another site', () => proveHeaders(stage))
  await prove('the code of a device is not guessed, and lets one device in', async () =>
    proveGuesses(await start()),
  )
  await prove('no secret, code, token or verifier stands in a log or a record', async () =>
    proveSecrecy(await start()),
  )
}
