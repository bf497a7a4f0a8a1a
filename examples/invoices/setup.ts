/**
 * Prepares Tenantry for this product: the catalogue, a service account with a key, and the application that people sign in
 * to. Key and client id go into `.env`. It works over the API, because a running service holds the embedded database. A
 * second run finds everything done and asks nothing.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { ApiError, createClient, type Client, type Role } from '@tenantry/client'
import { parse } from 'yaml'

interface Catalogue {
  permissions: { code: string; name: string; description: string }[]
  role_templates: { name: string; description: string; permissions: string[] }[]
}

const {
  TENANTRY_URL = 'http://localhost:8080',
  TENANTRY_KEY = '',
  CLIENT_ID = '',
  PORT = '3000',
} = process.env
const { TENANTRY_ADMIN_EMAIL: email, TENANTRY_ADMIN_PASSWORD: password } = process.env

/** The name of the service account, of its role and of its key. */
const name = 'Invoices backend'
/** `authz:check` asks about callers, and `tenant:enter` asks about those of every tenant. */
const codesOfService = ['authz:check', 'tenant:enter']

const catalogue = parse(await readFile(new URL('catalogue.yaml', import.meta.url), 'utf8')) as Catalogue

const say = (line: string): void => void process.stdout.write(`${line}\n`)

type State = 'done' | 'key refused' | 'something missing'

/** Asks with the key about the codes of the catalogue, as the guard will. */
const readState = async (): Promise<State> => {
  if (TENANTRY_KEY === '') return 'key refused'
  const service = createClient({ baseUrl: TENANTRY_URL, accessToken: TENANTRY_KEY })
  try {
    await service.authz.check({ permissions: catalogue.permissions.map(({ code }) => code) })
    return CLIENT_ID === '' ? 'something missing' : 'done'
  } catch (err) {
    if (err instanceof ApiError && err.status === 401) return 'key refused'
    if (err instanceof ApiError && err.reason === 'unknownPermission') return 'something missing'
    throw err
  }
}

/** Asks on the terminal. Typed text is not shown when it is secret. */
const ask = async (question: string, isSecret: boolean): Promise<string> => {
  if (!process.stdin.isTTY) {
    throw new Error('set TENANTRY_ADMIN_EMAIL and TENANTRY_ADMIN_PASSWORD, or run this on a terminal')
  }
  if (isSecret) process.stdout.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? silent : process.stdout
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const answer = await terminal.question(isSecret ? '' : question)
  terminal.close()
  if (isSecret) say('')
  return answer
}

const signIn = async (): Promise<Client> => {
  const client = createClient({ baseUrl: TENANTRY_URL })
  const { first_becomes_admin } = await client.auth.registration()
  if (first_becomes_admin) {
    throw new Error(`create the first administrator at ${TENANTRY_URL}, then try again`)
  }
  say(`Sign in at ${TENANTRY_URL} as platform administrator. This happens once.`)
  await client.auth.login({
    email: email ?? (await ask('E-mail: ', false)),
    password: password ?? (await ask('Password (not shown): ', true)),
  })
  return client
}

const idsOf = async (client: Client, codes: string[]): Promise<number[]> =>
  (await client.permissions.list()).filter(({ code }) => codes.includes(code)).map(({ id }) => id)

/** Adds everything that Tenantry lacks. `tenantry catalogue apply` would also change existing entries. */
const addCatalogue = async (client: Client): Promise<void> => {
  const permissions = await client.permissions.list()
  for (const entry of catalogue.permissions) {
    if (permissions.some(({ code }) => code === entry.code)) continue
    await client.permissions.create(entry)
    say(`+ permission ${entry.code}`)
  }
  const templates = await client.roleTemplates.list()
  for (const { permissions: codes, ...entry } of catalogue.role_templates) {
    if (templates.some((template) => template.name === entry.name)) continue
    await client.roleTemplates.create({ ...entry, permission_ids: await idsOf(client, codes) })
    say(`+ role template ${entry.name}: ${codes.join(', ')}`)
  }
}

const createRole = async (client: Client): Promise<Role> => {
  const role = await client.roles.create({ name })
  await client.roles.replacePermissions(role.id, await idsOf(client, codesOfService))
  return role
}

/** The service account with its role, in the built-in tenant. */
const prepareAccount = async (client: Client): Promise<number> => {
  const { items } = await client.serviceAccounts.list({ search: name })
  const account =
    items.find((one) => one.name === name) ??
    (await client.serviceAccounts.create({ name, description: 'The backend of the product' }))
  const role = (await client.roles.list()).find((one) => one.name === name) ?? (await createRole(client))
  const held = await client.roles.ofUser(account.id)
  if (!held.some(({ id }) => id === role.id)) {
    await client.roles.assign({ userId: account.id, roleId: role.id })
  }
  return account.id
}

/** Makes a new key, and revokes the ones that came before. */
const replaceKey = async (client: Client, accountId: number): Promise<string> => {
  const { keys } = client.serviceAccounts
  const earlier = await keys.list(accountId)
  for (const { id } of earlier) await keys.delete({ accountId, keyId: id })
  const { secret, prefix } = await keys.create(accountId, { name })
  say(`+ key ${prefix}… of the service account ${name}`)
  return secret
}

/** The application of the page in page/, by its client id. A page keeps no secret, so it has none. */
const prepareApplication = async (client: Client): Promise<string> => {
  const origins = [`http://localhost:${PORT}`, `http://127.0.0.1:${PORT}`]
  const fields = {
    name: 'Invoices',
    redirect_uris: origins.map((origin) => `${origin}/callback`),
    home_url: `${origins[0]}/`,
    post_logout_redirect_uris: origins.map((origin) => `${origin}/`),
    allowed_origins: origins,
  }
  const { items } = await client.applications.list({ search: fields.name, kind: 'browser' })
  const found = items.find((one) => one.name === fields.name && !one.is_third_party)
  if (found) return (await client.applications.update(found.id, fields)).client_id
  const created = await client.applications.create({ ...fields, kind: 'browser' })
  say(`+ application ${fields.name}`)
  return created.client_id
}

/** Writes `.env` anew, only for this user of the machine. */
const writeEnv = async (key: string, clientId: string): Promise<void> => {
  await rm('.env', { force: true })
  await writeFile('.env', `TENANTRY_KEY=${key}\nCLIENT_ID=${clientId}\n`, { mode: 0o600, flag: 'wx' })
  say(`Key and client id are in ${process.cwd()}/.env`)
}

const prepare = async (): Promise<void> => {
  const state = await readState()
  if (state === 'done') return
  const client = await signIn()
  await addCatalogue(client)
  const key = state === 'key refused' ? await replaceKey(client, await prepareAccount(client)) : TENANTRY_KEY
  await writeEnv(key, await prepareApplication(client))
}

/** Nothing listens at the address. Other failures of the network come from a service that runs. */
const isRefused = (err: unknown): boolean =>
  err instanceof Error && (('code' in err && err.code === 'ECONNREFUSED') || isRefused(err.cause))

const messageOf = (err: unknown): string => {
  if (!(err instanceof ApiError)) return err instanceof Error ? err.message : String(err)
  if (isRefused(err.cause)) return `Nothing listens at ${TENANTRY_URL}: run npm start first`
  if (err.status !== 0) return err.message
  return `Tenantry at ${TENANTRY_URL} did not answer, and may be starting or busy: look at its log, then try again`
}

await prepare().catch((err: unknown) => {
  process.stderr.write(`${messageOf(err)}\n`)
  process.exitCode = 1
})
