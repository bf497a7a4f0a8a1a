import { setTimeout as sleep } from 'node:timers/promises'
import type { Server } from '../contender.ts'
import { progress } from '../progress.ts'
import { email, seed } from '../operations.ts'
import { isInterrupted } from '../process.ts'
import { api, asCaller, get, post, put, type Caller } from '../service.ts'
import type { Tenant } from './ladder.ts'

/** A user who sends requests to one replica while their role changes at the other. */
interface Watched {
  administrator: Caller
  roleId: number
  permissionId: number
  user: Caller
}

const userName = 'watched'

const openWatched = async (one: Server, other: Server, tenant: Tenant): Promise<Watched> => {
  const administrator = await asCaller(one.url, tenant.callerAddress, tenant.id)
  const account = { email: email(userName), username: userName, password: seed.password }
  const { id }: { id: number } = await post(administrator, '/users', account)
  const { id: roleId }: { id: number } = await post(administrator, '/rbac/roles', { name: 'Watched' })
  await post(administrator, `/rbac/users/${id}/roles`, { role_id: roleId })
  const permissions: { id: number; code: string }[] = await get(administrator, '/rbac/permissions')
  const permissionId = permissions.find(({ code }) => code === 'user:read')?.id ?? 0
  return { administrator, roleId, permissionId, user: await asCaller(other.url, email(userName), tenant.id) }
}

const giveUpMs = 10_000

/** Sends requests until one has this status; resolves with that moment. Throws after ten seconds. */
const statusAt = async ({ url, headers }: Caller, status: number): Promise<number> => {
  const deadline = performance.now() + giveUpMs
  while (performance.now() < deadline) {
    const response = await fetch(`${url}${api}/users?page_size=1`, { headers })
    const now = performance.now()
    await response.arrayBuffer()
    if (response.status === status) return now
    await sleep(1)
  }
  throw new Error(`the other replica did not answer with ${status} within ${giveUpMs} ms`)
}

/**
 * Changes the permission at one replica; resolves with the milliseconds from that answer until the other replica
 * applies it.
 */
const changeOnce = async ({ administrator, roleId, user }: Watched, permissionIds: number[]) => {
  const watching = statusAt(user, permissionIds.length > 0 ? 200 : 403)
  await put(administrator, `/rbac/roles/${roleId}/permissions`, { permission_ids: permissionIds })
  const answeredAt = performance.now()
  return Math.max(0, (await watching) - answeredAt)
}

/**
 * Measures the delays of that many changes, which give and take a permission in turn, with two replicas on the same
 * stores.
 */
export const measureReplicas = async (
  [one, other]: [Server, Server],
  tenant: Tenant,
  changes: number,
): Promise<number[]> => {
  const watched = await openWatched(one, other, tenant)
  const delays: number[] = []
  for (let change = 0; change < changes; change++) {
    if (isInterrupted()) throw new Error('interrupted')
    progress(`permission change at the other replica, ${change + 1}/${changes}`)
    delays.push(await changeOnce(watched, change % 2 === 0 ? [watched.permissionId] : []))
  }
  return delays
}
