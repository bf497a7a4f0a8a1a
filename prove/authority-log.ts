import { patiently } from './attack.ts'
import { ok, type Session } from '../lab/client.ts'

interface RoleState {
  id: number
  name: string
  permissions: { code: string }[]
}

interface Entry {
  id: number
  user_id: number
  action: string
  resource_id: string
  detail: Record<string, { from: unknown; to: unknown }>
}

/** The authority in a tenant: the codes of each role and the roles of each user. */
export interface Authority {
  tenant: string
  /** The platform administrator who created the tenant and acts from outside. */
  outsider: number
  /** The id of the last audit record that this state includes. */
  lastId: number
  roles: Map<number, Set<string>>
  users: Map<number, Set<number>>
}

const pageSize = 200

const readPage = async (
  root: Session,
  tenant: string,
  path: string,
): Promise<{ items: Entry[]; total: number }> =>
  ok(await patiently(() => root.call('GET', path, undefined, { tenant })))

/** Reads the tenant's records after that id, oldest first. */
const recordsAfter = async (root: Session, tenant: string, lastId: number): Promise<Entry[]> => {
  const entries: Entry[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await readPage(root, tenant, `/audit/logs?page=${page}&page_size=${pageSize}`)
    entries.push(...items.filter(({ id }) => id > lastId))
    if (items.length < pageSize || items.some(({ id }) => id <= lastId)) break
  }
  return entries.toSorted((a, b) => a.id - b.id)
}

/** Reads all users. Throws above one page: the replay cannot follow the changes of a user that it did not read. */
const readUsers = async (root: Session, tenant: string): Promise<number[]> => {
  const path = `/users?page_size=${pageSize}`
  const answer = await patiently(() => root.call('GET', path, undefined, { tenant }))
  const { items, total }: { items: { id: number }[]; total: number } = ok(answer)
  if (total > items.length) {
    throw new Error(`the tenant has ${total} users; a replay follows at most ${pageSize}: use another tenant`)
  }
  return items.map(({ id }) => id)
}

const rolesAt = async (root: Session, tenant: string, path: string): Promise<RoleState[]> =>
  ok(await patiently(() => root.call('GET', path, undefined, { tenant })))

/** Reads the authority in a tenant from the API. Nothing may change it meanwhile. */
export const readAuthority = async (root: Session, tenant: string): Promise<Authority> => {
  const { items } = await readPage(root, tenant, '/audit/logs?page_size=1')
  const roles = await rolesAt(root, tenant, '/rbac/roles')
  const users = new Map<number, Set<number>>()
  for (const id of await readUsers(root, tenant)) {
    const held = await rolesAt(root, tenant, `/rbac/users/${id}/roles`)
    users.set(id, new Set(held.map((role) => role.id)))
  }
  const codes = roles.map((role): [number, Set<string>] => [
    role.id,
    new Set(role.permissions.map(({ code }) => code)),
  ])
  return { tenant, outsider: root.userId, lastId: items[0]?.id ?? 0, roles: new Map(codes), users }
}

const codesOf = ({ users, roles }: Authority, userId: number): Set<string> =>
  new Set([...(users.get(userId) ?? [])].flatMap((role) => [...(roles.get(role) ?? [])]))

const lacks = (state: Authority, actor: number, needed: Iterable<string>): string[] => {
  // The platform administrator needs no role in the tenant; any other unknown actor holds nothing.
  if (actor === state.outsider) return []
  const held = codesOf(state, actor)
  return [...needed].filter((code) => !held.has(code))
}

const numberAt = ({ detail }: Entry, field: string): number =>
  Number(detail[field]?.to ?? detail[field]?.from)

const codesAt = ({ detail }: Entry): string[] => (detail['permissions']?.to as string[] | null) ?? []

type Step = (state: Authority, entry: Entry) => Iterable<string>

/** Each step applies one change to the state and returns the codes that its actor had to hold. */
const steps: Record<string, Step> = {
  'role.create': ({ roles }, { resource_id: id }) => {
    roles.set(Number(id), new Set())
    return []
  },
  'role.update': ({ roles }, { resource_id: id }) => roles.get(Number(id)) ?? [],
  'role.delete': ({ roles, users }, { resource_id: id }) => {
    const had = roles.get(Number(id)) ?? []
    roles.delete(Number(id))
    for (const held of users.values()) held.delete(Number(id))
    return had
  },
  'role.replace_permissions': ({ roles }, entry) => {
    const id = Number(entry.resource_id)
    const had = roles.get(id) ?? []
    roles.set(id, new Set(codesAt(entry)))
    return [...had, ...codesAt(entry)]
  },
  'role.assign': ({ roles, users }, entry) => {
    const id = Number(entry.resource_id)
    users.get(numberAt(entry, 'user_id'))?.add(id)
    return roles.get(id) ?? []
  },
  'role.unassign': (state, entry) => {
    const userId = numberAt(entry, 'user_id')
    const needed = userId === entry.user_id ? [] : [...codesOf(state, userId)]
    state.users.get(userId)?.delete(Number(entry.resource_id))
    return needed
  },
  'user.update': (state, { user_id: actor, resource_id: id }) =>
    actor === Number(id) ? [] : codesOf(state, Number(id)),
  'user.delete': (state, { resource_id: id }) => {
    const needed = codesOf(state, Number(id))
    state.users.delete(Number(id))
    return needed
  },
}

const copy = (state: Authority): Authority => ({
  ...state,
  roles: new Map([...state.roles].map(([id, codes]) => [id, new Set(codes)])),
  users: new Map([...state.users].map(([id, held]) => [id, new Set(held)])),
})

const shown = ({ roles, users }: Authority): string =>
  JSON.stringify([
    [...roles]
      .map(([id, codes]) => [id, [...codes].toSorted()])
      .toSorted((a, b) => Number(a[0]) - Number(b[0])),
    [...users]
      .map(([id, held]) => [id, [...held].toSorted((a, b) => a - b)])
      .toSorted((a, b) => Number(a[0]) - Number(b[0])),
  ])

/**
 * Replays the audit records since `before` in their order. Every change has to be lawful at its moment, and the outcome
 * has to equal the present state. This finds two requests that each relied on a condition that the other one removed.
 * Create all users before `before`: the replay does not follow later ones.
 */
export const replay = async (
  root: Session,
  before: Authority,
): Promise<{ breaches: string[]; changes: number }> => {
  const state = copy(before)
  const breaches: string[] = []
  const entries = await recordsAfter(root, before.tenant, before.lastId)
  for (const entry of entries) {
    const lawful = copy(state)
    const needed = steps[entry.action]?.(state, entry) ?? []
    const lacking = lacks(lawful, entry.user_id, needed)
    if (lacking.length > 0) {
      breaches.push(
        `record ${entry.id}: user ${entry.user_id} did ${entry.action} without ${lacking.join(', ')}`,
      )
    }
  }
  const now = await readAuthority(root, before.tenant)
  if (shown(now) !== shown(state)) {
    breaches.push(`the log leads to ${shown(state)}, the service answers ${shown(now)}`)
  }
  return { breaches, changes: entries.filter(({ action }) => action in steps).length }
}
