import { fingerprint, inParallel, patiently, refuteNothing } from '../attack.ts'
import { ok, type Answer, type Session } from '../client.ts'
import type { Ids, Operation, Place } from '../operations.ts'
import { everywhere, label, send, width } from './isolation-requests.ts'
import { freshIds, strangers, type World } from './isolation-world.ts'

/** Ids that no tenant owns are no one's to steal; a platform administrator may reach every tenant by its id. */
const attackable = ({ caller, world }: { caller: Session; world: World }, { places }: Operation): Place[] =>
  places.filter(
    ({ kind }) =>
      kind !== 'permission' && kind !== 'globalKey' && !(caller === world.root && kind === 'tenant'),
  )

/** Each place alone, and all of them together. */
const targetsOf = (places: Place[]): Place[][] => [
  ...places.map((place) => [place]),
  ...(places.length > 1 ? [places] : []),
]

const compare = async (
  world: World,
  caller: Session,
  operation: Operation,
  replaced: Place[],
): Promise<string[]> => {
  const seen = new Map<string, Answer>()
  for (const stranger of strangers) {
    const ids = everywhere(operation, world.home.ids)
    for (const place of replaced) ids.set(place, world.ids[stranger])
    seen.set(stranger, await send(world, { caller, operation, ids, tenant: world.home.id }))
  }
  const [never, ...rest] = [...seen].map(([stranger, answer]) => ({
    stranger,
    answer,
    print: fingerprint(answer),
  }))
  return rest
    .filter(({ print }) => print !== never?.print)
    .map(({ stranger, answer }) => {
      const places = replaced.map(({ name }) => name).join(' and ')
      return `${label(operation)} with ${stranger}'s ${places} answers ${answer.status} ${answer.text.slice(0, 120)}, not ${never?.answer.status} as for one that never existed`
    })
}

const takesKey = ({ places }: Operation) => places.some(({ kind }) => kind === 'key')

/** A setting put under a stranger's key is the attacker's own, and lawful; it goes before the next operation asks. */
const withdrawKeys = async ({ root, home, ids }: World): Promise<void> => {
  for (const stranger of strangers) {
    const path = `/settings/tenant/${ids[stranger].key}`
    await patiently(() => root.call('DELETE', path, undefined, { tenant: home.id }))
  }
}

export const proveIds = async (world: World, operations: Operation[], caller: Session): Promise<string> => {
  const breaches: string[] = []
  const before = world.answers
  let places = 0
  const attack = async (operation: Operation) => {
    for (const replaced of targetsOf(attackable({ caller, world }, operation))) {
      places += 1
      breaches.push(...(await compare(world, caller, operation, replaced)))
      if (takesKey(operation)) await withdrawKeys(world)
    }
  }
  await inParallel(
    operations.filter((one) => !takesKey(one)),
    width,
    attack,
  )
  await inParallel(operations.filter(takesKey), 1, attack)
  refuteNothing(breaches)
  return `${places} places of ${operations.length} operations × ${strangers.length} kinds of stranger, ${world.answers - before} answers compared`
}

const permissionsOf = async ({ admin }: World['home']): Promise<Set<string>> => {
  const roles: { permissions: { code: string }[] }[] = ok(
    await admin.call('GET', `/rbac/users/${admin.userId}/roles`),
  )
  return new Set(roles.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
}

/** What an answer says about itself must be the caller's: the addressed id, the caller's tenant. */
const isForeign = ({ data }: Answer, world: World, { path }: Operation, ids: Ids): boolean => {
  const tenant: unknown = data?.tenant_id
  const id: unknown = data?.id
  const named = path.endsWith('{id}')
    ? [ids.user, ids.role, ids.notification, ids.auditLog, ids.tenant]
    : undefined
  return (
    (tenant !== undefined && tenant !== world.home.id) ||
    (named !== undefined && id !== undefined && !named.includes(id as number))
  )
}

/** Ids of the other tenant in every field that no schema has. */
export const smuggled = ({ ids }: World, { body }: Operation) => {
  const { user, role, tenant, notification } = ids.other
  const all = {
    id: user,
    tenant_id: tenant,
    user_id: user,
    role_id: role,
    notification_id: notification,
    is_system: true,
  }
  const extra = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in (body ?? {}))))
  return { extra, query: `tenant_id=${tenant}&tenant=${tenant}&id=${user}&userId=${user}&roleId=${role}` }
}

/** Requests that are to succeed: without them a refusal would prove nothing. `withExtras`: what goes along. */
export const proveOwn = async (
  world: World,
  operations: Operation[],
  withExtras: (operation: Operation) => object,
): Promise<string> => {
  const held = await permissionsOf(world.home)
  const breaches: string[] = []
  const { admin, id } = world.home
  let succeeded = 0
  const within = operations.filter(({ path }) => !path.includes('/global/'))
  for (const operation of within) {
    const ids = await freshIds(world, operation)
    const sent = { caller: admin, operation, ids: everywhere(operation, { ...ids, text: 'x' }), tenant: id }
    const answer = await send(world, { ...sent, ...withExtras(operation) })
    const expected = operation.permission === 'caller' || held.has(operation.permission) ? 200 : 403
    if (answer.status !== expected) {
      breaches.push(`${label(operation)} answers ${answer.status}, not ${expected}: ${answer.text}`)
    }
    if (isForeign(answer, world, operation, ids)) {
      breaches.push(`${label(operation)} acts elsewhere: ${answer.text}`)
    }
    if (answer.status === 200) succeeded += 1
  }
  refuteNothing(breaches)
  return `${succeeded} operations succeed in the caller's tenant, ${within.length - succeeded} are none of its administrator's`
}
