/** The guard of the SDK in front of a product's route: it lets a session in only while the service does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createGuard } from '../../../client/src/guard/guard.ts'
import { addKey, newUser, ok, roleId, signIn, unique, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import type { Prove } from '../../suite.ts'
import type { Stage } from './refresh.ts'

const code = 'user:read'

/** The guard's own bound, docs/protect-your-service.md. */
const boundMs = 2000

/** A service account of the tenant that may ask about its users, and nothing else. */
const newKey = async (root: Session, tenant: string): Promise<string> => {
  const name = unique('guard')
  const machine = await addKey(root, tenant, name)
  const permissions: { id: number; code: string }[] = ok(
    await root.call('GET', '/rbac/permissions', undefined, { tenant }),
  )
  const ids = permissions.filter((one) => one.code === 'authz:check').map(({ id }) => id)
  const { id } = ok(await root.call('POST', '/rbac/roles', { name }, { tenant }))
  ok(await root.call('PUT', `/rbac/roles/${id}/permissions`, { permission_ids: ids }, { tenant }))
  ok(await root.call('POST', `/rbac/users/${machine.userId}/roles`, { role_id: id }, { tenant }))
  return machine.token
}

const newGuard = ({ url, root }: Stage['target'], key: string) => {
  const { iss, aud } = parseToken(root.token).payload
  const guard = createGuard({ baseUrl: url, key, issuer: String(iss), audience: String(aud) })
  const admit = guard.request(code)
  return async ({ token }: Session): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const verdict = await admit(new Request('https://product.example.com/', { headers }))
    return verdict instanceof Response ? verdict.status : 200
  }
}

/** Two sessions of one user: changing the password in one ends the other, and the user keeps the permission. */
const proveEnded = async ({ target, tenant }: Stage): Promise<string> => {
  const { url, root } = target
  const visit = newGuard(target, await newKey(root, tenant))
  const kept = await newUser(root, tenant)
  const body = { role_id: await roleId(root, tenant, 'admin') }
  ok(await root.call('POST', `/rbac/users/${kept.userId}/roles`, body, { tenant }))
  const ended = await signIn(url, kept.email, kept.password)
  const before = [await visit(kept), await visit(ended)]
  if (before.join() !== '200,200') throw new Error(`living sessions get ${before.join()}`)
  const passwords = { old_password: kept.password, new_password: `${kept.password} again` }
  const endedAt = performance.now()
  ok(await kept.call('POST', '/password', passwords))
  while ((await visit(ended)) !== 401) {
    if (performance.now() - endedAt > boundMs) throw new Error(`still admitted after ${boundMs} ms`)
    await sleep(20)
  }
  const refusedAfter = Math.round(performance.now() - endedAt)
  await sleep(boundMs)
  const after = [await visit(kept), await visit(ended)]
  if (after.join() !== '200,401') throw new Error(`later the sessions get ${after.join()}`)
  return `401 after ${refusedAfter} ms, and 2 s later still; the user's other session goes on`
}

export const proveGuard = (stage: Stage, prove: Prove): Promise<void> =>
  prove('a guarded route of a product refuses an ended session within 2 s', () => proveEnded(stage))
