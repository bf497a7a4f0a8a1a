import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { permissionIds } from '../../attack.ts'
import { newTenant, request, unique, type Answer, type Session } from '../../../lab/client.ts'

/** The objects that the proof created in a tenant and in the installation. */
export interface Holdings {
  settings: Map<string, unknown>
  /** The values that the history of each setting holds, the newest first. */
  histories: Map<string, unknown[]>
  /** The role names of each user. */
  users: Map<string, Set<string>>
  /** The permission ids of each role. */
  roles: Map<string, number[]>
  notifications: Set<string>
  tenants: Set<string>
  registered: Set<string>
}

/** One change that was sent; its audit record carries its trace id. */
export interface Write {
  trace: string
  what: string
  round: number
  acknowledged: boolean
  sentAt: number
  /** Applies the change to the expected state. */
  apply: (state: Holdings) => void
}

/** The place of the writes across all rounds. */
export interface Stage {
  tenant: string
  /** The id of the user who gets the notifications. */
  inbox: number
  permissions: number[]
  writes: Write[]
  /** The number of roles that the writers have asked for. */
  roles: number
  /** Refusals that no crash explains. */
  refusals: string[]
  /** Receives each answer (undefined when the connection broke) and the time of its request. */
  observe?: (what: string, sentAt: number, answer: Answer | undefined) => void
}

export const openStage = async (root: Session): Promise<Stage> => {
  const { id: tenant, admin } = await newTenant(root)
  const ids = [...(await permissionIds(root, tenant)).values()].slice(0, 6)
  return { tenant, inbox: admin.userId, permissions: ids, writes: [], roles: 0, refusals: [] }
}

/** One of several concurrent clients, each with objects of its own. */
interface Writer {
  stage: Stage
  root: Session
  round: number
  lane: number
  turn: number
  users: { id: number; username: string; roles: Set<string> }[]
  role?: { id: number; name: string; grants: number }
}

/** A change to send, and its effect on the expected state. */
interface Plan {
  method: string
  path: string
  body?: unknown
  apply: (state: Holdings) => void
  /** Keeps what the writer needs from the answer. */
  learn?: (data: { id: number }) => void
}

const password = 'a proof of Tenantry'

/** Each writer's own: a tenant has room for 1000. */
const settingsMax = 50

/** A history holds the last 20 values (declared settings, 4). */
const versionsMax = 20

const put = (key: string, { round, turn }: Writer): Plan => {
  const value = `${round}.${turn}`
  const apply: Plan['apply'] = ({ settings, histories }) => {
    settings.set(key, value)
    histories.set(key, [value, ...(histories.get(key) ?? [])].slice(0, versionsMax))
  }
  return { method: 'PUT', path: `/settings/tenant/${key}`, body: { value }, apply }
}

const setSetting = (writer: Writer): Plan => put(`crash.${writer.lane}.${writer.turn % settingsMax}`, writer)

const countUp = (writer: Writer): Plan => put(`counter.${writer.lane}`, writer)

const createUser = (writer: Writer): Plan => {
  const username = unique('crash')
  const body = { email: `${username}@example.com`, username, password }
  return {
    method: 'POST',
    path: '/users',
    body,
    apply: ({ users }) => users.set(username, new Set(['member'])),
    learn: ({ id }) => void writer.users.push({ id, username, roles: new Set(['member']) }),
  }
}

/** A tenant has at most 1000. */
const rolesMax = 900

const createRole = (writer: Writer): Plan => {
  if (writer.stage.roles >= rolesMax) return createUser(writer)
  writer.stage.roles += 1
  const name = unique('crash ')
  return {
    method: 'POST',
    path: '/rbac/roles',
    body: { name },
    apply: ({ roles }) => roles.set(name, []),
    learn: ({ id }) => {
      writer.role = { id, name, grants: 0 }
    },
  }
}

const notify = ({ stage }: Writer): Plan => {
  const title = unique('crash ')
  const apply: Plan['apply'] = ({ notifications }) => notifications.add(title)
  return {
    method: 'POST',
    path: '/notifications',
    body: { user_id: stage.inbox, title, content: 'x' },
    apply,
  }
}

const createTenant = (): Plan => {
  const slug = unique('crash')
  const apply: Plan['apply'] = ({ tenants }) => tenants.add(slug)
  return { method: 'POST', path: '/org/tenants', body: { name: slug, slug }, apply }
}

const register = (): Plan => {
  const username = unique('joined')
  const body = { email: `${username}@example.com`, username, password }
  return {
    method: 'POST',
    path: '/auth/register',
    body,
    apply: ({ registered }) => registered.add(username),
  }
}

/** Each set differs from the one before: a PUT that changes nothing leaves no record. */
const grant = (writer: Writer): Plan => {
  const { role, stage } = writer
  if (!role) return createRole(writer)
  role.grants += 1
  const ids = stage.permissions.slice(0, 1 + (role.grants % 5))
  const apply: Plan['apply'] = ({ roles }) => roles.set(role.name, ids)
  return { method: 'PUT', path: `/rbac/roles/${role.id}/permissions`, body: { permission_ids: ids }, apply }
}

const assignRole = (writer: Writer): Plan => {
  const { role, users } = writer
  const user = users.find(({ roles }) => role && !roles.has(role.name))
  if (!role || !user) return createUser(writer)
  return {
    method: 'POST',
    path: `/rbac/users/${user.id}/roles`,
    body: { role_id: role.id },
    apply: (state) => state.users.get(user.username)?.add(role.name),
    learn: () => void user.roles.add(role.name),
  }
}

const removeUser = (writer: Writer): Plan => {
  if (writer.users.length < 3) return createUser(writer)
  const user = writer.users.shift()
  const apply: Plan['apply'] = ({ users }) => users.delete(user?.username ?? '')
  return { method: 'DELETE', path: `/users/${user?.id}`, apply }
}

const kinds = [
  setSetting,
  countUp,
  createUser,
  createRole,
  notify,
  createTenant,
  register,
  grant,
  assignRole,
  removeUser,
]

const planNext = (writer: Writer): Plan => {
  const make = kinds[Math.floor(Math.random() * kinds.length)] ?? setSetting
  return make(writer)
}

/** After a broken connection or a 503 the change may have taken effect; any other refusal is a fault. */
const settle = (stage: Stage, write: Write, answer: Answer | undefined): boolean => {
  if (answer?.status === 200) write.acknowledged = true
  else if (answer && answer.status !== 503) {
    stage.refusals.push(`${write.what}: ${answer.status} ${answer.text.slice(0, 160)}`)
  }
  return write.acknowledged
}

const send = async (writer: Writer, plan: Plan): Promise<boolean> => {
  const { stage, root, round } = writer
  const { method, path, body, apply } = plan
  const trace = randomBytes(16).toString('hex')
  const what = `${method} ${path}`
  const write: Write = { trace, what, round, acknowledged: false, sentAt: performance.now(), apply }
  stage.writes.push(write)
  const answer = await request(root.base, method, `/api/v1${path}`, {
    token: root.token,
    tenant: stage.tenant,
    headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    body,
  }).catch(() => undefined)
  stage.observe?.(what, write.sentAt, answer)
  const isDone = settle(stage, write, answer)
  if (isDone) plan.learn?.((answer?.data ?? {}) as { id: number })
  return isDone
}

/** Sends writes of all kinds from this many clients, each until its first request fails because the server is gone. */
export const writeUntilGone = async (
  stage: Stage,
  root: Session,
  { round, clients }: { round: number; clients: number },
): Promise<void> => {
  await Promise.all(
    Array.from({ length: clients }, async (_, lane) => {
      const writer: Writer = { stage, root, round, lane, turn: 0, users: [] }
      while (await send(writer, planNext(writer))) writer.turn += 1
    }),
  )
}

const pauseMs = 40

/**
 * Sends writes of all kinds until `isOver`. After a failure the state of a client's objects is unknown, so it makes new
 * ones.
 */
export const writeUntil = async (
  stage: Stage,
  root: Session,
  { round, lane }: { round: number; lane: number },
  isOver: () => boolean,
): Promise<void> => {
  let writer: Writer = { stage, root, round, lane, turn: 0, users: [] }
  while (!isOver()) {
    const isDone = await send(writer, planNext(writer))
    const turn = writer.turn + 1
    writer = isDone ? { ...writer, turn } : { stage, root, round, lane, turn, users: [] }
    await sleep(pauseMs)
  }
}
