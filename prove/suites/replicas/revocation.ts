import { setTimeout as sleep } from 'node:timers/promises'
import { permissionIds, removeTenants } from '../../attack.ts'
import { newTenant, ok, signIn, type Answer, type Session } from '../../../lab/client.ts'
import { quantile, spread } from '../../figures.ts'
import type { Group } from '../../replica-group.ts'
import { idsOf, userWith } from '../escalation/stage.ts'

/** A user who may read the tenant's users, and the way in which that ends. */
interface Case {
  victim: Session
  status: number
  revoke: () => Promise<Answer>
  tenant: string
}

type Make = (root: Session, tenant: string) => Promise<Case>

const reader = async (root: Session, tenant: string) =>
  userWith(root, tenant, idsOf(await permissionIds(root, tenant), ['user:read']))

const byRoot =
  (root: Session, tenant: string) =>
  (method: string, path: string, body?: unknown): Promise<Answer> =>
    root.call(method, path, body, { tenant })

/** All ways to lose a permission. */
const cases: Record<string, Make> = {
  'user disabled': async (root, tenant) => {
    const { user: victim } = await reader(root, tenant)
    const revoke = () => byRoot(root, tenant)('PUT', `/users/${victim.userId}`, { status: 0 })
    return { victim, status: 401, tenant, revoke }
  },
  'user deleted': async (root, tenant) => {
    const { user: victim } = await reader(root, tenant)
    const revoke = () => byRoot(root, tenant)('DELETE', `/users/${victim.userId}`)
    return { victim, status: 401, tenant, revoke }
  },
  'role taken': async (root, tenant) => {
    const { user: victim, role } = await reader(root, tenant)
    const revoke = () => byRoot(root, tenant)('DELETE', `/rbac/users/${victim.userId}/roles/${role}`)
    return { victim, status: 403, tenant, revoke }
  },
  'role deleted': async (root, tenant) => {
    const { user: victim, role } = await reader(root, tenant)
    return {
      victim,
      status: 403,
      tenant,
      revoke: () => byRoot(root, tenant)('DELETE', `/rbac/roles/${role}`),
    }
  },
  "role's permissions replaced": async (root, tenant) => {
    const { user: victim, role } = await reader(root, tenant)
    const body = { permission_ids: [] }
    const revoke = () => byRoot(root, tenant)('PUT', `/rbac/roles/${role}/permissions`, body)
    return { victim, status: 403, tenant, revoke }
  },
  'password changed': async (root, tenant) => {
    const { user } = await reader(root, tenant)
    const victim = await signIn(user.base, user.email, user.password)
    const body = { old_password: user.password, new_password: `${user.password}!` }
    return { victim, status: 401, tenant, revoke: () => user.call('POST', '/password', body) }
  },
  'tenant disabled': async (root) => {
    const { id, admin: victim } = await newTenant(root)
    const revoke = () => root.call('PUT', `/org/tenants/${id}`, { status: 0 })
    return { victim, status: 403, tenant: id, revoke }
  },
}

/** The proof fails when a permission lasts longer than this. */
const patienceMs = 5000

/**
 * Sends requests until one is refused; resolves with the time of the refusal. A later success is a fault: it has no
 * bound.
 */
const refusedAt = async (victim: Session, status: number, pauseMs: number): Promise<number> => {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const answer = await victim.call('GET', '/users?page_size=1')
    if (answer.status === status) {
      const at = performance.now()
      const again = await victim.call('GET', '/users?page_size=1')
      if (again.status !== status) throw new Error(`refused with ${status}, then answered ${again.status}`)
      return at
    }
    if (answer.status !== 200) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`)
    await sleep(pauseMs)
  }
  throw new Error(`the request is still allowed after ${patienceMs} ms`)
}

/** Measures the time from the answer to the change until the first refusal, at each other replica. */
const delaysOf = async (
  { victim, status, revoke }: Case,
  others: string[],
  pauseMs: number,
): Promise<number[]> => {
  const watched = others.map((url) => victim.at(url))
  // Warms the caches: the delay to measure is that of forgetting the caller.
  for (const one of [...watched, ...watched]) ok(await one.call('GET', '/users?page_size=1'))
  const watching = Promise.all(watched.map((one) => refusedAt(one, status, pauseMs)))
  const answered = revoke().then((answer) => {
    ok(answer)
    return performance.now()
  })
  const [refusals, answeredAt] = await Promise.all([watching, answered])
  return refusals.map((at) => Math.max(0, at - answeredAt))
}

const measureOne = async (make: Make, { root, urls }: Group, pauseMs: number): Promise<number[]> => {
  const { id: tenant } = await newTenant(root)
  const one = await make(root, tenant)
  try {
    return await delaysOf(one, urls.slice(1), pauseMs)
  } finally {
    await removeTenants(root, [...new Set([tenant, one.tenant])])
  }
}

/** Proves one kind after another, so that no other change keeps the replicas busy. */
export const proveQuickRevocation = async (group: Group, rounds: number): Promise<string> => {
  const all: number[] = []
  const medians: string[] = []
  for (const [what, make] of Object.entries(cases)) {
    const delays: number[] = []
    for (let round = 0; round < rounds; round += 1) delays.push(...(await measureOne(make, group, 1)))
    medians.push(`${what} max ${Math.max(...delays).toFixed(0)}`)
    all.push(...delays)
  }
  const evidence = `${all.length} refusals at 2 other replicas after ${all.length / 2} changes: ${spread(all)} after the answer (${medians.join(', ')} ms)`
  if (quantile(all, 0.99) >= 100) throw new Error(`p99 is not under 100 ms: ${evidence}`)
  return evidence
}

/** Proves all kinds at once: each may take up to two seconds. */
export const proveBoundedRevocation = async (group: Group, rounds: number): Promise<string> => {
  const all: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const delays = await Promise.all(Object.values(cases).map((make) => measureOne(make, group, 10)))
    all.push(...delays.flat())
  }
  const evidence = `${all.length} refusals at 2 other replicas after ${all.length / 2} changes: ${spread(all)} after the answer`
  if (Math.max(...all) >= 2000) throw new Error(`one took 2 s or more: ${evidence}`)
  return evidence
}
