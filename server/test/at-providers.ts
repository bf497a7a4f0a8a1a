/** Sign-ins at a provider on loopback, for tests. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { consoleCodeIn, interactionOf, type Redirection } from '../../lab/browser.ts'
import { beginForConsole, openBrowser, openConsole, type Browser } from './browser.ts'
import { assign, builtIn, newUser, ok, systemRoleId, unique, type Caller } from './factories.ts'
import { parts, service } from './harness.ts'
import { deleteProviders, newProvider } from './provider-rows.ts'
import { providerSecret, signInAt, startProvider, type TestProvider } from './provider.ts'

export interface Made {
  id: string
  slug: string
  callback_url: string
}

/** A person as the provider describes the person. */
export const personOf = (changes: object = {}) => ({
  sub: randomUUID(),
  email: `${unique('p')}@example.com`,
  email_verified: true,
  name: 'Ada Lovelace',
  ...changes,
})
export type Person = ReturnType<typeof personOf>

export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, service.url)
  return `${pathname}${search}`
}

/** The id of a new interaction for the console. */
export const begin = async (browser: Browser): Promise<string> =>
  interactionOf(await beginForConsole(browser, { prompt: 'login' }))

export interface Went {
  browser: Browser
  id: string
  landed: Redirection
}

export const tokensOf = async ({ browser, landed }: Pick<Went, 'browser' | 'landed'>) => {
  const { location, text } = await browser.open(pathOf(landed.location))
  const code = consoleCodeIn(location)
  if (code === undefined) throw new Error(`no code: ${location} ${text}`)
  return ok(await openConsole(browser, code))
}

/** Makes the account of a user have an owner, or none. */
export const setOwner = (user: Pick<Caller, 'email'>, isOwned: boolean) =>
  parts.store.scoped({}).run(sql`
    update accounts set has_own_password = ${isOwned}, proved_email = case when ${isOwned} then email_folded end
    where email = ${user.email}`)

/** A provider on loopback and a platform administrator. Each test begins without providers of the installation. */
export const useProviders = () => {
  let root: Caller | undefined
  let idp: TestProvider | undefined
  beforeAll(async () => {
    root = await newUser(builtIn.id)
    await assign(builtIn.id, root.userId, systemRoleId('platform-admin'))
    idp = await startProvider()
  })
  afterAll(async () => idp?.stop())
  afterEach(deleteProviders)
  const site = (): TestProvider => {
    if (!idp) throw new Error('the provider has not started')
    return idp
  }
  const admin = (): Caller => {
    if (!root) throw new Error('there is no administrator yet')
    return root
  }

  const create = async (changes: object = {}): Promise<Made> => {
    const fields = { kind: 'oidc', issuer: site().issuer, client_secret: providerSecret, trusts_email: true }
    const made = ok(await admin().post('/providers', newProvider({ ...fields, ...changes })))
    site().allow(made.callback_url)
    return made
  }

  const activate = async (changes: object = {}): Promise<Made> => {
    const made = await create(changes)
    await parts.store.scoped({}).run(sql`update providers set status = 'active' where id = ${made.id}`)
    return made
  }

  /** The address that the provider sends the browser back to. */
  const returnOf = async (browser: Browser, id: string, { slug }: Made, person: object | undefined) => {
    site().person = person as Record<string, unknown> | undefined
    const { location, status, text } = await browser.open(`/sso/start?provider=${slug}&interaction=${id}`)
    if (status !== 303) throw new Error(`nothing began: ${status} ${text}`)
    return pathOf(await signInAt(site(), location))
  }

  const goTo = async (provider: Made, person: object | undefined, browser = openBrowser()): Promise<Went> => {
    const id = await begin(browser)
    return { browser, id, landed: await browser.open(await returnOf(browser, id, provider, person)) }
  }

  return { site, admin, create, activate, returnOf, goTo }
}
