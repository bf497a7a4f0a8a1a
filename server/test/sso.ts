/** Connections of tenants to providers on loopback, and people who sign in by them. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Redirection } from '../../lab/browser.ts'
import { beginForConsole, consoleCodeIn, openBrowser, openConsole, type Browser } from './browser.ts'
import { ok, unique, type Tenant } from './factories.ts'
import { parts, service } from './harness.ts'
import { providerSecret, signInAt, startProvider, type TestProvider } from './provider.ts'

/** Proves a domain without DNS; `connectionId` is the connection that it leads to. */
export const insertDomain = async (
  tenantId: string,
  domain: string,
  connectionId?: string,
): Promise<void> => {
  await parts.store.transaction({ tenantId }, async (db) => {
    await db.run(sql`insert into domain_owners (domain, owner_tenant_id) values (${domain}, ${tenantId})`)
    await db.run(sql`
      insert into domains (tenant_id, domain, token, status, connection_id, created_at, verified_at, checked_at)
      values (${tenantId}, ${domain}, 'any', 'verified', ${connectionId ?? null}::uuid, now(), now(), now())`)
  })
}

export interface TestConnection {
  id: string
  tenantId: string
  domain: string
  provider: TestProvider
}

/** The fields of a connection to a provider of OpenID Connect, to which a domain leads. */
export const fieldsOf = ({ issuer }: Pick<TestProvider, 'issuer'>, domain: string) => ({
  type: 'oidc',
  name: 'Acme IdP',
  issuer,
  client_id: 'tenantry',
  client_secret: providerSecret,
  domains: [domain],
})

/** An active connection of OpenID Connect with a provider and a domain of its own. */
export const newConnection = async (
  tenant: Pick<Tenant, 'id' | 'admin'>,
  fields: object = {},
  lies: Record<string, unknown> = {},
): Promise<TestConnection> => {
  const provider = await startProvider([], lies)
  const domain = `${unique('d')}.example`
  await insertDomain(tenant.id, domain)
  const { id, callback_url: callback } = ok(
    await tenant.admin.post('/connections', { ...fieldsOf(provider, domain), ...fields }),
  )
  provider.allow(callback)
  await activate(tenant.id, id)
  return { id, tenantId: tenant.id, domain, provider }
}

/** Lets a connection be active without a test. */
export const activate = (tenantId: string, id: string): Promise<number> =>
  parts.store
    .scoped({ tenantId })
    .run(sql`update connections set status = 'active' where tenant_id = ${tenantId} and id = ${id}`)

/** The path of an address of the service under test, without its public host. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address, service.url)
  return `${pathname}${search}`
}

export type Person = Record<string, unknown>

/** A person of the provider, with an address in the domain of the connection. */
export const personAt = ({ domain }: Pick<TestConnection, 'domain'>, claims: Person = {}): Person => ({
  sub: randomUUID(),
  email: `${unique('p')}@${domain}`,
  name: 'Ada Lovelace',
  ...claims,
})

/** Begins at a connection: for the interaction or the test that a query names, else for the console. */
export const startSso = (browser: Browser, connection: string, query = ''): Promise<Redirection> =>
  query === ''
    ? beginForConsole(browser, { connection, prompt: 'login' })
    : browser.open(`/sso/start?connection=${connection}${query}`)

/** The address that the provider sends the browser back to. */
export const returnOf = async (
  browser: Browser,
  { id, provider }: TestConnection,
  person: Person | undefined,
  query = '',
): Promise<string> => {
  provider.person = person
  const { status, location, text } = await startSso(browser, id, query)
  if (status !== 303) throw new Error(`nothing began: ${status} ${text}`)
  return pathOf(await signInAt(provider, location))
}

/** Sends the browser to the provider and back. */
export const goThrough = async (
  browser: Browser,
  connection: TestConnection,
  person: Person | undefined,
  query = '',
): Promise<Redirection> => browser.open(await returnOf(browser, connection, person, query))

/** Follows our own redirections. */
export const follow = async (browser: Browser, { location }: Redirection): Promise<Redirection> =>
  browser.open(pathOf(location))

/** The tokens of the console, after a way to the provider and back. */
export const tokensOf = async (browser: Browser, landed: Redirection) => {
  const { location, text } = await follow(browser, landed)
  const code = consoleCodeIn(location)
  if (code === undefined) throw new Error(`no code: ${location} ${text}`)
  return openConsole(browser, code)
}

/** Signs a person in to the console, in a browser of their own. */
export const signInBySso = async (connection: TestConnection, person: Person, browser = openBrowser()) =>
  ok(await tokensOf(browser, await goThrough(browser, connection, person))) as {
    access_token: string
    refresh_token: string
  }

/** The last outcomes of a connection. */
export const attemptsOf = async (tenant: Pick<Tenant, 'admin'>, { id }: Pick<TestConnection, 'id'>) =>
  ok(await tenant.admin.get(`/connections/${id}/attempts`)).items
