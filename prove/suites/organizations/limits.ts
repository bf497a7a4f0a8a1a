/** The limits of a tenant. */
import { newTenant, ok, unique, type Answer } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { accept, invite, newAddress, password, unlessCode, type Stage, type Tenant } from '../people/stage.ts'

const codes = { permissionMissing: 40301, limitReached: 40340 }
const path = '/settings/tenant/tenantry.limits'

const limitUsers = async ({ root }: Stage, { id }: Tenant, users: number): Promise<void> => {
  ok(await root.call('PUT', path, { value: { users } }, { tenant: id }))
}

const newUser = () => ({ email: newAddress(), username: unique('o'), password })

/** Requests that each add one user, by every door. */
const doorsOf = async (stage: Stage, { admin }: Tenant): Promise<(() => Promise<Answer>)[]> => {
  const { id } = ok(await admin.call('POST', '/users', newUser()))
  ok(await admin.call('PUT', `/users/${id}`, { status: 0 }))
  const token = await invite(stage, admin, { email: newAddress() })
  return stage.urls.flatMap((url) => {
    const there = admin.at(url)
    return [
      () => there.call('POST', '/users', newUser()),
      () => there.call('POST', '/users', newUser()),
      () => there.call('POST', '/users/import', { rows: [{ email: newAddress() }, { email: newAddress() }] }),
      () => there.call('PUT', `/users/${id}`, { status: 1 }),
      () => accept({ urls: [url] }, token),
    ]
  })
}

const lastSeat = async (stage: Stage): Promise<string> => {
  const rounds = stage.short ? 3 : 20
  for (let round = 0; round < rounds; round += 1) {
    const tenant = await newTenant(stage.root)
    const doors = await doorsOf(stage, tenant)
    const { users } = ok(await tenant.admin.call('GET', '/org/usage'))
    await limitUsers(stage, tenant, users.used + 1)
    const answers = await Promise.all(doors.map((open) => open()))
    const broken = answers.filter(({ status }) => status >= 500)
    const after = ok(await tenant.admin.call('GET', '/org/usage')).users
    const breaches = broken.map(({ status }) => `a door answers ${status}`)
    if (after.used !== users.used + 1) breaches.push(`${after.used} users at a limit of ${after.limit}`)
    refuteNothing(breaches)
  }
  return `${rounds} last seats, each wanted by creations, imports, an enabling and an invitation at once`
}

const ownLimits = async (stage: Stage): Promise<string> => {
  const tenant = await newTenant(stage.root)
  await limitUsers(stage, tenant, 1000)
  await limitUsers(stage, tenant, 1)
  const tries: [string, string, object?][] = [
    ['PUT', path, { value: { users: 1000 } }],
    ['DELETE', path],
    ['POST', `${path}/revert`, { version: 1 }],
  ]
  const breaches: string[] = []
  for (const [method, to, body] of tries) {
    const answer = await tenant.admin.call(method, to, body)
    breaches.push(...unlessCode(`${method} ${to}`, answer, codes.permissionMissing))
  }
  const creation = await tenant.admin.call('POST', '/users', newUser())
  breaches.push(...unlessCode('a creation', creation, codes.limitReached))
  refuteNothing(breaches)
  return `${tries.length} writes of an administrator, an old value among them`
}

export const proveLimits = async (stage: Stage, record: Prove): Promise<void> => {
  await record('a tenant never has more users than its limit', () => lastSeat(stage))
  await record('an administrator of a tenant writes no limit of it', () => ownLimits(stage))
}
