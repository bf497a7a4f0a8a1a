/** Proves that evaluation gives each caller only their own values, and that all ways of evaluation agree. */
import {
  addKey,
  newTenant,
  newUser,
  ok,
  request,
  unique,
  type Answer,
  type Session,
} from '../../../lab/client.ts'
import { addRole, assign, permissionIds, refuteNothing, removeTenants } from '../../attack.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'

const half = [
  { variant: 'on', weight: 50_000 },
  { variant: 'off', weight: 50_000 },
]

interface World {
  root: Session
  url: string
  home: { id: string; slug: string; admin: Session }
  foreign: { id: string; slug: string; admin: Session }
  user: Session
  /** A key that may evaluate. */
  key: string
  keys: string[]
}

const addFlag = async ({ root, keys }: World, fields: object = {}): Promise<string> => {
  const key = unique('prove.')
  const variants = { on: true, off: false }
  const flag = { key, type: 'boolean', variants, enabled: true, off_variant: 'off', default_variant: 'off' }
  ok(await root.call('POST', '/flags', { ...flag, ...fields }))
  keys.push(key)
  return key
}

const ruleFor = (attribute: string, value: unknown) => ({
  rules: [{ conditions: [{ attribute, op: 'in', values: [value] }], serve: 'on' }],
})

const all = ({ url }: World, token: string, context: unknown, etag?: string): Promise<Answer> =>
  request(url, 'POST', '/ofrep/v1/evaluate/flags', {
    token,
    body: { context },
    ...(etag !== undefined && { headers: { 'if-none-match': etag } }),
  })

const one = ({ url }: World, token: string, key: string, context: unknown = {}): Promise<Answer> =>
  request(url, 'POST', `/ofrep/v1/evaluate/flags/${key}`, { token, body: { context } })

const claims = async (world: World): Promise<string> => {
  const { user, foreign } = world
  const other = foreign.admin
  const claimed = {
    targetingKey: 'root',
    user_id: String(other.userId),
    tenant_id: foreign.id,
    tenant_slug: foreign.slug,
  }
  const breaches: string[] = []
  for (const [attribute, value] of Object.entries(claimed)) {
    const key = await addFlag(world, { client_side: true, ...ruleFor(attribute, value) })
    const { body } = await one(world, user.token, key, claimed)
    if (body.value !== false) breaches.push(`a user claims ${attribute}, and gets ${String(body.value)}`)
    const trusted = await one(world, world.key, key, claimed)
    if (trusted.body.value !== true) breaches.push(`a key sends ${attribute}, and it does not count`)
  }
  const own = await addFlag(world, { client_side: true })
  ok(await world.root.call('PUT', `/flags/${own}/tenants/${foreign.id}`, { variant: 'on' }))
  const { body } = await one(world, user.token, own, claimed)
  if (body.value !== false) breaches.push('a user gets the variant of another tenant')
  refuteNothing(breaches)
  return '5 claims, each with its own rule'
}

const hidden = async (world: World): Promise<string> => {
  const { user, home, root } = world
  const [seen, secret] = [await addFlag(world, { client_side: true }), await addFlag(world)]
  const breaches: string[] = []
  const before = await all(world, user.token, {})
  if (before.text.includes(secret)) breaches.push('a list names a flag of the server side')
  if (!before.text.includes(seen)) breaches.push('a list lacks a flag of the client side')
  const single = await one(world, user.token, secret)
  const absent = await one(world, user.token, 'prove.none')
  const told = (answer: Answer) => [answer.status, answer.body.errorCode, answer.body.errorDetails].join()
  if (told(single) !== told(absent)) breaches.push('a flag of the server side is told from one that is not')
  ok(await root.call('PUT', `/flags/${secret}`, { default_variant: 'on' }))
  const after = await all(world, user.token, {})
  if (after.headers.get('etag') !== before.headers.get('etag')) breaches.push('a tag tells of a hidden flag')
  for (const path of ['/flags', `/flags/${seen}`, `/flags/${seen}/tenants`]) {
    const { status } = await home.admin.call('GET', path)
    if (status !== 403) breaches.push(`an administrator of a tenant gets ${status} at ${path}`)
  }
  refuteNothing(breaches)
  return 'lists, answers, tags and 3 paths of administration'
}

const tags = async (world: World): Promise<string> => {
  const { user } = world
  const key = await addFlag(world, { client_side: true, ...ruleFor('plan', 'gold') })
  const breaches: string[] = []
  const first = await all(world, user.token, { plan: 'gold' })
  const etag = first.headers.get('etag') ?? ''
  const statusOf = async (context: object, token = user.token) =>
    (await all(world, token, context, etag)).status
  if ((await statusOf({ plan: 'gold' })) !== 304) breaches.push('the same answer is sent again')
  for (const context of [{ plan: 'silver' }, {}, { plan: 'gold', more: 1 }]) {
    if ((await statusOf(context)) !== 200) breaches.push(`304 for ${JSON.stringify(context)}`)
  }
  const ofOther = await statusOf({ plan: 'gold' }, world.home.admin.token)
  if (ofOther !== 200) breaches.push('304 for another user')
  ok(await world.root.call('PUT', `/flags/${key}`, { enabled: false }))
  if ((await statusOf({ plan: 'gold' })) !== 200) breaches.push('304 after a change')
  refuteNothing(breaches)
  return '1 tag, 6 requests'
}

const updates = async (world: World): Promise<string> => {
  const key = await addFlag(world)
  const write = (description: string) =>
    world.root.call('PUT', `/flags/${key}`, { description }, { headers: { 'if-match': '"1"' } })
  const statuses = (await Promise.all(['a', 'b', 'c', 'd'].map(write))).map(({ status }) => status)
  const sorted = statuses.toSorted((a, b) => a - b).join()
  if (sorted !== '200,412,412,412') refuteNothing([`four writers of one version got ${sorted}`])
  return '4 writers of one version: 1 was served'
}

/** The breaches of one context: evaluation, explanation and bucket have to agree. */
const compare = async (world: World, key: string, context: { targetingKey: string; plan: string }) => {
  const [asked, explained] = await Promise.all([
    one(world, world.key, key, context),
    world.root.call('POST', `/flags/${key}/explain`, { context }),
  ])
  const { variant, reason, bucket } = ok(explained) as {
    variant: string
    reason: string
    bucket: number | null
  }
  const isSame = variant === asked.body.variant && reason === asked.body.reason
  const isInBucket = bucket === null || bucket < 50_000 === (variant === 'on')
  return { bucket, isRight: isSame && isInBucket, said: `${asked.body.variant}, ${variant}, ${bucket}` }
}

const agreement = async (world: World): Promise<string> => {
  const key = await addFlag(world, { rules: [...ruleFor('plan', 'gold').rules, { split: half }] })
  const count = 300
  const buckets: number[] = []
  const breaches: string[] = []
  for (let user = 0; user < count; user += 1) {
    const context = { targetingKey: `user-${user}`, plan: user % 10 === 0 ? 'gold' : 'free' }
    const { bucket, isRight, said } = await compare(world, key, context)
    if (!isRight) breaches.push(`user ${user}: ${said}`)
    if (bucket !== null) buckets.push(bucket)
  }
  const low = buckets.filter((bucket) => bucket < 50_000).length
  if (Math.abs(low - buckets.length / 2) > buckets.length / 5) breaches.push(`a half is ${low}`)
  refuteNothing(breaches)
  return `${count} contexts; ${low} of ${buckets.length} in a half`
}

const changesAtOnce = async (world: World): Promise<string> => {
  const key = await addFlag(world)
  const breaches: string[] = []
  const rounds = 20
  for (let round = 1; round <= rounds; round += 1) {
    const isOn = round % 2 === 1
    ok(await world.root.call('PUT', `/flags/${key}`, { default_variant: isOn ? 'on' : 'off' }))
    const { body } = await one(world, world.key, key)
    if (body.value !== isOn) breaches.push(`round ${round}: the change does not count yet`)
  }
  refuteNothing(breaches)
  return `${rounds} changes, each followed by its evaluation`
}

const openWorld = async ({ root, url }: Target): Promise<World> => {
  const [home, foreign] = [await newTenant(root), await newTenant(root)]
  const user = await newUser(home.admin)
  const key = await addKey(root, root.tenantId, unique('prove'))
  const ids = await permissionIds(root, root.tenantId)
  const permissions = [ids.get('flag:evaluate') ?? 0]
  const role = await addRole(root, root.tenantId, { name: unique('prove'), permissions })
  await assign(root, root.tenantId, key.userId, role)
  return { root, url, home, foreign, user, key: key.token, keys: [] }
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const world = await openWorld(target)
  try {
    await record('a user is nobody else in a context, and a key is trusted', () => claims(world))
    await record('flags of the server side are neither listed nor told to users', () => hidden(world))
    await record('a tag spares an answer for the same context alone', () => tags(world))
    await record('an update is lost by nobody who names its version', () => updates(world))
    await record('an explanation says what evaluation does, by the published bucket', () => agreement(world))
    await record('a change counts for the next evaluation', () => changesAtOnce(world))
  } finally {
    for (const key of world.keys) await target.root.call('DELETE', `/flags/${key}`)
    await removeTenants(target.root, [world.home.id, world.foreign.id])
  }
}

export const flags: Suite = { name: 'flags', kinds: ['embedded', 'services', 'given'], prove }
