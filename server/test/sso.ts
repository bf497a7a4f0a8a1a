/** Connections of tenants to providers on loopback, and people who sign in by them. */
import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Redirection } from '../../lab/browser.ts'
import { openBrowser, type Browser } from './browser.ts'
import { ok, unique, type Tenant } from './factories.ts'
import { call, parts, service } from './harness.ts'
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

/** The path of an address of the service under test, whatever its public address. */
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

/** The address that the provider sends the browser back to. */
export const returnOf = async (
  browser: Browser,
  { id, provider }: TestConnection,
  person: Person | undefined,
  query = '',
): Promise<string> => {
  provider.person = person
  const { status, location, text } = await browser.open(`/sso/start?connection=${id}${query}`)
  if (status !== 303) throw new Error(`nothing began: ${status} ${text}`)
  return pathOf(await signInAt(provider, location))
}

/** Goes to the provider and back. */
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
  const [, code] = /\/console\/sso#code=([\w-]{43})/.exec(location) ?? []
  if (code === undefined) throw new Error(`no code: ${location} ${text}`)
  return exchange(browser, code)
}

/** Exchanges the code of the console in a browser. */
export const exchange = async (browser: Browser, code: string) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return call('POST', '/auth/sso', { body: { code }, headers: { cookie } })
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
