/** Providers of the installation: whose account their persons open. */
import {
  beginForConsole,
  consoleCodeIn,
  interactionOf,
  keepCookies,
  openBrowser,
  openConsole,
  type Browser,
  type Redirection,
} from '../../../lab/browser.ts'
import { ok, unique, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import { awaitMail, mailsTo } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { newAddress, newPerson, password, register, type Stage } from '../people/stage.ts'
import type { Provider } from '../sso/provider.ts'

export interface OpenProvider extends Provider {
  id: string
  slug: string
}

const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://localhost')
  return `${pathname}${search}`
}

/** Lets the browser sign in at the provider, and returns the path to which it sends the browser back. */
const signInAt = async (address: string): Promise<string> => {
  const answer = await fetch(address, { redirect: 'manual' })
  return pathOf(answer.headers.get('location') ?? '')
}

/** Makes the installation take persons of a provider, whose addresses count as proved. */
export const openProvider = async (
  { root, urls: [url = ''] }: Stage,
  provider: Provider,
): Promise<OpenProvider> => {
  const slug = unique('p').toLowerCase()
  const fields = { kind: 'oidc', slug, name: 'House', issuer: provider.issuer, trusts_email: true }
  const secret = { client_id: 'tenantry', client_secret: 'any' }
  const { id } = ok(await root.call('POST', '/providers', { ...fields, ...secret }))
  const test = await root.call('POST', `/providers/${id}/test`)
  const browser = openBrowser(url)
  keepCookies(browser.cookies, test.headers.getSetCookie())
  provider.person = { sub: unique('s'), email: newAddress(), email_verified: true }
  const { location } = await browser.open(pathOf(ok(test).url))
  await browser.open(await signInAt(location))
  ok(await root.call('PUT', `/providers/${id}`, { status: 'active' }))
  return Object.assign(provider, { id, slug })
}

export const personOf = (email: string, changes: object = {}) => ({
  sub: unique('s'),
  email,
  email_verified: true,
  ...changes,
})

interface Went {
  browser: Browser
  id: string
  /** The path of the provider's answer. */
  answer: string
}

/** Brings a browser to the provider, up to the provider's answer. */
export const goTo = async (url: string, provider: OpenProvider, person: object): Promise<Went> => {
  const browser = openBrowser(url)
  const id = interactionOf(await beginForConsole(browser, { prompt: 'login' }))
  provider.person = { ...person }
  const { location } = await browser.open(`/sso/start?provider=${provider.slug}&interaction=${id}`)
  return { browser, id, answer: await signInAt(location) }
}

/** The token of the console's session that the answer opens; undefined if it opens none. */
export const tokenAfter = async (browser: Browser, landed: Redirection): Promise<string | undefined> => {
  if (!landed.location.startsWith('/oauth2/resume/')) return undefined
  const code = consoleCodeIn((await browser.open(landed.location)).location)
  return code === undefined ? undefined : (await openConsole(browser, code)).data?.access_token
}

/** Adds the identity of a person to their account, by the account's password. */
export const addIdentity = async (
  stage: Stage,
  provider: OpenProvider,
  { email }: Session,
  person: object,
) => {
  const { browser, id, answer } = await goTo(stage.urls[0] ?? '', provider, person)
  await browser.open(answer)
  ok(await browser.act(id, 'password', { email, password }))
}

const victims = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const breaches: string[] = []
  const known = [(await newPerson(stage)).email, stage.home.admin.email, (await register(stage)).email]
  for (const email of known) {
    for (const changes of [{}, { email_verified: false }]) {
      const { browser, answer } = await goTo(stage.urls[0] ?? '', provider, personOf(email, changes))
      const token = await tokenAfter(browser, await browser.open(answer))
      if (token !== undefined) breaches.push(`${email} is opened without a proof`)
    }
  }
  refuteNothing(breaches)
  return `${known.length} accounts, verified and not`
}

/** A person who registered first with the victim's address, and never proved the mailbox. */
const prepared = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const { email } = await register(stage)
  const { browser, id, answer } = await goTo(stage.urls[0] ?? '', provider, personOf(email))
  await browser.open(answer)
  const { status } = await browser.act(id, 'password', { email, password })
  const step = (await browser.read(id)).data?.step
  if (status === 200 && step !== 'proof') {
    throw new Error('a prepared password links the owner of the mailbox')
  }
  return 'only the mailed link proves an account without an owner'
}

const proofLink = async ({ mailbox }: Stage, email: string): Promise<string> =>
  awaitMail(`proof to ${email}`, async () => {
    const found = (await mailsTo(mailbox, email)).map((source) => /#proof=3?D?([\w-]{43})/.exec(source)?.[1])
    return found.findLast((token) => token !== undefined)
  })

const links = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const { email } = await newPerson(stage)
  const attacker = await goTo(stage.urls[0] ?? '', provider, personOf(email))
  await attacker.browser.open(attacker.answer)
  ok(await attacker.browser.act(attacker.id, 'proof', {}))
  const token = await proofLink(stage, email)
  const breaches: string[] = []
  for (const url of stage.urls) {
    const victim = openBrowser(url)
    if ((await victim.act(attacker.id, 'proof', { token })).status === 200) {
      breaches.push(`a link counts in another browser at ${url}`)
    }
    const other = await goTo(url, provider, personOf(email))
    await other.browser.open(other.answer)
    if ((await other.browser.act(other.id, 'proof', { token })).status === 200) {
      breaches.push(`a link counts in another sign-in at ${url}`)
    }
  }
  refuteNothing(breaches)
  return `another browser, and another sign-in with the address, at ${stage.urls.length} replicas`
}

/** The lies of a provider that open a session. */
const believed = async (url: string, provider: OpenProvider, person: object): Promise<string[]> => {
  const lies = [
    { lies: { iss: 'https://elsewhere.example.com' } },
    { lies: { aud: 'another' } },
    { lies: { nonce: 'another' } },
    { isForging: true },
  ]
  const breaches: string[] = []
  for (const lie of lies) {
    Object.assign(provider, lie)
    const { browser, answer } = await goTo(url, provider, person)
    if (await tokenAfter(browser, await browser.open(answer))) breaches.push(`${JSON.stringify(lie)} counts`)
    Object.assign(provider, { lies: {}, isForging: false })
  }
  return breaches
}

const answers = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const [url = ''] = stage.urls
  const [person, user] = [personOf(''), await newPerson(stage)]
  await addIdentity(stage, provider, user, { ...person, email: user.email })
  const breaches = await believed(url, provider, person)
  const { browser, answer } = await goTo(url, provider, person)
  if ((await openBrowser(url).open(answer)).status === 303) breaches.push('another browser takes an answer')
  if (!(await tokenAfter(browser, await browser.open(answer)))) throw new Error('an honest answer is refused')
  for (const at of stage.urls) {
    const again = openBrowser(at, new Map(browser.cookies))
    if ((await again.open(answer)).status === 303) breaches.push(`an answer counts again at ${at}`)
  }
  refuteNothing(breaches)
  return 'a theft, replays and four lies'
}

/** Another account shows the answer of its own sign-in: the subject stays with its account. */
const subjects = async (stage: Stage, provider: OpenProvider): Promise<string> => {
  const [owner, thief] = [await newPerson(stage), await newPerson(stage)]
  const person = personOf(owner.email)
  await addIdentity(stage, provider, owner, person)
  const moved = await goTo(stage.urls[0] ?? '', provider, { ...person, email: thief.email })
  const token = await tokenAfter(moved.browser, await moved.browser.open(moved.answer))
  const profile = await stage.root.call('GET', '/profile', undefined, { token })
  if (profile.data?.email !== owner.email) {
    throw new Error('a subject moves to the account of its new address')
  }
  return 'a new address at the provider changes nothing'
}

export const proveProviders = async (stage: Stage, provider: OpenProvider, record: Prove): Promise<void> => {
  await record('a provider opens no account before its person has proved it', () => victims(stage, provider))
  await record('the password of an account without an owner links no identity', () =>
    prepared(stage, provider),
  )
  await record('a mailed proof counts in the browser of its sign-in alone', () => links(stage, provider))
  await record('an answer of a provider counts once, as its browser asked for it', () =>
    answers(stage, provider),
  )
  await record('a subject of a provider stays with its account', () => subjects(stage, provider))
}
