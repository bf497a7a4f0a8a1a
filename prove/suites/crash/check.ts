import { inParallel } from '../../attack.ts'
import { ok, signIn, type Session } from '../../../lab/client.ts'
import type { Holdings, Stage, Write } from './writes.ts'

const pageSize = 200

/** Reads all items of a paged list. */
const readAll = async <T>(root: Session, tenant: string, path: string): Promise<T[]> => {
  const items: T[] = []
  const mark = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page += 1) {
    const answer = await root.call('GET', `${path}${mark}page=${page}&page_size=${pageSize}`, undefined, {
      tenant,
    })
    const { items: found }: { items: T[] } = ok(answer)
    items.push(...found)
    if (found.length < pageSize) return items
  }
}

/** Counts the audit records of each request, by trace id. */
const countRecords = async (root: Session, tenants: string[]): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (const tenant of tenants) {
    for (const { trace_id: trace } of await readAll<{ trace_id: string }>(root, tenant, '/audit/logs')) {
      counts.set(trace, (counts.get(trace) ?? 0) + 1)
    }
  }
  return counts
}

const empty = (): Holdings => ({
  settings: new Map(),
  histories: new Map(),
  users: new Map(),
  roles: new Map(),
  notifications: new Set(),
  tenants: new Set(),
  registered: new Set(),
})

interface Role {
  name: string
  permissions: { id: number }[]
}

/** Every user has at least the starting role. A tenant has its three system roles, each with permissions. */
const rolesOf = async (root: Session, tenant: string, path: string): Promise<Role[]> =>
  ok(await root.call('GET', path, undefined, { tenant }))

const byId = (permissions: { id: number }[]): number[] =>
  permissions.map(({ id }) => id).toSorted((a, b) => a - b)

const readSettings = async (root: Session, { tenant }: Stage, state: Holdings): Promise<void> => {
  const list: { key: string; value: unknown }[] = ok(
    await root.call('GET', '/settings/tenant', undefined, { tenant }),
  )
  for (const { key, value } of list) state.settings.set(key, value)
  await inParallel(list, 8, async ({ key }) => {
    const path = `/settings/tenant/${key}/history?page_size=${pageSize}`
    const { items }: { items: { value: unknown }[] } = ok(await root.call('GET', path, undefined, { tenant }))
    state.histories.set(
      key,
      items.map(({ value }) => value),
    )
  })
}

const readUsers = async (root: Session, { tenant }: Stage, state: Holdings): Promise<void> => {
  const users = await readAll<{ id: number; username: string }>(root, tenant, '/users')
  await inParallel(users, 8, async ({ id, username }) => {
    const roles = await rolesOf(root, tenant, `/rbac/users/${id}/roles`)
    if (username.startsWith('crash')) state.users.set(username, new Set(roles.map(({ name }) => name)))
  })
}

const readRoles = async (root: Session, { tenant }: Stage, state: Holdings): Promise<void> => {
  for (const { name, permissions } of await rolesOf(root, tenant, '/rbac/roles')) {
    if (name.startsWith('crash')) state.roles.set(name, byId(permissions))
  }
}

const readTenants = async (root: Session, state: Holdings, broken: string[]): Promise<void> => {
  const all: { id: string; slug: string }[] = ok(await root.call('GET', '/org/tenants'))
  const tenants = all.filter(({ slug }) => slug.startsWith('crash'))
  await inParallel(tenants, 8, async ({ id, slug }) => {
    state.tenants.add(slug)
    const roles = await rolesOf(root, id, '/rbac/roles')
    const carrying = roles.filter(({ permissions }) => permissions.length > 0)
    const names = carrying.map(({ name }) => name).toSorted()
    if (names.join() !== 'admin,member,viewer') {
      broken.push(`the tenant ${slug} has the roles ${names.join()}`)
    }
  })
}

const readRegistered = async (root: Session, state: Holdings, broken: string[]): Promise<void> => {
  const users = await readAll<{ id: number; username: string }>(root, root.tenantId, '/users?search=joined')
  await inParallel(users, 8, async ({ id, username }) => {
    state.registered.add(username)
    const roles = await rolesOf(root, root.tenantId, `/rbac/users/${id}/roles`)
    const names = roles.map(({ name }) => name).join()
    if (names !== 'member') broken.push(`${username} has the roles ${names || 'none'}`)
  })
}

const readNotifications = async (root: Session, { tenant, inbox }: Stage, state: Holdings): Promise<void> => {
  const list = await readAll<{ title: string }>(root, tenant, `/notifications/user/${inbox}`)
  for (const { title } of list) {
    state.notifications.add(title)
  }
}

/** Sorted plain values, so that two states can be compared. */
const inOrder = (texts: Set<unknown>): string[] =>
  [...texts].map(String).toSorted((a, b) => a.localeCompare(b))

const plain = (part: Map<string, unknown> | Set<string>): [string, string][] =>
  [...part.entries()].map(([key, value]: [string, unknown]) => [
    key,
    JSON.stringify(value instanceof Set ? inOrder(value) : value),
  ])

const differences = (wanted: Holdings, found: Holdings): string[] =>
  (Object.keys(wanted) as (keyof Holdings)[]).flatMap((part) => {
    const expected = new Map(plain(wanted[part]))
    const actual = new Map(plain(found[part]))
    const all = [...new Set([...expected.keys(), ...actual.keys()])]
    return all
      .filter((key) => expected.get(key) !== actual.get(key))
      .map(
        (key) => `${part} ${key}: the log leads to ${expected.get(key)}, the service has ${actual.get(key)}`,
      )
  })

/** The users created last sign in, which shows that each has an account. */
const signInLast = async (root: Session, { users }: Holdings, broken: string[]): Promise<number> => {
  const last = [...users.keys()].slice(-16)
  await inParallel(last, 4, async (username) => {
    await signIn(root.base, `${username}@example.com`, 'a proof of Tenantry').catch((err: unknown) => {
      broken.push(`${username} cannot sign in: ${String(err)}`)
    })
  })
  return last.length
}

const recordBreaches = (writes: Write[], records: Map<string, number>): string[] =>
  writes.flatMap(({ trace, what, round, acknowledged }) => {
    const count = records.get(trace) ?? 0
    if (count > 1) return [`${what} of round ${round} has ${count} audit records`]
    return acknowledged && count === 0
      ? [`the log lacks ${what} of round ${round}, which was acknowledged`]
      : []
  })

/**
 * Compares the state after a restart with the state that the audit log leads to. The log has to hold every acknowledged
 * write exactly once. So no write is lost, no change lacks its record, and no record lacks its change. The
 * history of a setting has the values of its records.
 */
export const findBreaches = async (
  root: Session,
  stage: Stage,
): Promise<{ breaches: string[]; committed: number }> => {
  const records = await countRecords(root, [stage.tenant, root.tenantId])
  const wanted = empty()
  const effective = stage.writes.filter(({ trace }) => records.has(trace))
  for (const { apply } of effective) apply(wanted)
  const found = empty()
  const breaches = [...stage.refusals, ...recordBreaches(stage.writes, records)]
  await readSettings(root, stage, found)
  await readUsers(root, stage, found)
  await readRoles(root, stage, found)
  await readNotifications(root, stage, found)
  await readTenants(root, found, breaches)
  await readRegistered(root, found, breaches)
  breaches.push(...differences(wanted, found))
  await signInLast(root, found, breaches)
  return { breaches, committed: effective.filter(({ acknowledged }) => !acknowledged).length }
}
