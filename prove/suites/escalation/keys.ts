import { patiently, refuteNothing } from '../../attack.ts'
import { ok, type Answer, type Machine } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, machineWith, type Stage } from './stage.ts'

const managing = ['service_account:read', 'service_account:update', 'service_account:delete', 'user:read']

const machineHolding = async (
  { root, tenant, permissions }: Stage,
  codes: string[],
  bounds: object = {},
): Promise<Machine> => (await machineWith(root, tenant, idsOf(permissions, codes), bounds)).user

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Bounds beyond those of the key that asks. */
const wider = [
  {},
  { expires_at: inHours(1) },
  { allowed_cidrs: ['127.0.0.0/8', '::1'] },
  { expires_at: inHours(9), allowed_cidrs: ['127.0.0.1'] },
  { expires_at: inHours(1), allowed_cidrs: [] },
  { expires_at: inHours(1), allowed_cidrs: ['0.0.0.0/0', '::/0'] },
]

/** A key that manages service accounts tries to make one for itself, and wider ones for others. */
const proveBounds = async (stage: Stage): Promise<string> => {
  const bounds = { expires_at: inHours(2), allowed_cidrs: ['127.0.0.0/8', '::1'] }
  const machine = await machineHolding(stage, managing, bounds)
  const weaker = await machineHolding(stage, ['user:read'])
  const stronger = await machineHolding(stage, ['audit:read'])
  const keysOf = ({ userId }: Machine) => `/service-accounts/${userId}/keys`
  const attempts: [string, string, unknown][] = [
    ...[...wider, bounds].map((one): [string, string, unknown] => ['POST', keysOf(machine), one]),
    ...wider.map((one): [string, string, unknown] => ['POST', keysOf(weaker), one]),
    ['POST', keysOf(stronger), bounds],
    ['PUT', `/service-accounts/${stronger.userId}`, { status: 0 }],
    ['DELETE', `/service-accounts/${stronger.userId}`, undefined],
    ['DELETE', `${keysOf(stronger)}/${stronger.keyId}`, undefined],
    ['POST', `/rbac/users/${machine.userId}/roles`, { role_id: stage.adminRole }],
    ['GET', '/profile', undefined],
    ['GET', '/auth/sessions', undefined],
    ['DELETE', '/auth/sessions', undefined],
    ['POST', '/auth/logout', undefined],
    ['POST', '/password', { old_password: 'x', new_password: 'a proof of Tenantry' }],
    ['PUT', '/notifications/read-all', undefined],
  ]
  const breaches: string[] = []
  for (const [method, path, body] of attempts) {
    const isKey = method === 'POST' && path.endsWith('/keys')
    const sent = isKey ? { name: 'mine', ...(body as object) } : body
    const { status } = await patiently(() => machine.call(method, path, sent))
    if (status !== 403) breaches.push(`${method} ${path} ${JSON.stringify(sent)} answers ${status}`)
  }
  refuteNothing(breaches)
  ok(await patiently(() => machine.call('POST', keysOf(weaker), { name: 'lawful', ...bounds })))
  return `${attempts.length} attempts by a key: 403`
}

const endings: Record<string, (stage: Stage, machine: Machine) => Promise<Answer>> = {
  'revoking it': ({ root, tenant }, { userId, keyId }) =>
    root.call('DELETE', `/service-accounts/${userId}/keys/${keyId}`, undefined, { tenant }),
  'disabling its account': ({ root, tenant }, { userId }) =>
    root.call('PUT', `/service-accounts/${userId}`, { status: 0 }, { tenant }),
  'deleting its account': ({ root, tenant }, { userId }) =>
    root.call('DELETE', `/service-accounts/${userId}`, undefined, { tenant }),
}

const proveEnding = async (stage: Stage, end: (typeof endings)[string]): Promise<string> => {
  const rounds = stage.target.short ? 10 : 50
  for (let round = 0; round < rounds; round += 1) {
    const machine = await machineHolding(stage, ['user:read'])
    ok(await machine.call('GET', '/users'))
    ok(await end(stage, machine))
    const { status } = await machine.call('GET', '/users')
    if (status !== 401) throw new Error(`round ${round}: a key answers ${status} after its end`)
  }
  return `${rounds} keys, each used a moment before: 401 from the answer on`
}

export const proveKeys = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a key reaches no further than its bounds and its roles', () => proveBounds(stage))
  for (const [how, end] of Object.entries(endings)) {
    await prove(`a key is refused from the answer on: ${how}`, () => proveEnding(stage, end))
  }
}
