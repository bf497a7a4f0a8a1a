import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, request, type Answer, type Call, type Session } from '../lab/client.ts'

/**
 * Repeats a request after the time that Retry-After names: a service with request limits makes a proof slow, not wrong.
 */
export const patiently = async (ask: () => Promise<Answer>): Promise<Answer> => {
  const answer = await ask()
  if (answer.status !== 429) return answer
  await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  return patiently(ask)
}

/** Sends a request to a path from the host root, with or without a session. */
export const ask = (base: string, method: string, path: string, call: Call = {}): Promise<Answer> =>
  patiently(() => request(base, method, path, call))

const volatile = new Set(['date', 'x-trace-id', 'connection', 'keep-alive'])

/** Reduces an answer to all that a client sees, except the trace id and the date, which always differ. */
export const fingerprint = ({ status, headers, text, body }: Answer): string => {
  const traceId: unknown = body?.trace_id
  const shown = [...headers].filter(([name]) => !volatile.has(name)).map((pair) => pair.join(': '))
  const rest = typeof traceId === 'string' ? text.replaceAll(traceId, '<trace id>') : text
  return [status, ...shown, rest].join('\n')
}

/** A request that goes over the wire unchanged. */
export interface RawRequest {
  method: string
  headers: [string, string][]
  body?: unknown
}

/** Sends headers unchanged and also twice, where `fetch` would join them. Resolves with the status. */
export const rawStatus = (url: string, { method, headers, body }: RawRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const named = headers.some(([name]) => name === 'host')
    const host = named ? [] : ['host', new URL(url).host]
    const ownHeaders = [...host, 'content-length', String(Buffer.byteLength(text))]
    const type = body === undefined ? [] : ['content-type', 'application/json']
    const sent = http.request(url, { method, headers: [...ownHeaders, ...type, ...headers.flat()] })
    sent.setTimeout(15_000, () => sent.destroy(new Error(`no answer to ${method} ${url}`)))
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', reject)
    sent.end(text)
  })

/** Runs `work` on every item, `width` at a time. */
export const inParallel = async <T>(
  items: T[],
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

/** Throws with the breaches of a promise and spells out the first five. */
export const refuteNothing = (breaches: string[]): void => {
  if (breaches.length === 0) return
  throw new Error(`${breaches.length} breaches: ${breaches.slice(0, 5).join(' | ')}`)
}

export const password = 'a proof of Tenantry'

/** Creates a user in a tenant; the user never signs in. */
export const addUser = async (root: Session, tenant: string, username: string): Promise<number> => {
  const body = { email: `${username}@example.com`, username, nickname: username, password }
  return ok(await patiently(() => root.call('POST', '/users', body, { tenant }))).id as number
}

/** Creates a role with these permissions in a tenant. */
export const addRole = async (
  root: Session,
  tenant: string,
  role: { name: string; permissions: number[] },
): Promise<number> => {
  const { id } = ok(await root.call('POST', '/rbac/roles', { name: role.name }, { tenant })) as { id: number }
  const body = { permission_ids: role.permissions }
  ok(await root.call('PUT', `/rbac/roles/${id}/permissions`, body, { tenant }))
  return id
}

export const assign = async (by: Session, tenant: string, userId: number, role: number): Promise<void> => {
  ok(await by.call('POST', `/rbac/users/${userId}/roles`, { role_id: role }, { tenant }))
}

/** Deletes tenants that a proof created, with everything in them. A tenant that is gone already is fine. */
export const removeTenants = async (root: Session, ids: string[]): Promise<void> => {
  for (const id of ids) await patiently(() => root.call('DELETE', `/org/tenants/${id}`))
}

/** Maps permission codes to ids, from the tenant's catalogue. */
export const permissionIds = async (root: Session, tenant: string): Promise<Map<string, number>> => {
  const list: { id: number; code: string }[] = ok(
    await root.call('GET', '/rbac/permissions', undefined, { tenant }),
  )
  return new Map(list.map(({ id, code }) => [code, id]))
}
