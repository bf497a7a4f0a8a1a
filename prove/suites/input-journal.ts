import { patiently, refuteNothing } from '../attack.ts'
import { ok, type Session } from '../client.ts'
import type { Operation } from './input-document.ts'
import type { Received } from './input-wire.ts'

/** What a request changed as far as its sender was told. */
export interface Entry {
  operation: Operation
  status: number
  made: number | string | undefined
  /** The number that the path ends with: what a DELETE removed. */
  target: number
}

/** Entries by trace id: what the audit log tells of the same request is found by it. */
export type Journal = Map<string, Entry>

const lastNumber = (url: string): number =>
  Number(decodeURIComponent(url.split('?')[0]?.split('/').at(-1) ?? ''))

const targetOf = (operation: Operation, answer: Received, url: string): number =>
  operation.method === 'DELETE' && answer.status === 200 ? lastNumber(url) : 0

export const enter = (
  journal: Journal,
  sent: { operation: Operation; url: string },
  answer: Received,
  made: number | string | undefined,
): void => {
  const { operation, url } = sent
  const entry = { operation, status: answer.status, made, target: targetOf(operation, answer, url) }
  journal.set(String(answer.headers['x-trace-id']), entry)
}

interface Item {
  id: number
}

interface Page<T> {
  items: T[]
  total: number
}

const pageSize = 200

/** All items of a paged list, and the total it tells. */
export const readAll = async <T>(reader: Session, tenant: string, path: string): Promise<Page<T>> => {
  const items: T[] = []
  const separator = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page += 1) {
    const url = `${path}${separator}page=${page}&page_size=${pageSize}`
    const answer: Page<T> = ok(await patiently(() => reader.call('GET', url, undefined, { tenant })))
    items.push(...answer.items)
    if (answer.items.length < pageSize) return { items, total: answer.total }
  }
}

const readList = async <T>(reader: Session, tenant: string, path: string): Promise<T[]> =>
  ok(await patiently(() => reader.call('GET', path, undefined, { tenant })))

interface Log {
  id: number
  action: string
  trace_id: string
}

/** What stood in a tenant before: ids of what counts, and the last audit record. */
export interface Before {
  users: number[]
  roles: number[]
  logs: number
  lastLog: number
  lastPlatformLog: number
}

const idsOf = (items: Item[]): number[] => items.map(({ id }) => id)

const lastLog = async (root: Session, tenant: string): Promise<{ id: number; total: number }> => {
  const { items, total }: Page<Log> = ok(
    await patiently(() => root.call('GET', '/audit/logs?page_size=1', undefined, { tenant })),
  )
  return { id: items[0]?.id ?? 0, total }
}

export const before = async (root: Session, home: string): Promise<Before> => {
  const log = await lastLog(root, home)
  return {
    users: idsOf((await readAll<Item>(root, home, '/users')).items),
    roles: idsOf(await readList<Item>(root, home, '/rbac/roles')),
    logs: log.total,
    lastLog: log.id,
    lastPlatformLog: (await lastLog(root, root.tenantId)).id,
  }
}

const acknowledged = (journal: Journal, id: string): Entry[] =>
  [...journal.values()].filter(({ operation, status }) => operation.id === id && status === 200)

const missing = (what: string, expected: Set<number>, found: Set<number>): string[] => [
  ...[...expected].filter((id) => !found.has(id)).map((id) => `${what} ${id} is missing`),
  ...[...found].filter((id) => !expected.has(id)).map((id) => `${what} ${id} should not be there`),
]

interface Living {
  what: string
  folder: string
  had: number[]
  has: number[]
}

/** What was there, and what was acknowledged as created, without what was acknowledged as deleted: that and no more. */
const compare = (journal: Journal, { what, folder, had, has }: Living): string[] => {
  const made = acknowledged(journal, `POST /api/v1${folder}`).map((entry) => Number(entry.made))
  const gone = acknowledged(journal, `DELETE /api/v1${folder}/{id}`).map(({ target }) => target)
  const expected = new Set([...had, ...made])
  for (const id of gone) expected.delete(id)
  return missing(what, expected, new Set(has))
}

/** Users, roles and notifications of the tenant are those that were acknowledged. */
export const proveThings = async (
  root: Session,
  home: string,
  had: Before,
  journal: Journal,
): Promise<string> => {
  const users = await readAll<Item>(root, home, '/users')
  const roles = idsOf(await readList<Item>(root, home, '/rbac/roles'))
  const notes = await notesOf(root, home, users.items)
  const living = [
    { what: 'user', folder: '/users', had: had.users, has: idsOf(users.items) },
    { what: 'role', folder: '/rbac/roles', had: had.roles, has: roles },
  ]
  const breaches = living.flatMap((one) => compare(journal, one))
  if (users.total !== users.items.length) {
    breaches.push(`total tells ${users.total} users, there are ${users.items.length}`)
  }
  refuteNothing([...breaches, ...strayNotes(journal, notes)])
  return `${users.total} users, ${roles.length} roles, ${notes.length} notifications: what was acknowledged, and nothing else`
}

const notesOf = async (root: Session, home: string, users: Item[]): Promise<number[]> => {
  const notes: number[] = []
  for (const { id } of users) {
    notes.push(...idsOf((await readAll<Item>(root, home, `/notifications/user/${id}`)).items))
  }
  return notes
}

/** Notifications go with their recipients, so some that were acknowledged may be gone; none may be there besides. */
const strayNotes = (journal: Journal, notes: number[]): string[] => {
  const made = new Set(acknowledged(journal, 'POST /api/v1/notifications').map((entry) => Number(entry.made)))
  for (const { target } of acknowledged(journal, 'DELETE /api/v1/notifications/{id}')) made.delete(target)
  return notes.filter((id) => !made.has(id)).map((id) => `notification ${id} should not be there`)
}

/** Failures that are put on record though nothing changes. */
const failures = new Set(['auth.login_failed', 'auth.password_failed', 'auth.refresh_reused'])

const isRecorded = ({ id, method }: Operation): boolean =>
  (method === 'POST' || method === 'DELETE') && id !== 'POST /api/v1/auth/refresh'

const isMarking = ({ path }: Operation): boolean => path.startsWith('/api/v1/notifications')

/** How many records a request may leave: a PUT that changed nothing leaves none. */
const allowed = ({ operation, status }: Entry): [least: number, most: number] => {
  if (status !== 200) return [0, 0]
  if (isRecorded(operation)) return [1, 1]
  return operation.method === 'PUT' && !isMarking(operation) ? [0, 1] : [0, 0]
}

const count = (logs: Log[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const log of logs.filter(({ action }) => !failures.has(action))) {
    counts.set(log.trace_id, (counts.get(log.trace_id) ?? 0) + 1)
  }
  return counts
}

const newerLogs = async (root: Session, tenant: string, lastId: number): Promise<Log[]> =>
  (await readAll<Log>(root, tenant, '/audit/logs')).items.filter(({ id }) => id > lastId)

/** Exactly one audit record for each acknowledged change, none for what was refused, none of unknown origin. */
export const proveLog = async (
  root: Session,
  home: string,
  had: Before,
  journal: Journal,
): Promise<string> => {
  const own = await newerLogs(root, home, had.lastLog)
  const counts = count([...own, ...(await newerLogs(root, root.tenantId, had.lastPlatformLog))])
  const breaches = [...journal].flatMap(([traceId, entry]) => {
    const [least, most] = allowed(entry)
    const records = counts.get(traceId) ?? 0
    if (records >= least && records <= most) return []
    return [
      `${entry.operation.id} answered ${entry.status} and has ${records} audit records (trace ${traceId})`,
    ]
  })
  const foreign = own.filter((log) => !journal.has(log.trace_id))
  breaches.push(...foreign.map(({ id, action }) => `record ${id} (${action}) is of no request that was sent`))
  const { total } = await lastLog(root, home)
  if (total !== had.logs + own.length) {
    breaches.push(`total tells ${total} records, there are ${had.logs + own.length}`)
  }
  refuteNothing(breaches)
  const changes = [...journal.values()].filter((entry) => allowed(entry)[0] === 1).length
  return `${changes} acknowledged creations, deletions and sign-ins, one audit record each; ${journal.size} traces looked up in ${own.length} records of the tenant and those of the platform`
}
