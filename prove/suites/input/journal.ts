import { setTimeout as sleep } from 'node:timers/promises'
import { patiently, refuteNothing } from '../../attack.ts'
import { ok, type Session } from '../../../lab/client.ts'
import type { Operation } from './operation.ts'
import type { Received } from './wire.ts'

/** The change that a request made, according to its answer. */
export interface Entry {
  operation: Operation
  status: number
  made: (number | string)[]
  /** The number at the end of the path: the id that a DELETE removed. */
  target: number
}

/** Entries by trace id, which links a request to its audit records. */
export type Journal = Map<string, Entry>

const lastNumber = (url: string): number =>
  Number(decodeURIComponent(url.split('?')[0]?.split('/').at(-1) ?? ''))

const targetOf = (operation: Operation, answer: Received, url: string): number =>
  operation.method === 'DELETE' && answer.status === 200 ? lastNumber(url) : 0

export const enter = (
  journal: Journal,
  sent: { operation: Operation; url: string },
  answer: Received,
  made: (number | string)[],
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

/** An unfiltered total above this may be 5 s old, and a filtered one stops here (docs/contract.md, "Paged lists"). */
export const totalMax = 10_000
const totalAgeMs = 5000

/** Reads the total of an unfiltered list, and reads it again after 5 s where it may be old. */
export const freshTotal = async (reader: Session, tenant: string, path: string): Promise<number> => {
  const read = async (): Promise<number> =>
    ok(await patiently(() => reader.call('GET', `${path}?page_size=1`, undefined, { tenant }))).total
  const total = await read()
  if (total <= totalMax) return total
  await sleep(totalAgeMs)
  return read()
}

/** Reads all items of a paged list, and its total. */
export const readAll = async <T>(reader: Session, tenant: string, path: string): Promise<Page<T>> => {
  const items: T[] = []
  const separator = path.includes('?') ? '&' : '?'
  for (let page = 1; ; page += 1) {
    const url = `${path}${separator}page=${page}&page_size=${pageSize}`
    const answer: Page<T> = ok(await patiently(() => reader.call('GET', url, undefined, { tenant })))
    items.push(...answer.items)
    if (answer.items.length < pageSize) {
      const isOld = answer.total > totalMax
      return { items, total: isOld ? await freshTotal(reader, tenant, path) : answer.total }
    }
  }
}

const readList = async <T>(reader: Session, tenant: string, path: string): Promise<T[]> =>
  ok(await patiently(() => reader.call('GET', path, undefined, { tenant })))

interface Log {
  id: number
  action: string
  trace_id: string
}

/** The state of a tenant before: ids of the counted objects, and the last audit record. */
export interface Before {
  users: number[]
  lists: number[][]
  logs: number
  lastLog: number
  lastPlatformLog: number
}

const idsOf = (items: Item[]): number[] => items.map(({ id }) => id)

/** Complete lists that requests of the fuzzer change. */
const lists = [
  { what: 'role', folder: '/rbac/roles' },
  { what: 'permission', folder: '/rbac/permissions' },
  { what: 'role template', folder: '/rbac/role-templates' },
]

/** Role templates are listed as roles of every tenant, with ids up to 1000: the role list without them. */
const readLists = (root: Session, home: string): Promise<number[][]> =>
  Promise.all(
    lists.map(async ({ what, folder }) =>
      idsOf(await readList<Item>(root, home, folder)).filter((id) => what !== 'role' || id > 1000),
    ),
  )

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
    lists: await readLists(root, home),
    logs: log.total,
    lastLog: log.id,
    lastPlatformLog: (await lastLog(root, root.tenantId)).id,
  }
}

const acknowledged = (journal: Journal, id: string): Entry[] =>
  [...journal.values()].filter(({ operation, status }) => operation.id === id && status === 200)

const madeBy = (journal: Journal, id: string): number[] =>
  acknowledged(journal, id).flatMap((entry) => entry.made.map(Number))

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

/** The objects have to be those from before, plus the acknowledged creations, minus the acknowledged deletions. */
const compare = (journal: Journal, { what, folder, had, has }: Living): string[] => {
  const made = [`POST /api/v1${folder}`, `POST /api/v1${folder}/import`].flatMap((id) => madeBy(journal, id))
  const gone = acknowledged(journal, `DELETE /api/v1${folder}/{id}`).map(({ target }) => target)
  const expected = new Set([...had, ...made])
  for (const id of gone) expected.delete(id)
  return missing(what, expected, new Set(has))
}

/** The tenant has to hold exactly the acknowledged users, roles and notifications, and the catalogue its entries. */
export const proveThings = async (
  root: Session,
  home: string,
  had: Before,
  journal: Journal,
): Promise<string> => {
  const users = await readAll<Item>(root, home, '/users')
  const found = await readLists(root, home)
  const notes = await notesOf(root, home, users.items)
  const living = [
    { what: 'user', folder: '/users', had: had.users, has: idsOf(users.items) },
    ...lists.map((list, at) => ({ ...list, had: had.lists[at] ?? [], has: found[at] ?? [] })),
  ]
  const breaches = living.flatMap((one) => compare(journal, one))
  if (users.total !== users.items.length) {
    breaches.push(`the total is ${users.total} users, the list has ${users.items.length}`)
  }
  refuteNothing([...breaches, ...strayNotes(journal, notes)])
  return `${users.total} users, ${found.flat().length} roles, permissions and templates, ${notes.length} notifications: exactly the acknowledged ones`
}

const notesOf = async (root: Session, home: string, users: Item[]): Promise<number[]> => {
  const notes: number[] = []
  for (const { id } of users) {
    notes.push(...idsOf((await readAll<Item>(root, home, `/notifications/user/${id}`)).items))
  }
  return notes
}

/**
 * Deleting a recipient deletes their notifications, so acknowledged ones may be missing; unacknowledged ones may not
 * exist.
 */
const strayNotes = (journal: Journal, notes: number[]): string[] => {
  const made = new Set(madeBy(journal, 'POST /api/v1/notifications'))
  for (const { target } of acknowledged(journal, 'DELETE /api/v1/notifications/{id}')) made.delete(target)
  return notes.filter((id) => !made.has(id)).map((id) => `notification ${id} should not be there`)
}

/** Failures that leave an audit record although nothing changes. */
const failures = new Set([
  'auth.login_failed',
  'auth.password_failed',
  'auth.refresh_reused',
  'factor.codes_guessed',
])

/** Questions change nothing, previews and the options of passkeys included. */
const isQuestion = ({ path }: Operation): boolean =>
  path.startsWith('/api/v1/authz/') || /\/(?:passkey\/options|discover|lookup|preview)$/.test(path)

/** They answer 200 as well where nothing is left to do, and then leave no record. */
const idle = new Set([
  'POST /api/v1/auth/email',
  'POST /api/v1/auth/email/verification',
  'POST /api/v1/auth/password/forgot',
  'POST /api/v1/notifications/broadcasts/{id}/batches',
  'POST /api/v1/settings/global/{key}/revert',
  'POST /api/v1/settings/tenant/{key}/revert',
  'POST /api/v1/webhooks/{id}/test',
  'DELETE /api/v1/users/{id}/sso',
])

const isChanging = ({ id, method }: Operation): boolean =>
  method === 'POST' || method === 'DELETE' || id === 'GET /api/v1/users/{id}/export'

const isRecorded = (operation: Operation): boolean =>
  isChanging(operation) &&
  operation.id !== 'POST /api/v1/auth/refresh' &&
  !idle.has(operation.id) &&
  !isQuestion(operation)

const isMarking = ({ path }: Operation): boolean => path.startsWith('/api/v1/notifications')

/** The number of records that a request may leave: a PUT that changed nothing leaves none. */
const allowed = ({ operation, status, made }: Entry): [least: number, most: number] => {
  if (status !== 200) return [0, 0]
  // A step of a sign-in may register an account, and join it to a tenant.
  if (!operation.path.startsWith('/api/')) return [0, 2]
  if (operation.id === 'POST /api/v1/users/import') return [made.length, made.length]
  if (isRecorded(operation)) return [1, 1]
  const mayChange = operation.method === 'PUT' && !isMarking(operation)
  return mayChange || idle.has(operation.id) ? [0, 1] : [0, 0]
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

/**
 * Each acknowledged change has one audit record, each refused request has none, and no record has an unknown origin.
 */
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
  breaches.push(...foreign.map(({ id, action }) => `no request was sent for record ${id} (${action})`))
  const total = await freshTotal(root, home, '/audit/logs')
  if (total !== had.logs + own.length) {
    breaches.push(`the total is ${total} records, the list has ${had.logs + own.length}`)
  }
  refuteNothing(breaches)
  const changes = [...journal.values()].filter((entry) => allowed(entry)[0] === 1).length
  return `${changes} acknowledged creations, deletions and sign-ins, one audit record each; ${journal.size} traces looked up in ${own.length} records of the tenant and those of the platform`
}
