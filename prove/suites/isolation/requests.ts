import { ask } from '../../attack.ts'
import { unique, type Answer, type Session } from '../../../lab/client.ts'
import { requestOf, type Ids, type Operation, type Place } from '../../operations.ts'
import { askWatched, type World } from './world.ts'

/** Concurrent requests: enough for speed, few enough to keep the log lines readable. */
export const width = 8

export const label = ({ method, path }: Operation) => `${method} ${path}`

/** Examples of ends lie in the past. */
const ends = ['expires_at', 'roles_expire_at', 'due_at']
const dayMs = 24 * 3_600_000

/** Fills in values that must be unique, ends that lie ahead, and the caller's own password. */
export const freshBody = (operation: Operation, caller: Session): Operation => {
  if (operation.body === undefined) return operation
  const name = unique('prove')
  const made: Record<string, unknown> = { email: `${name}@example.com`, username: name, name, slug: name }
  const { password } = caller
  // A key has none.
  const passwords = password === '' ? {} : { password, old_password: password, new_password: password }
  const ahead = new Date(Date.now() + 7 * dayMs).toISOString()
  const all: Record<string, unknown> = {
    ...made,
    ...passwords,
    ...Object.fromEntries(ends.map((end) => [end, ahead])),
  }
  const body = Object.fromEntries(
    Object.entries(operation.body).map(([key, value]) => [key, all[key] ?? value]),
  )
  return { ...operation, body }
}

export const everywhere = ({ places }: Operation, ids: Ids) =>
  new Map<Place, Ids>(places.map((place) => [place, ids]))

interface Sending {
  caller: Session
  operation: Operation
  ids: Map<Place, Ids>
  tenant: string
  /** Extra fields of the body. */
  extra?: Record<string, unknown>
  query?: string
}

export const send = (
  world: World,
  { caller, operation, ids, tenant, extra, query = '' }: Sending,
): Promise<Answer> => {
  const { method, path, body } = requestOf(freshBody(operation, caller), ids)
  const asked = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  const call = { token: caller.token, tenant, body: body && { ...body, ...extra } }
  return askWatched(world, label(operation), () => ask(world.root.base, method, asked, call))
}
