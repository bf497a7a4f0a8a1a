import { fingerprint, inParallel, patiently, refuteNothing } from '../../attack.ts'
import { ok, signIn, type Answer, type Session } from '../../../lab/client.ts'
import type { Ids, Kind, Operation, Place } from '../../operations.ts'
import { everywhere, label, send, width } from './requests.ts'
import { freshIds, strangers, type Stranger, type World } from './world.ts'

/** Kinds of the whole installation. */
const ownerless: ReadonlySet<Kind> = new Set<Kind>([
  'permission',
  'template',
  'application',
  'resource',
  'secret',
  'globalKey',
  'flag',
])

/** The place where a list of the caller's own broadcasts begins: a number, and no object. */
const isCursor = ({ kind, name }: Place): boolean => kind === 'broadcast' && name === 'before_id'

/** A platform administrator may reach every tenant by its id, and has sent all broadcasts. */
const isOpenToRoot = ({ kind }: Place): boolean => kind === 'tenant' || kind === 'broadcast'

/** The history of a key outlives its value. Under a stranger's key it has the attacker's own values. */
const isOwnHistory = ({ path }: Operation, { kind }: Place): boolean =>
  kind === 'key' && path.endsWith('/{key}/history')

/** Excludes ids that no tenant owns, and those that are open to the platform administrator. */
const attackable = ({ caller, world }: { caller: Session; world: World }, operation: Operation): Place[] =>
  operation.places.filter(
    (place) =>
      !ownerless.has(place.kind) &&
      !isOwnHistory(operation, place) &&
      !isCursor(place) &&
      !(caller === world.root && isOpenToRoot(place)),
  )

/** Attacks each place alone, and all places together. */
const targetsOf = (places: Place[]): Place[][] => [
  ...places.map((place) => [place]),
  ...(places.length > 1 ? [places] : []),
]

/** The answer to a list of users repeats the asked ids as `user_id`. The length of an id is in `content-length`. */
const asTold = (answer: Answer, replaced: Place[], ids: Ids): string => {
  const { user } = ids
  if (!replaced.some(({ name }) => name === 'user_ids')) return fingerprint(answer)
  return fingerprint(answer)
    .replaceAll(`"user_id":${user},`, '"user_id":<asked>,')
    .replace(/^content-length: .*\n/m, '')
}

const compare = async (
  world: World,
  caller: Session,
  operation: Operation,
  replaced: Place[],
): Promise<string[]> => {
  const seen = new Map<Stranger, Answer>()
  for (const stranger of strangers) {
    const ids = everywhere(operation, world.home.ids)
    for (const place of replaced) ids.set(place, world.ids[stranger])
    seen.set(stranger, await send(world, { caller, operation, ids, tenant: world.home.id }))
  }
  const [never, ...rest] = [...seen].map(([stranger, answer]) => ({
    stranger,
    answer,
    print: asTold(answer, replaced, world.ids[stranger]),
  }))
  return rest
    .filter(({ print }) => print !== never?.print)
    .map(({ stranger, answer }) => {
      const places = replaced.map(({ name }) => name).join(' and ')
      return `${label(operation)} with ${stranger}'s ${places} answers ${answer.status} ${answer.text.slice(0, 120)}, not ${never?.answer.status} as for an id that never existed`
    })
}

const takesKey = ({ places }: Operation) => places.some(({ kind }) => kind === 'key')

/** A setting under a stranger's key belongs to the attacker and is lawful; it is removed before the next operation. */
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

/** The permissions of an administrator, which the key of the world holds as well; a key has no own account. */
const opensFor = async ({ home, machine }: World, caller: Session): Promise<Set<string>> => {
  const roles: { permissions: { code: string }[] }[] = ok(
    await home.admin.call('GET', `/rbac/users/${home.admin.userId}/roles`),
  )
  const codes = roles.flatMap(({ permissions }) => permissions.map(({ code }) => code))
  return new Set(['caller', ...(caller === machine ? [] : ['user', 'account', 'suspendedAccount']), ...codes])
}

/** Whether an answer names an id or a tenant other than the caller's. */
const isForeign = ({ data }: Answer, world: World, { path }: Operation, ids: Ids): boolean => {
  const tenant: unknown = data?.tenant_id
  const id: unknown = data?.id
  const named = path.endsWith('{id}')
    ? [ids.user, ids.role, ids.notification, ids.auditLog, ids.tenant, ids.serviceAccount, ids.webhook]
    : undefined
  return (
    (tenant !== undefined && tenant !== world.home.id) ||
    (named !== undefined && id !== undefined && !named.includes(id as number))
  )
}

/** Ids of the other tenant in fields that no schema lists. */
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

/** Operations that need a mailed link, or that erase or move their caller: other proofs and tests try them. */
const isApart = ({ path }: Operation): boolean =>
  /\/auth\/(?:email|email\/verify|account\/delete|memberships\/\{tenantId\})$/.test(path)
/**
 * Operations that need more than ids and examples to succeed. A link is in an e-mail, a passkey in an authenticator, and the
 * caller has no second factor; the proof `escalation` has one. Passkeys may be off.
 */
const statusesOfOthers: [RegExp, number[]][] = [
  [/\/auth\/email\/verify$/, [400]],
  [/\/auth\/factors\/(?:totp\/\{id\}\/confirm|\{id\}\/remove)$/, [404]],
  [/\/auth\/factors\/recovery-codes$/, [400]],
  [/\/auth\/password\/remove$/, [403]],
  // The installation has no provider.
  [/\/auth\/identities$/, [200, 404]],
  [/\/auth\/identities\/\{id\}\/remove$/, [404]],
  [/\/users\/\{id\}\/factors\/\{factorId\}$/, [404]],
  // Where e-mails are off.
  [/\/auth\/email\/verification$/, [200, 503]],
  [/\/users\/\{id\}\/password-reset$/, [200, 503]],
  [/\/auth\/factors\/passkey$/, [400, 403]],
  [/\/auth\/factors\/passkey\/options$/, [200, 403]],
  // Only its sender continues a broadcast.
  [/\/broadcasts\/\{id\}\/batches$/, [404]],
  // The webhook has sent nothing.
  [/\/webhooks\/\{id\}\/deliveries\/\{deliveryId\}/, [404]],
  // The domain of the example is there from the second caller on. No id is that of one.
  [/\/domains$/, [200, 409]],
  [/\/(?:domains|connections|setup-links)\/\{id\}/, [404]],
  // The user has no second factor.
  [/\/sso-exemption$/, [400]],
  // Its example names an issuer that does not exist.
  [/\/connections$/, [200, 400]],
  // Its address gets five e-mails an hour, and e-mails may be off.
  [/\/setup-links$/, [200, 400, 429, 503]],
  // Nobody has consented to anything.
  [/\/grants\/\{id\}$/, [404]],
  // People create no organizations in the target.
  [/\/auth\/organizations$/, [403]],
  // The key has no version but its first, and nobody has declared it for the values of users.
  [/\/settings\/tenant\/\{key\}\/revert$/, [404]],
  [/\/settings\/(?:user|users\/\{id\})\/\{key\}$/, [400, 404]],
  // No subject has the name of a key.
  [/\/attributes\/\{subject\}/, [400]],
  // The examples name attributes that nobody has declared.
  [/\/\{id\}\/attributes$|\/profile\/attributes$/, [200, 400]],
  // The user does not hold the role.
  [/^PUT .+\/users\/\{userId\}\/roles\/\{roleId\}$/, [404]],
  // These ask for a second factor, and for no key. The suite `authority` has one.
  [/^(?:POST|DELETE) .+\/(?:eligible-roles(?:\/\{roleId\})?|elevations|support\/sessions|reviews)$/, [403]],
  // A key asks for approval of a change that it may not make.
  [/^POST .+\/approvals$/, [403, 404]],
  // There is none in this tenant.
  [/\/(?:elevations|support\/sessions|approvals|reviews)\/\{id\}/, [404]],
  // No operation has the name of a key.
  [/\/approval-policies\/\{operation\}$/, [400]],
  // The example names a record and a moment.
  [/\/webhooks\/\{id\}\/replay(\/preview)?$/, [400]],
]

const statusesOfOwn = (operation: Operation): number[] =>
  statusesOfOthers.find(([pattern]) => pattern.test(label(operation)))?.[1] ?? [200]

/** Signing out ends the session that asks, so it gets one of its own. */
const askingFor = (world: World, { path }: Operation, caller: Session): Promise<Session> | Session =>
  path.endsWith('/logout') && caller !== world.machine
    ? signIn(world.root.base, caller.email, caller.password)
    : caller

/**
 * Sends requests that have to succeed: without them a refusal would prove nothing. `withExtras` adds fields and
 * parameters.
 */
export const proveOwn = async (
  world: World,
  operations: Operation[],
  caller: Session,
  withExtras: (operation: Operation) => object = () => ({}),
): Promise<string> => {
  const open = await opensFor(world, caller)
  const breaches: string[] = []
  const { id } = world.home
  let succeeded = 0
  const within = operations.filter((one) => !one.path.includes('/global/') && !isApart(one))
  for (const operation of within) {
    const ids = await freshIds(world, operation)
    const asking = await askingFor(world, operation, caller)
    const sent = { caller: asking, operation, ids: everywhere(operation, { ...ids, text: 'x' }), tenant: id }
    const answer = await send(world, { ...sent, ...withExtras(operation) })
    const expected = open.has(operation.permission) ? statusesOfOwn(operation) : [403]
    if (!expected.includes(answer.status)) {
      breaches.push(`${label(operation)} answers ${answer.status}, not ${expected.join()}: ${answer.text}`)
    }
    if (isForeign(answer, world, operation, ids)) {
      breaches.push(`${label(operation)} acts elsewhere: ${answer.text}`)
    }
    if (answer.status === 200) succeeded += 1
  }
  refuteNothing(breaches)
  return `${succeeded} operations succeed in the caller's tenant, ${within.length - succeeded} are not for this caller`
}
