import { randomBytes, randomUUID } from 'node:crypto'
import { assign, patiently, removeTenants } from '../../attack.ts'
import { keepCookies } from '../../../lab/browser.ts'
import {
  addKey,
  newTenant,
  newUser,
  ok,
  request,
  roleId,
  signIn,
  unique,
  type Session,
} from '../../../lab/client.ts'
import { letProvision, proveDomain, type Names } from '../../../lab/directory.ts'
import { curveKey, metadataXml } from '../../../lab/saml.ts'
import type { Target } from '../../target.ts'
import type { Operation } from './operation.ts'
import type { Caller } from './headers.ts'
import type { Plan } from './plan.ts'
import type { Received, Sent } from './wire.ts'

const kinds = [
  'user',
  'session',
  'invitation',
  'factor',
  'role',
  'notification',
  'broadcast',
  'auditLog',
  'permission',
  'template',
  'application',
  'resource',
  'secret',
  'tenant',
  'key',
  'serviceAccount',
  'accountKey',
  'webhook',
  'connection',
  'scimUser',
  'scimGroup',
  'interaction',
] as const
type Kind = (typeof kinds)[number]

/** Ids for the placeholders: permanent ones, and the latest that the fuzzer created or deleted. */
interface Pool {
  base: (number | string)[]
  made: (number | string)[]
}

/** A caller: a session, and the refresh token of another session of the same user. */
export interface Actor {
  caller: Caller
  self: Session
  refresh: string
  /** Follows the fuzzer's own changes of it. */
  password: string
  cookies: Map<string, string>
}

/** The proof's own tenant, and all objects that its requests name. */
export interface World {
  target: Target
  run: string
  home: string
  /** A client of OAuth. */
  client: { id: string; secret: string }
  pools: Record<Kind, Pool>
  actors: Actor[]
  remove(): Promise<void>
}

const recent = 40

const nth = <T>(list: T[], n: number): T | undefined => list[n % Math.max(list.length, 1)]

const pick = ({ base, made }: Pool, n: number): string => {
  const value = n % 4 === 0 ? nth(base, n >> 2) : nth(made.slice(-recent), n >> 2)
  return String(value ?? nth(base, n) ?? 1)
}

/** Opens a second session, so that a refresh never ends the session that sends. */
const spareRefresh = async ({ base, email, password }: Session): Promise<string> =>
  (await signIn(base, email, password)).refreshToken

const actor = async (caller: Caller, self: Session): Promise<Actor> => ({
  caller,
  self,
  // No request refreshes a platform administrator's session; the anonymous caller presents tokens of others.
  refresh: isPerson(caller) ? await spareRefresh(self) : 'none',
  password: isPerson(caller) ? self.password : 'none',
  cookies: new Map(),
})

/** A user of the tenant: no platform administrator, and no key. */
const isPerson = (caller: Caller): boolean => !['platform', 'key', 'directory'].includes(caller)

const idsAt = async (root: Session, tenant: string, path: string): Promise<number[]> => {
  const list: { id: number }[] = ok(await root.call('GET', path, undefined, { tenant }))
  return list.map(({ id }) => id)
}

const emptyPools = (): World['pools'] => {
  const pools = Object.fromEntries(kinds.map((kind) => [kind, { base: [], made: [] }]))
  return pools as unknown as World['pools']
}

/** Creates a tenant that requests may change and delete instead of the proof's own. */
const spareTenant = async (root: Session): Promise<string> => {
  const slug = unique('spare')
  return ok(await root.call('POST', '/org/tenants', { name: slug, slug })).id as string
}

const fillPools = async (root: Session, home: string): Promise<World['pools']> => {
  const pools = emptyPools()
  pools.role.base = await idsAt(root, home, '/rbac/roles')
  pools.permission.base = await idsAt(root, home, '/rbac/permissions')
  pools.template.base = await idsAt(root, home, '/rbac/role-templates')
  pools.user.base = [(await newUser(root, home)).userId, (await newUser(root, home)).userId]
  const machine = await addKey(root, home, 'of the fuzzer')
  pools.serviceAccount.base = [machine.userId]
  pools.accountKey.base = [machine.keyId]
  const logs: { items: { id: number }[] } = ok(
    await root.call('GET', '/audit/logs', undefined, { tenant: home }),
  )
  pools.auditLog.base = logs.items.map(({ id }) => id)
  // The id of no session, because a request would end a real one.
  pools.session.base = [randomUUID()]
  const invited = { email: `${unique('invited')}@example.com` }
  pools.invitation.base = [ok(await root.call('POST', '/invitations', invited, { tenant: home })).id]
  pools.factor.base = [randomUUID()]
  pools.secret.base = [randomUUID()]
  pools.key.base = Array.from({ length: 20 }, (_, n) => `fuzz.key-${n}:a_b`)
  pools.tenant.base = [await spareTenant(root)]
  return pools
}

/** Callers of the standards: a directory, a client of OAuth, and a person at a browser, in a tenant of their own. */
const openSide = async (root: Session, pools: World['pools'], names: Names | undefined) => {
  const { id, admin } = await newTenant(root)
  const directory = await addKey(admin, id, 'directory')
  await letProvision(admin, directory.userId)
  const domains = ['fuzz.example.com']
  if (names) for (const domain of domains) await proveDomain(admin, names, domain)
  const connection = {
    type: 'saml',
    name: 'A provider',
    metadata: metadataXml('https://fuzz.example.com', curveKey('prime256v1').certificate),
    scim_account_id: directory.userId,
    domains: names ? domains : [],
  }
  pools.connection.base = [ok(await admin.call('POST', '/connections', connection)).id]
  for (const kind of ['interaction', 'scimUser', 'scimGroup'] as const) pools[kind].base = [randomUUID()]
  const application = {
    name: unique('fuzz '),
    kind: 'web',
    redirect_uris: ['https://fuzz.example.com/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const made = ok(await root.call('POST', '/applications', application))
  const client = { id: made.client_id as string, secret: made.secret as string }
  const remove = async () => {
    await patiently(() => root.call('DELETE', `/applications/${made.id}`))
    await removeTenants(root, [id])
  }
  return { client, remove, actors: { directory, application: admin, browser: await newUser(admin) } }
}

/** Applications and resources belong to the installation, which the next suite uses. */
const clearApplications = async (root: Session, { application, resource }: World['pools']): Promise<void> => {
  for (const [folder, { made }] of Object.entries({ applications: application, resources: resource })) {
    for (const id of new Set(made)) await patiently(() => root.call('DELETE', `/${folder}/${id}`))
  }
}

/** Every tenant of the next suite would have the templates of the fuzzer. */
const clearCatalogue = async (root: Session, home: string): Promise<void> => {
  for (const path of ['/rbac/role-templates', '/rbac/permissions']) {
    const ids = (await idsAt(root, home, path)).filter(
      (id) => id >= (path === '/rbac/permissions' ? 1000 : 100),
    )
    for (const id of ids) ok(await root.call('DELETE', `${path}/${id}`, undefined, { tenant: home }))
  }
}

/** Without `names` the directory has no domain, and pushes no user. */
export const openWorld = async (target: Target, names?: Names): Promise<World> => {
  const { root } = target
  const { id: home, admin } = await newTenant(root)
  const pools = await fillPools(root, home)
  const [member, nobody] = [await newUser(root, home), await newUser(root, home)]
  // A separate user: a change of password ends all other sessions of that user.
  const second = await newUser(root, home)
  const machine = await addKey(root, home, unique('caller'))
  for (const { userId } of [second, machine]) {
    await assign(root, home, userId, await roleId(root, home, 'admin'))
  }
  const side = await openSide(root, pools, names)
  const actors = await Promise.all([
    actor('administrator', admin),
    actor('administrator', second),
    actor('key', machine),
    actor('platform', root),
    actor('member', member),
    actor('nobody', nobody),
    actor('directory', side.actors.directory),
    actor('application', side.actors.application),
    actor('browser', side.actors.browser),
  ])
  const tenants = () => [...pools.tenant.base, ...pools.tenant.made].map(String)
  const remove = async () => {
    await clearApplications(root, pools)
    await clearCatalogue(root, home)
    await side.remove()
    await removeTenants(root, [home, ...tenants()])
  }
  return { target, run: unique('run'), home, client: side.client, pools, actors, remove }
}

const values: Record<string, (world: World, actor: Actor) => string> = {
  run: ({ run }) => run,
  home: ({ home }, { caller, self }) => (caller === 'platform' ? home : self.tenantId),
  client: ({ client }) => client.id,
  secret: ({ client }) => client.secret,
  basic: ({ client: { id, secret } }) => Buffer.from(`${id}:${secret}`).toString('base64'),
  cookies: (_world, { cookies }) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  self: (_world, { self }) => String(self.userId),
  email: (_world, { self }) => self.email,
  // The password goes into JSON text.
  password: (_world, { password }) => JSON.stringify(password).slice(1, -1),
  token: (_world, { self }) => self.token,
  refresh: (_world, { refresh }) => refresh,
  trace: () => randomBytes(16).toString('hex'),
}

const placeholder = /<(\w+)(?::(\d+))?>/g

const fill = (text: string, world: World, who: Actor): string =>
  text.replaceAll(placeholder, (whole, name: string, n: string | undefined) => {
    if (n !== undefined) return name in world.pools ? pick(world.pools[name as Kind], Number(n)) : whole
    return values[name]?.(world, who) ?? whole
  })

/** Replaces the placeholders of a request by ids of the service. */
export const realise = ({ operation, url, headers, body }: Plan, world: World, who: Actor): Sent => ({
  method: operation.method,
  url: fill(url, world, who),
  headers: headers.map(([name, value]) => [name, fill(value, world, who)]),
  body: typeof body === 'string' ? fill(body, world, who) : body,
})

const makers: Record<string, Kind> = {
  'POST /api/v1/users': 'user',
  'POST /api/v1/users/import': 'user',
  'POST /api/v1/auth/factors/totp': 'factor',
  'POST /api/v1/invitations': 'invitation',
  'POST /api/v1/rbac/roles': 'role',
  'POST /api/v1/notifications': 'notification',
  'POST /api/v1/notifications/broadcasts': 'broadcast',
  'POST /api/v1/org/tenants': 'tenant',
  'POST /api/v1/rbac/permissions': 'permission',
  'POST /api/v1/rbac/role-templates': 'template',
  'POST /api/v1/applications': 'application',
  'POST /api/v1/applications/{id}/secrets': 'secret',
  'POST /api/v1/resources': 'resource',
  'POST /api/v1/service-accounts': 'serviceAccount',
  'POST /api/v1/webhooks': 'webhook',
  'POST /api/v1/service-accounts/{id}/keys': 'accountKey',
  'POST /scim/v2/Users': 'scimUser',
  'POST /scim/v2/Groups': 'scimGroup',
}

interface Made {
  id?: number | string
  refresh_token?: string
  /** Of an import. */
  results?: { status: string; user_id?: number }[]
}

const dataOf = (text: string, { path }: Operation): Made => {
  const body = JSON.parse(text) as Made & { data?: Made | null }
  return path.startsWith('/scim/') ? body : (body.data ?? {})
}

const newPassword = ({ body }: Sent): string =>
  (JSON.parse(Buffer.from(body ?? '').toString()) as { new_password: string }).new_password

const hasMade = ({ method, isPage }: Operation, { status, text }: Received): boolean =>
  (status === 200 || status === 201) && text !== '' && method === 'POST' && !isPage

/** A browser keeps cookies, and the page of a sign-in has an interaction. */
const follow = ({ pools }: World, { cookies }: Actor, { headers }: Received): void => {
  keepCookies(cookies, headers['set-cookie'] ?? [])
  const [, id] = /#interaction=([\da-f-]{36})$/.exec(headers.location ?? '') ?? []
  if (id !== undefined) pools.interaction.made.push(id)
}

const idsIn = ({ id, results = [] }: Made): (number | string)[] => [
  ...(id === undefined ? [] : [id]),
  ...results.flatMap(({ status, user_id }) => (status === 'created' && user_id ? [user_id] : [])),
]

/** Adds the results of an acknowledged request to the pools; returns their ids. */
export const learn = (
  world: World,
  who: Actor,
  { operation, sent }: { operation: Operation; sent: Sent },
  answer: Received,
): (number | string)[] => {
  if (who.caller === 'browser') follow(world, who, answer)
  if (!hasMade(operation, answer)) return []
  if (operation.id === 'POST /api/v1/password') who.password = newPassword(sent)
  const made = dataOf(answer.text, operation)
  const { refresh_token: refresh } = made
  if (refresh !== undefined && !operation.path.endsWith('/register')) who.refresh = refresh
  const kind = makers[operation.id]
  if (kind === undefined) return []
  const ids = idsIn(made)
  world.pools[kind].made.push(...ids)
  return ids
}

/** Checks the probes and the session of the administrator. */
export const isAlive = async ({ url, root }: Target): Promise<boolean> => {
  const probes = await Promise.all(['/healthz', '/readyz'].map((path) => request(url, 'GET', path)))
  const profile = await patiently(() => root.call('GET', '/profile'))
  return [...probes, profile].every(({ status }) => status === 200)
}

/** Names callers whose sessions ended: their later requests were all refused, which proves nothing. */
export const lostCallers = async ({ actors }: World): Promise<string[]> => {
  const sessions = actors.filter(({ caller }) => caller !== 'nobody' && caller !== 'browser')
  const answers = await Promise.all(sessions.map(({ self }) => patiently(() => self.call('GET', '/ping'))))
  return sessions.filter((_, at) => answers[at]?.status !== 200).map(({ caller }) => caller)
}
