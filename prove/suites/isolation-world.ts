import { randomBytes, randomUUID } from 'node:crypto'
import { addRole, addUser, assign, patiently, removeTenants } from '../attack.ts'
import { newTenant, newUser, ok, unique, type Answer, type Session } from '../client.ts'
import type { Ids, Operation } from '../operations.ts'

export interface Tenant {
  id: string
  slug: string
  admin: Session
  ids: Ids
  /** Stands in every text of the tenant, and nowhere else. */
  marker: string
}

/** Whose ids an attack uses in place of the caller's own. */
export const strangers = ['never', 'other', 'disabled', 'gone', 'goneTenant'] as const
export type Stranger = (typeof strangers)[number]

/** A tenant that attacks, others that are attacked, and ids of all that is not the attacker's. */
export interface World {
  root: Session
  home: Tenant
  member: Session
  others: Tenant[]
  ids: Record<Stranger, Ids>
  /** Answers in which something of the others stood. */
  leaks: string[]
  answers: number
  remove(): Promise<void>
}

const newMarker = () => `zq${randomBytes(6).toString('hex')}`

/** One of everything in a tenant. Keys of settings tell nothing: whoever names a key made it up. */
const populate = async (root: Session, tenant: string, marker: string): Promise<Ids> => {
  const user = await addUser(root, tenant, `${marker}.${unique('user')}`)
  const role = await addRole(root, tenant, { name: `${marker} ${unique('role')}`, permissions: [] })
  const note = { user_id: user, title: `${marker} title`, content: `${marker} content` }
  const notification: number = ok(await root.call('POST', '/notifications', note, { tenant })).id
  const key = unique('prove.key.')
  ok(await root.call('PUT', `/settings/tenant/${key}`, { value: { secret: marker } }, { tenant }))
  const { items }: { items: { id: number }[] } = ok(
    await root.call('GET', '/audit/logs?page_size=1', undefined, { tenant }),
  )
  return {
    user,
    role,
    notification,
    auditLog: items[0]?.id ?? 0,
    tenant,
    key,
    text: marker,
    permission: 1,
    globalKey: unique('prove.none.'),
  }
}

const openTenant = async (root: Session): Promise<Tenant> => {
  const { id, slug, admin } = await newTenant(root)
  const marker = newMarker()
  return { id, slug, admin, marker, ids: await populate(root, id, marker) }
}

/** Deletes what the ids of a populated tenant name. */
const erase = async (root: Session, { tenant, user, role, key, notification }: Ids): Promise<void> => {
  const paths = [
    `/notifications/${notification}`,
    `/users/${user}`,
    `/rbac/roles/${role}`,
    `/settings/tenant/${key}`,
  ]
  for (const path of paths) ok(await root.call('DELETE', path, undefined, { tenant: String(tenant) }))
}

/** Larger than any id that will ever be given out, and still one that the service takes for an id. */
const never = (): Ids => {
  const id = Number.MAX_SAFE_INTEGER
  const key = unique('prove.key.')
  return {
    user: id,
    role: id,
    notification: id,
    auditLog: id,
    tenant: randomUUID(),
    key,
    text: newMarker(),
    permission: 1,
    globalKey: key,
  }
}

/** Ids that named something in a tenant of the attacker's, which was deleted, and in one that is deleted as a whole. */
const buryTenants = async (root: Session, home: Tenant) => {
  const gone = await populate(root, home.id, newMarker())
  await erase(root, gone)
  const buried = await openTenant(root)
  await removeTenants(root, [buried.id])
  // What cannot be deleted by itself is gone with its tenant.
  const { tenant, auditLog } = buried.ids
  return { gone: { ...gone, tenant, auditLog }, goneTenant: buried.ids }
}

const disable = async (root: Session, { id }: Tenant): Promise<void> => {
  ok(await root.call('PUT', `/org/tenants/${id}`, { status: 0 }))
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
    others: [other, disabled],
    ids,
    leaks: [],
    answers: 0,
    remove: () => removeTenants(root, [home.id, other.id, disabled.id]),
  }
}

/** New ones of everything in the attacker's tenant: for requests that are to succeed and use them up. */
export const freshIds = async ({ root, home }: World, operation: Operation): Promise<Ids> => {
  const ids = await populate(root, home.id, newMarker())
  const title = { user_id: home.admin.userId, title: 'to the caller' }
  const notification: number = ok(await root.call('POST', '/notifications', title, { tenant: home.id })).id
  const kinds = operation.places.map(({ kind }) => kind)
  if (operation.method === 'DELETE' && kinds.includes('user') && kinds.includes('role')) {
    await assign(root, home.id, Number(ids.user), Number(ids.role))
  }
  return { ...ids, notification }
}

/** Asks, and looks for anything of the other tenants in the answer. */
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
  '/rbac/roles',
  '/settings/tenant',
  '/audit/logs?page_size=200',
] as const

/** All of a tenant that can be read, as text. */
export const stateOf = async (root: Session, { id, ids, admin }: Tenant): Promise<string> => {
  const people = [ids.user, admin.userId]
  const paths = [
    ...lists,
    `/org/tenants/${id}`,
    ...people.flatMap((user) => [`/rbac/users/${user}/roles`, `/notifications/user/${user}`]),
  ]
  const read = async (path: string) =>
    JSON.stringify(ok(await patiently(() => root.call('GET', path, undefined, { tenant: id }))))
  return (await Promise.all(paths.map(read))).join('\n')
}
