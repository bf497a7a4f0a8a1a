import { randomBytes, randomUUID } from 'node:crypto'
import { addRole, addUser, assign, password, patiently, removeTenants } from '../../attack.ts'
import {
  addKey,
  newTenant,
  newUser,
  ok,
  roleId,
  signIn,
  unique,
  type Answer,
  type Session,
} from '../../../lab/client.ts'
import type { Ids, Operation } from '../../operations.ts'
import { addApp } from '../../second-factor.ts'

export interface Tenant {
  id: string
  slug: string
  admin: Session
  ids: Ids
  /** A mark in every text of the tenant and nowhere else. */
  marker: string
}

/** The owners of the ids that an attack uses in place of the caller's own. */
export const strangers = ['never', 'other', 'disabled', 'gone', 'goneTenant'] as const
export type Stranger = (typeof strangers)[number]

/** An attacking tenant, the attacked tenants, and ids that the attacker does not own. */
export interface World {
  root: Session
  home: Tenant
  member: Session
  /** A service account with the role of an administrator. */
  machine: Session
  others: Tenant[]
  ids: Record<Stranger, Ids>
  /** Answers that contained data of the others. */
  leaks: string[]
  answers: number
  remove(): Promise<void>
}

const newMarker = () => `zq${randomBytes(6).toString('hex')}`

/** Creates a webhook. A tenant has at most 20: those of earlier operations make room. */
const addWebhook = async (root: Session, tenant: string, marker: string): Promise<number> => {
  const earlier: { id: number }[] = ok(await root.call('GET', '/webhooks', undefined, { tenant }))
  for (const { id } of earlier.slice(0, -5)) {
    ok(await root.call('DELETE', `/webhooks/${id}`, undefined, { tenant }))
  }
  const hook = { url: 'https://example.com/', events: ['*'], description: `${marker} hook` }
  return ok(await root.call('POST', '/webhooks', hook, { tenant })).id
}

/** Creates one object of each kind in a tenant. Keys of settings reveal nothing: the caller chooses them. */
const populate = async (root: Session, tenant: string, marker: string): Promise<Ids> => {
  const user = await addUser(root, tenant, `${marker}.${unique('user')}`)
  const role = await addRole(root, tenant, { name: `${marker} ${unique('role')}`, permissions: [] })
  const note = { user_id: user, title: `${marker} title`, content: `${marker} content` }
  const notification: number = ok(await root.call('POST', '/notifications', note, { tenant })).id
  const all = { title: `${marker} broadcast`, content: `${marker} content` }
  const broadcast: number = ok(await root.call('POST', '/notifications/broadcasts', all, { tenant })).id
  const machine = await addKey(root, tenant, `${marker} ${unique('service')}`)
  const invited = { email: `${unique('invited')}@example.com`, nickname: `${marker} invited` }
  const invitation: number = ok(await root.call('POST', '/invitations', invited, { tenant })).id
  const webhook = await addWebhook(root, tenant, marker)
  const key = unique('prove.key.')
  ok(await root.call('PUT', `/settings/tenant/${key}`, { value: { secret: marker } }, { tenant }))
  const { items }: { items: { id: number }[] } = ok(
    await root.call('GET', '/audit/logs?page_size=1', undefined, { tenant }),
  )
  return {
    user,
    role,
    session: randomUUID(),
    factor: randomUUID(),
    notification,
    broadcast,
    invitation,
    serviceAccount: machine.userId,
    accountKey: machine.keyId,
    webhook,
    auditLog: items[0]?.id ?? 0,
    tenant,
    key,
    text: marker,
    permission: 1,
    template: 4,
    application: Number.MAX_SAFE_INTEGER,
    resource: Number.MAX_SAFE_INTEGER,
    secret: randomUUID(),
    globalKey: unique('prove.none.'),
    flag: unique('prove.none.'),
  }
}

const idOf = ({ token }: Session): string => {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }
  return claims.sid
}

/** Signs a user in; gives the id of the session. */
const sessionOf = async (root: Session, email: string): Promise<string> =>
  idOf(await signIn(root.base, email, password))

/** Signs the user of the ids in, and adds a second factor, so that an attack can name both. */
const withSession = async (root: Session, ids: Ids): Promise<Ids> => {
  const path = `/users/${ids.user}`
  const { email } = ok(await root.call('GET', path, undefined, { tenant: String(ids.tenant) }))
  const session = await signIn(root.base, email, password)
  const { id: factor } = await addApp(session)
  return { ...ids, session: idOf(session), factor }
}

const openTenant = async (root: Session): Promise<Tenant> => {
  const { id, slug, admin } = await newTenant(root)
  const marker = newMarker()
  return { id, slug, admin, marker, ids: await withSession(root, await populate(root, id, marker)) }
}

/** Deletes the objects of a populated tenant. */
const erase = async (root: Session, ids: Ids): Promise<void> => {
  const paths = [
    `/notifications/${ids.notification}`,
    `/invitations/${ids.invitation}`,
    `/webhooks/${ids.webhook}`,
    `/users/${ids.user}`,
    `/service-accounts/${ids.serviceAccount}`,
    `/rbac/roles/${ids.role}`,
    `/settings/tenant/${ids.key}`,
  ]
  for (const path of paths) ok(await root.call('DELETE', path, undefined, { tenant: String(ids.tenant) }))
}

/** An id larger than any that will exist, and still valid in a path. */
const never = (): Ids => {
  const id = Number.MAX_SAFE_INTEGER
  const key = unique('prove.key.')
  return {
    user: id,
    role: id,
    session: randomUUID(),
    factor: randomUUID(),
    notification: id,
    broadcast: id,
    invitation: id,
    serviceAccount: id,
    accountKey: id,
    webhook: id,
    auditLog: id,
    tenant: randomUUID(),
    key,
    text: newMarker(),
    permission: 1,
    template: 4,
    application: Number.MAX_SAFE_INTEGER,
    resource: Number.MAX_SAFE_INTEGER,
    secret: randomUUID(),
    globalKey: key,
    flag: key,
  }
}

/** Returns ids of deleted objects in the attacker's tenant, and ids of a tenant that was deleted whole. */
const buryTenants = async (root: Session, home: Tenant) => {
  const gone = await withSession(root, await populate(root, home.id, newMarker()))
  await erase(root, gone)
  const buried = await openTenant(root)
  await removeTenants(root, [buried.id])
  // Objects without a deletion of their own disappear with their tenant.
  const { tenant, auditLog } = buried.ids
  return { gone: { ...gone, tenant, auditLog }, goneTenant: buried.ids }
}

const disable = async (root: Session, { id }: Tenant): Promise<void> => {
  ok(await root.call('PUT', `/org/tenants/${id}`, { status: 0 }))
}

/** A service account with the role of an administrator. */
export const openMachine = async (root: Session, tenant: string): Promise<Session> => {
  const machine = await addKey(root, tenant, unique('machine'))
  await assign(root, tenant, machine.userId, await roleId(root, tenant, 'admin'))
  return machine
}

export const openWorld = async (root: Session): Promise<World> => {
  const home = await openTenant(root)
  const other = await openTenant(root)
  const disabled = await openTenant(root)
  await disable(root, disabled)
  const buried = await buryTenants(root, home)
  const ids = { never: never(), other: other.ids, disabled: disabled.ids, ...buried }
  return {
    root,
    home,
    member: await newUser(root, home.id),
    machine: await openMachine(root, home.id),
    others: [other, disabled],
    ids,
    leaks: [],
    answers: 0,
    remove: () => removeTenants(root, [home.id, other.id, disabled.id]),
  }
}

/** Creates new objects in the attacker's tenant for requests that have to succeed and consume them. */
export const freshIds = async ({ root, home }: World, operation: Operation): Promise<Ids> => {
  const ids = await populate(root, home.id, newMarker())
  const title = { user_id: home.admin.userId, title: 'to the caller' }
  const notification: number = ok(await root.call('POST', '/notifications', title, { tenant: home.id })).id
  const kinds = operation.places.map(({ kind }) => kind)
  if (operation.method === 'DELETE' && kinds.includes('user') && kinds.includes('role')) {
    await assign(root, home.id, Number(ids.user), Number(ids.role))
  }
  if (operation.path.includes('/auth/sessions/')) {
    return { ...ids, session: await sessionOf(root, home.admin.email), notification }
  }
  return { ...(kinds.includes('session') ? await withSession(root, ids) : ids), notification }
}

/** Sends a request and searches its answer for data of the other tenants. */
export const askWatched = async (
  world: World,
  what: string,
  send: () => Promise<Answer>,
): Promise<Answer> => {
  const answer = await patiently(send)
  world.answers += 1
  const shown = `${answer.text}\n${[...answer.headers].join('\n')}`
  for (const { id, slug, marker } of world.others) {
    if ([id, slug, marker].some((secret) => shown.includes(secret))) {
      world.leaks.push(`${what}: ${answer.text.slice(0, 200)}`)
    }
  }
  return answer
}

const lists = [
  '/users?page_size=200',
  '/service-accounts?page_size=200',
  '/invitations?page_size=200',
  '/webhooks',
  '/rbac/roles',
  '/settings/tenant',
  '/audit/logs?page_size=200',
] as const

/** Reads everything of a tenant, as text. */
export const stateOf = async (root: Session, { id, ids, admin }: Tenant): Promise<string> => {
  const people = [ids.user, admin.userId]
  const paths = [
    ...lists,
    `/org/tenants/${id}`,
    ...people.flatMap((user) => [`/rbac/users/${user}/roles`, `/notifications/user/${user}`]),
  ]
  // A webhook's backlog grows with each seal, and the service seals when it has time.
  const steady = (name: string, value: unknown) => (name === 'backlog' ? undefined : value)
  const read = async (path: string) =>
    JSON.stringify(ok(await patiently(() => root.call('GET', path, undefined, { tenant: id }))), steady)
  return (await Promise.all(paths.map(read))).join('\n')
}
