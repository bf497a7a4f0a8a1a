/** Responses of SAML, honest and not. */
import { openBrowser, type Browser } from '../../../lab/browser.ts'
import { unique } from '../../../lab/client.ts'
import { samlFloods } from '../../../lab/saml-floods.ts'
import {
  answerTo,
  assertionXml,
  attributeXml,
  metadataXml,
  posted,
  readRequest,
  responseAround,
  responseXml,
  rsaKey,
  signXml,
  type Parts,
  type SamlKey,
} from '../../../lab/saml.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { connect, firstUrl, startSso, tokenAfter, type Home, type Stage } from './stage.ts'

interface Entity {
  entityId: string
  key: SamlKey
}

type SamlHome = Home & Entity

/** The honest parts of an answer about a new person of the domain, to the request that a browser brings. */
const begin = async (
  browser: Browser,
  { connectionId, domain }: Home,
  entityId: string,
  query = '',
): Promise<Parts> => {
  const { location } = await startSso(browser, connectionId, query)
  const attributes = attributeXml('email', `${unique('p')}@${domain}`)
  return { ...answerTo(readRequest(location), entityId), nameId: unique('s'), attributes }
}

const signed = (parts: Partial<Parts>, key: SamlKey): string => signXml(responseXml(parts), { key })

/** A page of the provider posts: no cookie of ours comes along. Resolves with the place of the outcome, if there is one. */
const post = async (url: string, { connectionId }: Home, xml: string): Promise<string | undefined> => {
  const form = new URLSearchParams({ SAMLResponse: posted(xml) }).toString()
  const answer = await fetch(`${url}/sso/saml/${connectionId}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  if (answer.status === 429) throw new Error('the limit on attempts hides what a response costs')
  return answer.headers.get('location') ?? undefined
}

const openSamlHome = async ({ root, names }: Stage): Promise<SamlHome> => {
  const [entityId, key] = [`https://${unique('idp')}.example.com`, rsaKey()]
  const fields = { type: 'saml', metadata: metadataXml(entityId, key.certificate) }
  const home = await connect(root, names, fields, async (browser, made, query) => {
    const parts = await begin(browser, made, entityId, query)
    const place = await post(browser.base, made, signed(parts, key))
    return browser.open(place ?? '')
  })
  return { ...home, entityId, key }
}

const signatureIn = (xml: string): string => /<ds:Signature .*<\/ds:Signature>/.exec(xml)?.[0] ?? ''

/** An honest response beside an assertion of the attacker's, in the places of the known wrappings. */
const wrappings = (parts: Parts, { key }: Entity): Record<string, string> => {
  const evilParts = { ...parts, assertionId: '_evil', responseId: '_mallory', nameId: unique('evil') }
  const evil = assertionXml(evilParts)
  const [honest, bare] = [signed(parts, key), assertionXml(parts)]
  const signature = signatureIn(honest)
  const whole = signXml(responseXml(parts), { key, of: 'Response' })
  const object = (content: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)
  const inEvil = (content: string) => evil.replace('</saml:Issuer>', `</saml:Issuer>${content}`)
  return {
    'an assertion before the signed one': honest.replace('<saml:Assertion', `${evil}<saml:Assertion`),
    'an assertion behind the signed one': honest.replace('</samlp:Response>', `${evil}</samlp:Response>`),
    'the signed assertion inside': responseAround(evilParts, inEvil(signature + bare)),
    'the signed assertion behind its signature': responseAround(evilParts, inEvil(signature) + bare),
    'the signed assertion in an Object': responseAround(evilParts, inEvil(object(bare))),
    'the signature of another assertion': responseAround(evilParts, inEvil(signature)),
    'an assertion added to a signed response': whole.replace('</samlp:Response>', `${evil}</samlp:Response>`),
    'another name under the signature': honest.replace(parts.nameId, unique('evil')),
  }
}

/** Answers that the provider of the connection did not give for this sign-in. */
const wrongAnswers = (parts: Parts, home: SamlHome, foreign: SamlHome): Record<string, string> => {
  const { key, entityId, connectionId } = home
  const elsewhere = parts.acsUrl.replace(connectionId, foreign.connectionId)
  const strange = rsaKey()
  const keyInfo = `<ds:X509Data><ds:X509Certificate>${strange.certificate}</ds:X509Certificate></ds:X509Data>`
  const theirs = { ...parts, issuer: foreign.entityId, responseIssuer: foreign.entityId }
  const past = '2026-01-01T00:00:00Z'
  return {
    'no signature': responseXml(parts),
    'a key in the message': signXml(responseXml(parts), { key: strange, keyInfo }),
    'the key of another provider': signed(parts, foreign.key),
    'another provider': signed(theirs, foreign.key),
    'another issuer': signed(theirs, key),
    'another audience': signed({ ...parts, audience: elsewhere.replace(/acs$/, 'metadata') }, key),
    'our entity id as issuer': signed({ ...parts, issuer: parts.audience }, key),
    'another recipient': signed({ ...parts, acsUrl: elsewhere }, key),
    'another destination': signed({ ...parts, destination: elsewhere }, key),
    'an assertion of another sign-in': signed({ ...parts, requestId: '_another' }, key).replace(
      /InResponseTo="_another"/,
      `InResponseTo="${parts.requestId}"`,
    ),
    'an answer of the past': signed({ ...parts, notOnOrAfter: past, confirmedUntil: past }, key),
    'a comment in the name': signed(parts, key).replace(parts.nameId, `${parts.nameId}<!-- -->.evil`),
    ...wrappings(parts, { key, entityId }),
  }
}

const proveWrong = async (stage: Stage, home: SamlHome, foreign: SamlHome): Promise<string> => {
  const url = firstUrl(stage)
  const breaches: string[] = []
  const letsIn = async (forge: (parts: Parts) => string | undefined): Promise<boolean> => {
    const browser = openBrowser(url)
    const place = await post(url, home, forge(await begin(browser, home, home.entityId)) ?? '')
    return place !== undefined && (await tokenAfter(browser, await browser.open(place))) !== undefined
  }
  const kinds = Object.keys(wrongAnswers(answerTo({ id: '_any', acsUrl: '' }, ''), home, foreign))
  for (const kind of kinds) {
    if (await letsIn((parts) => wrongAnswers(parts, home, foreign)[kind])) breaches.push(`${kind} lets in`)
  }
  if (!(await letsIn((parts) => signed(parts, home.key)))) breaches.push('an honest response is refused')
  refuteNothing(breaches)
  return `${kinds.length} responses, ${Object.keys(wrappings(answerTo({ id: '', acsUrl: '' }, ''), home)).length} of them wrapped`
}

/** The users of the tenant. */
const countOf = async ({ admin }: Home): Promise<number> =>
  (await admin.call('GET', '/users?page_size=1')).data.total

const countTrue = async (answers: Promise<boolean>[]): Promise<number> =>
  (await Promise.all(answers)).filter(Boolean).length

/** Posts one response many times at once at every replica, and takes its outcome as often. */
const replay = async ({ urls }: Stage, home: SamlHome): Promise<string[]> => {
  const browser = openBrowser(urls[0] ?? '')
  const before = await countOf(home)
  const response = signed(await begin(browser, home, home.entityId), home.key)
  const everywhere = [...urls, ...urls, ...urls]
  const postAll = async () =>
    (await Promise.all(everywhere.map((url) => post(url, home, response)))).filter((one) => one !== undefined)
  const places = await postAll()
  const opens = async (url: string, cookies: Map<string, string>): Promise<boolean> => {
    const other = openBrowser(url, cookies)
    return (await tokenAfter(other, await other.open(places[0] ?? ''))) !== undefined
  }
  const openAll = (cookies?: Map<string, string>) =>
    countTrue(everywhere.map((url) => opens(url, new Map(cookies))))
  const counts: Record<string, [number, number]> = {
    'posts that are taken': [places.length, 1],
    'sessions in other browsers': [await openAll(), 0],
    'sessions in the browser that began': [await openAll(browser.cookies), 1],
    'sessions in it later': [await openAll(browser.cookies), 0],
    'later posts that are taken': [(await postAll()).length, 0],
    'new users': [(await countOf(home)) - before, 1],
  }
  return Object.entries(counts).flatMap(([what, [count, expected]]) =>
    count === expected ? [] : [`${count} ${what}`],
  )
}

const proveOnce = async (stage: Stage, home: SamlHome): Promise<string> => {
  const rounds = stage.short ? 5 : 25
  const breaches: string[] = []
  for (let round = 0; round < rounds; round += 1) breaches.push(...(await replay(stage, home)))
  refuteNothing(breaches)
  return `${rounds} responses, each posted many times at once at ${stage.urls.length} replicas`
}

/** The time of a post for a new attempt. */
const timeOf = async (stage: Stage, home: SamlHome, forge: (parts: Parts) => string): Promise<number> => {
  const url = firstUrl(stage)
  const xml = forge(await begin(openBrowser(url), home, home.entityId))
  const start = performance.now()
  await post(url, home, xml)
  return performance.now() - start
}

/**
 * The bound of a stranger's response, as a multiple of an honest one's cost. The machine can be slow, and have other
 * work.
 */
const costMax = 6
const triesMax = 5

/** Compares the best of some posts with the median of as many honest ones. */
const proveCost = async (stage: Stage, home: SamlHome): Promise<string> => {
  const [stranger, honest, breaches] = [rsaKey(), [] as number[], [] as string[]]
  for (let tries = 0; tries < triesMax; tries += 1) {
    honest.push(await timeOf(stage, home, (parts) => signed(parts, home.key)))
  }
  const bound = costMax * (honest.toSorted((one, other) => one - other)[Math.floor(triesMax / 2)] ?? 0)
  const names = [...samlFloods(stranger, stranger).keys()].filter((name) => !name.endsWith('by the provider'))
  for (const name of names) {
    const flood = (parts: Parts) => samlFloods(stranger, stranger, parts).get(name) ?? ''
    let best = Infinity
    for (let tries = 0; tries < triesMax && best > bound; tries += 1) {
      best = Math.min(best, await timeOf(stage, home, flood))
    }
    if (best > bound) breaches.push(`${name}: ${Math.round(best)} ms, above ${Math.round(bound)}`)
  }
  refuteNothing(breaches)
  return `${names.length} responses of strangers, up to 256 KiB`
}

export const proveResponses = async (stage: Stage, prove: Prove): Promise<void> => {
  const [home, foreign] = [await openSamlHome(stage), await openSamlHome(stage)]
  await prove('a response of SAML counts as its provider signed it, for this sign-in alone', () =>
    proveWrong(stage, home, foreign),
  )
  await prove('a response of SAML opens one session, once, at one replica', () => proveOnce(stage, home))
  await prove('a response of SAML by a stranger stops no process', () => proveCost(stage, home))
}
