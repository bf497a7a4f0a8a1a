import {
  beginForConsole,
  consoleCodeIn,
  openBrowser,
  openConsole,
  type Browser,
  type Redirection,
} from '../../../lab/browser.ts'
import { newTenant, ok, openedBy, request, unique, type Session } from '../../../lab/client.ts'
import { openNames, proveDomain, type Names } from '../../../lab/directory.ts'
import { startReplica } from '../../../lab/replica.ts'
import { smtpMailbox, type Mailbox } from '../../mailbox.ts'
import { ownStores, ownTarget, type Target } from '../../target.ts'
import { startProvider, type Provider } from './provider.ts'

/** A tenant with a domain and a connection. */
export interface Home {
  admin: Session
  domain: string
  connectionId: string
}

/** A home whose provider speaks OpenID Connect. */
export interface OidcHome extends Home {
  provider: Provider
}

/** An installation of the suite's own, whose domains are proved at a DNS server of the suite. */
export interface Stage {
  short: boolean
  root: Session
  names: Names
  mailbox: Mailbox
  /** Two replicas on services. */
  urls: string[]
  home: OidcHome
  foreign: OidcHome
  /** Another home, for a proof that changes it. */
  newHome: () => Promise<OidcHome>
  close: () => Promise<void>
}

/** One address for all replicas: links, passkeys and entity ids have it. */
export const publicUrl = 'https://sso.example.com'

/** The replica that sign-ins go to, which is the only one on the embedded database. */
export const firstUrl = ({ urls }: Pick<Stage, 'urls'>): string => urls[0] ?? ''

/** Begins a sign-in at a connection: for the interaction or the test in the query, else for the console. */
export const startSso = (browser: Browser, connection: string, query = ''): Promise<Redirection> =>
  query === ''
    ? beginForConsole(browser, { connection, prompt: 'login' })
    : browser.open(`/sso/start?connection=${connection}${query}`)

export const returnOf = async (
  browser: Browser,
  { connectionId, provider }: OidcHome,
  person: object,
  query = '',
): Promise<string> => {
  provider.person = { ...person }
  const { location } = await startSso(browser, connectionId, query)
  const answer = await fetch(location, { redirect: 'manual' })
  const { pathname, search } = new URL(answer.headers.get('location') ?? '')
  return `${pathname}${search}`
}

export const through = async (browser: Browser, home: OidcHome, person: object, query = '') =>
  browser.open(await returnOf(browser, home, person, query))

interface Pair {
  access_token: string
  refresh_token: string
}

/** The tokens of the console for its code, or undefined. */
export const exchange = async (browser: Browser, location: string): Promise<Pair | undefined> => {
  const code = consoleCodeIn(location)
  if (code === undefined) return undefined
  const { data } = await openConsole(browser, code)
  return data?.access_token ? data : undefined
}

/** Where a browser is sent after the provider's answer. */
export const placeAfter = async (
  browser: Browser,
  { location }: Pick<Redirection, 'location'>,
): Promise<Redirection | undefined> =>
  location.startsWith('/oauth2/resume/') ? browser.open(location) : undefined

/** The tokens of the console. Undefined if the browser is refused. */
const pairAfter = async (browser: Browser, landed: Pick<Redirection, 'location'>) =>
  exchange(browser, (await placeAfter(browser, landed))?.location ?? '')

export const tokenAfter = async (browser: Browser, landed: Pick<Redirection, 'location'>) =>
  (await pairAfter(browser, landed))?.access_token

export const personAt = ({ domain }: Pick<Home, 'domain'>, more: object = {}) => ({
  sub: unique('s'),
  email: `${unique('p')}@${domain}`,
  ...more,
})

export type Person = ReturnType<typeof personAt>

/** The session of a person who signs in by the provider. Throws if the service refuses. */
export const signInBy = async (url: string, home: OidcHome): Promise<Session> => {
  const [browser, person] = [openBrowser(url), personAt(home)]
  const pair = await pairAfter(browser, await through(browser, home, person))
  if (!pair) throw new Error(`${person.email} is kept out`)
  return openedBy(url, pair, { email: person.email, password: '' })
}

/** The status of a request with the token at a replica. */
export const statusAt = async (url: string, token: string): Promise<number> =>
  (await request(url, 'GET', '/api/v1/profile', { token })).status

export const postRefresh = (url: string, { refreshToken }: Pick<Session, 'refreshToken'>) =>
  request(url, 'POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } })

/** Connects a provider to a new tenant with a domain. `walk` brings somebody through a test, which activates it. */
export const connect = async (
  root: Session,
  names: Names,
  fields: object,
  walk: (browser: Browser, home: Home, query: string) => Promise<unknown>,
): Promise<Home> => {
  const { admin } = await newTenant(root)
  const domain = `${unique('d')}.example.com`
  await proveDomain(admin, names, domain)
  const body = { name: 'IdP', domains: [domain], ...fields }
  const { id: connectionId } = ok(await admin.call('POST', '/connections', body))
  const home = { admin, domain, connectionId }
  const { url } = ok(await admin.call('POST', `/connections/${connectionId}/test`))
  await walk(openBrowser(admin.base), home, url.slice(url.indexOf('&')))
  ok(await admin.call('PUT', `/connections/${connectionId}`, { status: 'active' }))
  return home
}

const openHome = async (root: Session, names: Names): Promise<OidcHome> => {
  const provider = await startProvider()
  const { issuer } = provider
  const fields = { type: 'oidc', issuer, client_id: 'tenantry', client_secret: 'any' }
  const home = await connect(root, names, fields, (browser, made, query) =>
    through(browser, { ...made, provider }, personAt(made), query),
  )
  return { ...home, provider }
}

export const openStage = async ({ kind, short }: Target): Promise<Stage> => {
  const [names, mailbox] = [await openNames(), await smtpMailbox()]
  const stores = await ownStores(kind)
  const env = {
    ...stores.env,
    ...names.env,
    ...mailbox.env,
    TENANTRY_SSO_PRIVATE_HOSTS: '127.0.0.1',
    TENANTRY_PUBLIC_URL: publicUrl,
  }
  const target = await ownTarget({ ...stores, env }, short)
  const second = kind === 'services' ? await startReplica(env) : undefined
  const { root, url } = target
  const homes: OidcHome[] = []
  const newHome = async () => {
    const home = await openHome(root, names)
    homes.push(home)
    return home
  }
  return {
    short,
    root,
    names,
    mailbox,
    urls: [url, ...(second ? [second.url] : [])],
    home: await newHome(),
    foreign: await newHome(),
    newHome,
    close: async () => {
      for (const { provider } of homes) await provider.stop()
      await second?.stop()
      await target.close()
      await mailbox.close()
      await names.stop()
    },
  }
}
