import { inParallel, patiently, refuteNothing } from '../../attack.ts'
import { ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { readAll } from '../input/journal.ts'
import { only, type Stage } from './stage.ts'

/** A client with the objects that it created and may still use. */
interface Client {
  by: Session
  users: number[]
  roles: number[]
  notes: number[]
  keys: string[]
}

/** All acknowledged changes: ids created and deleted, and trace ids of changes and of refusals. */
interface Tally {
  made: Record<Thing, Set<number | string>>
  gone: Record<Thing, Set<number | string>>
  changed: Map<string, string>
  refused: Map<string, string>
}

const things = ['user', 'role', 'note', 'key'] as const
type Thing = (typeof things)[number]

const newSets = (): Tally['made'] => ({ user: new Set(), role: new Set(), note: new Set(), key: new Set() })

interface Write {
  action: string
  method: string
  path: string
  body?: unknown
  thing?: Thing
  /** The object that the request removes. */
  target?: number | string
  /** The list that receives the created id. */
  into?: number[]
}

const random = (below: number): number => Math.floor(Math.random() * below)

const take = <T>(list: T[]): T | undefined => list.splice(random(list.length), 1)[0]

const any = <T>(list: T[]): T | undefined => list[random(list.length)]

type Make = (client: Client, stage: Stage) => Write | undefined

const createUser: Make = ({ users }) => {
  const username = unique('mix')
  const body = { email: `${username}@example.com`, username, password: 'a proof of Tenantry' }
  return { action: 'user.create', method: 'POST', path: '/users', body, thing: 'user', into: users }
}

const createRole: Make = ({ roles }) => ({
  action: 'role.create',
  method: 'POST',
  path: '/rbac/roles',
  body: { name: unique('mix') },
  thing: 'role',
  into: roles,
})

const createNote: Make = ({ by, notes }) => ({
  action: 'notification.create',
  method: 'POST',
  path: '/notifications',
  body: { user_id: by.userId, title: 'mixed writes' },
  thing: 'note',
  into: notes,
})

const removal = (
  id: number | string | undefined,
  { action, folder, thing }: { action: string; folder: string; thing: Thing },
): Write | undefined =>
  id === undefined ? undefined : { action, method: 'DELETE', path: `${folder}/${id}`, thing, target: id }

const makes: Make[] = [
  createUser,
  createUser,
  createRole,
  createNote,
  createNote,
  ({ users }) => removal(take(users), { action: 'user.delete', folder: '/users', thing: 'user' }),
  ({ roles }) => removal(take(roles), { action: 'role.delete', folder: '/rbac/roles', thing: 'role' }),
  ({ notes }) =>
    removal(take(notes), { action: 'notification.delete', folder: '/notifications', thing: 'note' }),
  ({ keys }) => removal(take(keys), { action: 'setting.delete', folder: '/settings/tenant', thing: 'key' }),
  ({ keys }) => {
    const key = unique('mix.')
    keys.push(key)
    return {
      action: 'setting.create',
      method: 'PUT',
      path: `/settings/tenant/${key}`,
      body: { value: key },
      thing: 'key',
    }
  },
  ({ users }) => {
    const id = any(users)
    const body = { nickname: unique('nick') }
    return id === undefined ? undefined : { action: 'user.update', method: 'PUT', path: `/users/${id}`, body }
  },
  ({ roles }) => {
    const id = any(roles)
    const body = { description: unique('about') }
    return id === undefined
      ? undefined
      : { action: 'role.update', method: 'PUT', path: `/rbac/roles/${id}`, body }
  },
  // Refusals: a name in use, an unknown user and role, an invalid field, a system role.
  () => ({ action: 'refused', method: 'POST', path: '/rbac/roles', body: { name: 'ADMIN' } }),
  () => ({ action: 'refused', method: 'DELETE', path: `/users/${Number.MAX_SAFE_INTEGER}` }),
  () => ({ action: 'refused', method: 'POST', path: '/users', body: { email: 'none' } }),
  (_client, { adminRole }) => ({ action: 'refused', method: 'DELETE', path: `/rbac/roles/${adminRole}` }),
]

const next = (client: Client, stage: Stage): Write =>
  any(makes)?.(client, stage) ?? { action: 'refused', method: 'POST', path: '/users', body: {} }

const keyOf = (path: string): string => path.split('/').at(-1) ?? ''

const enter = (tally: Tally, write: Write, answer: Answer): void => {
  const traceId = answer.headers.get('x-trace-id') ?? ''
  if (answer.status !== 200) {
    tally.refused.set(traceId, `${write.method} ${write.path} ${answer.status}`)
    return
  }
  tally.changed.set(traceId, write.action)
  if (write.thing === undefined) return
  if (write.target !== undefined) tally.gone[write.thing].add(write.target)
  else {
    tally.made[write.thing].add(
      write.thing === 'key' ? keyOf(write.path) : (answer.data as { id: number }).id,
    )
  }
}

const writeOnce = async (client: Client, stage: Stage, tally: Tally): Promise<string[]> => {
  const write = next(client, stage)
  const answer = await patiently(() => client.by.call(write.method, write.path, write.body))
  enter(tally, write, answer)
  if (answer.status === 200) write.into?.push((answer.data as { id: number }).id)
  const isExpected =
    write.action === 'refused' ? answer.status >= 400 && answer.status < 500 : answer.status === 200
  return isExpected ? [] : [`${write.action} answers ${answer.status} ${answer.text.slice(0, 120)}`]
}

interface Log {
  id: number
  action: string
  trace_id: string
}

const logBreaches = ({ changed, refused }: Tally, logs: Log[]): string[] => {
  const byTrace = Map.groupBy(logs, ({ trace_id: traceId }) => traceId)
  const breaches = [...changed].flatMap(([traceId, action]) => {
    const actions = (byTrace.get(traceId) ?? []).map((log) => log.action).join()
    return actions === action ? [] : [`${action} has the record ${actions || 'none'}`]
  })
  const recorded = [...refused].filter(([traceId]) => byTrace.has(traceId))
  return [...breaches, ...recorded.map(([, what]) => `${what} was refused and has an audit record`)]
}

interface Lists {
  ids: Record<Thing, Set<number | string>>
  totals: Partial<Record<Thing, number>>
  logs: { items: Log[]; total: number }
}

const readLists = async ({ root, tenant, admins }: Stage): Promise<Lists> => {
  const users = await readAll<{ id: number }>(root, tenant, '/users')
  const roles: { id: number }[] = ok(await root.call('GET', '/rbac/roles', undefined, { tenant }))
  const settings: { key: string }[] = ok(await root.call('GET', '/settings/tenant', undefined, { tenant }))
  const notes: { id: number }[] = []
  let noted = 0
  for (const { userId } of admins) {
    const page = await readAll<{ id: number }>(root, tenant, `/notifications/user/${userId}`)
    notes.push(...page.items)
    noted += page.total
  }
  const idsOf = (list: { id: number }[]) => new Set<number | string>(list.map(({ id }) => id))
  return {
    ids: {
      user: idsOf(users.items),
      role: idsOf(roles),
      note: idsOf(notes),
      key: new Set(settings.map(({ key }) => key)),
    },
    totals: { user: users.total, note: noted },
    logs: await readAll<Log>(root, tenant, '/audit/logs'),
  }
}

const differences = (before: Lists, after: Lists, { made, gone }: Tally): string[] =>
  things.flatMap((thing) => {
    const had = [...before.ids[thing], ...made[thing]]
    const expected = new Set(had.filter((id) => !gone[thing].has(id)))
    const found = after.ids[thing]
    const wrong = [...expected, ...found].filter((id) => !(expected.has(id) && found.has(id)))
    const total = after.totals[thing] ?? found.size
    return [
      ...wrong.map((id) => `${thing} ${id} differs from the acknowledged state`),
      ...(total === expected.size ? [] : [`the total of ${thing}s is ${total} instead of ${expected.size}`]),
    ]
  })

const statBreaches = async ({ admins }: Stage, { ids }: Lists): Promise<string[]> => {
  const stats: { userCount: number; roleCount: number } = ok(
    await only(admins).call('GET', '/dashboard/stats'),
  )
  return stats.userCount === ids.user.size && stats.roleCount === ids.role.size
    ? []
    : [`the dashboard counts ${stats.userCount} users and ${stats.roleCount} roles`]
}

/** Mixed writes from many clients at once: lists, totals, counters and the log are exact afterwards. */
export const proveCounts = async (stage: Stage): Promise<string> => {
  const { admins, target } = stage
  const count = target.short ? 1000 : 10_000
  const before = await readLists(stage)
  const tally: Tally = { made: newSets(), gone: newSets(), changed: new Map(), refused: new Map() }
  const breaches: string[] = []
  const clients = Array.from({ length: 32 }, (_, at): Client => {
    return { by: admins[at % admins.length] ?? only(admins), users: [], roles: [], notes: [], keys: [] }
  })
  await inParallel(clients, clients.length, async (client) => {
    for (let sent = 0; sent < count / clients.length; sent += 1) {
      breaches.push(...(await writeOnce(client, stage, tally)))
    }
  })
  const after = await readLists(stage)
  breaches.push(...differences(before, after, tally), ...logBreaches(tally, after.logs.items))
  breaches.push(...(await statBreaches(stage, after)))
  const records = before.logs.total + tally.changed.size
  if (after.logs.total !== records) {
    breaches.push(`the log has ${after.logs.total} records instead of ${records}`)
  }
  refuteNothing(breaches)
  return `${tally.changed.size} changes and ${tally.refused.size} refusals by ${clients.length} clients: ${after.ids.user.size} users, ${after.ids.role.size} roles, ${after.ids.note.size} notifications, ${after.ids.key.size} settings and ${records} records, each exactly once`
}
