import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
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
import { startReplica } from '../../../lab/replica.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'

interface Stage {
  root: Session
  tenant: { id: string; admin: Session }
  member: Session
}

const declare = async (root: Session, definition: object): Promise<string> => {
  const key = unique('prove.')
  ok(await root.call('PUT', `/settings/definitions/${key}`, definition))
  return key
}

const effective = async (who: Session, key: string) => ok(await who.call('GET', `/settings/effective/${key}`))

/** A line for each answer that breaks the promise. */
const unlike = (what: string, found: unknown, expected: unknown): string[] =>
  JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${what}: ${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`]

const proveOrder = async ({ root, tenant, member }: Stage): Promise<string> => {
  const schema = { type: 'string', maxLength: 9 }
  const scopes = ['global', 'tenant', 'user']
  const key = await declare(root, { schema, default: 'default', scopes, public: true })
  const breaches: string[] = []
  const expect = async (value: string) =>
    breaches.push(...unlike('the value that counts', (await effective(member, key)).value, value))
  await expect('default')
  ok(await root.call('PUT', `/settings/global/${key}`, { value: 'global' }))
  await expect('global')
  ok(await tenant.admin.call('PUT', `/settings/tenant/${key}`, { value: 'tenant' }))
  await expect('tenant')
  ok(await member.call('PUT', `/settings/user/${key}`, { value: 'user' }))
  await expect('user')
  ok(await root.call('PUT', `/settings/global/${key}/lock`))
  await expect('global')
  const refused = [
    await tenant.admin.call('PUT', `/settings/tenant/${key}`, { value: 'x' }),
    await member.call('PUT', `/settings/user/${key}`, { value: 'x' }),
    await tenant.admin.call('POST', `/settings/tenant/${key}/revert`, { version: 1 }),
  ].map(({ status }) => status)
  breaches.push(...unlike('writes of a locked key', refused, [403, 403, 403]))
  ok(await root.call('DELETE', `/settings/global/${key}/lock`))
  await expect('user')
  const long = await tenant.admin.call('PUT', `/settings/tenant/${key}`, { value: 'x'.repeat(10) })
  breaches.push(...unlike('a value that does not fit', long.status, 400))
  const other = (await newTenant(root)).admin
  const foreign = await other.call('GET', `/settings/effective/${key}?user_id=${member.userId}`)
  breaches.push(...unlike('the value of a user of another tenant', foreign.status, 404))
  refuteNothing(breaches)
  return 'default, global, tenant, user, and the lock over both: each as declared'
}

const proveSecret = async ({ root, tenant, member }: Stage): Promise<string> => {
  const secret = unique('hunter')
  const key = await declare(root, { schema: { type: 'string' }, scopes: ['global', 'tenant'], secret: true })
  const at = `/settings/tenant/${key}`
  const before = await tenant.admin.call('PUT', at, { value: secret })
  ok(before)
  ok(await tenant.admin.call('PUT', at, { value: secret }))
  const answers: [string, Answer][] = []
  const look = async (who: Session, method: string, path: string, body?: unknown) =>
    answers.push([`${method} ${path}`, await who.call(method, path, body, { tenant: tenant.id })])
  for (const path of [
    at,
    '/settings/tenant',
    `${at}/history`,
    `/settings/effective/${key}`,
    '/settings/effective',
  ]) {
    await look(tenant.admin, 'GET', path)
  }
  await look(tenant.admin, 'GET', '/audit/logs?resource=setting&page_size=200')
  await look(tenant.admin, 'GET', '/audit/export')
  await look(tenant.admin, 'POST', `${at}/revert`, { version: 1 })
  await look(root, 'POST', '/settings/secrets/read', { keys: [key] })
  await look(member, 'POST', '/settings/secrets/read', { keys: [key] })
  const key1 = await addKey(tenant.admin, tenant.id, unique('key'))
  await look(key1, 'POST', '/settings/secrets/read', { keys: [key] })
  const breaches = answers
    .filter(([, { text }]) => text.includes(secret))
    .map(([what]) => `${what} has the secret`)
  const versions = ok(await tenant.admin.call('GET', `${at}/history`)).total
  breaches.push(...unlike('versions of two equal writes', versions, 2))
  const plain = await root.call('PUT', `/settings/definitions/${key}`, { schema: {}, scopes: ['tenant'] })
  breaches.push(...unlike('a secret that is declared plain', plain.status, 400))
  refuteNothing(breaches)
  return `${answers.length} answers, records and exports without the value; a person and a tenant's key are refused`
}

const proveLostUpdate = async ({ tenant }: Stage, rounds: number): Promise<string> => {
  const at = `/settings/tenant/${unique('race.')}`
  ok(await tenant.admin.call('PUT', at, { value: 0 }))
  const breaches: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const tag = (await tenant.admin.call('GET', at)).headers.get('etag') ?? ''
    const headers = { 'if-match': tag }
    const writers = Array.from({ length: 8 }, (_, n) =>
      tenant.admin.call('PUT', at, { value: `${round} ${n}` }, { headers }),
    )
    const statuses = (await Promise.all(writers)).map(({ status }) => status).toSorted((a, b) => a - b)
    breaches.push(...unlike('eight writers of one version', statuses, [200, ...Array(7).fill(412)]))
  }
  const { total } = ok(await tenant.admin.call('GET', `${at}/history`))
  breaches.push(...unlike('kept versions', total, Math.min(rounds + 1, 20)))
  refuteNothing(breaches)
  return `${rounds} times eight writers of one version: one of them each time`
}

/** No accepted request keeps the event loop longer than 50 ms; a busy machine takes several times that. */
const stallMs = 250

/** The longest that a probe waits while the request is answered. */
const longestWait = async (base: string, sent: Promise<Answer>): Promise<number> => {
  const waits: number[] = []
  const ended = new AbortController()
  const done = sent.then(ok).finally(() => ended.abort())
  while (!ended.signal.aborted) waits.push((await request(base, 'GET', '/healthz')).ms)
  await done
  return Math.max(...waits)
}

const proveQuick = async ({ root, member }: Stage): Promise<string> => {
  const names = Array.from({ length: 420 }, (_, at) => `n${at}`)
  const schema = { type: 'array', items: { enum: names } }
  const key = await declare(root, { schema, scopes: ['user'], public: true })
  const value = Array.from({ length: 8000 }, (_, at) => names[at % names.length])
  const waits: number[] = []
  for (let round = 0; round < 3; round += 1) {
    value.push('n0')
    waits.push(await longestWait(root.base, member.call('PUT', `/settings/user/${key}`, { value })))
  }
  const least = Math.min(...waits)
  refuteNothing(least < stallMs ? [] : [`a probe waits ${Math.round(least)} ms at least in each of 3 rounds`])
  return `a probe waits ${Math.round(least)} ms beside a list of 8,000 names against 420 names`
}

/** A change at one replica is seen at another one within this time, also when its message is lost. */
const boundMs = 2500

const proveReplicas = async ({ root, tenant }: Stage, env: Record<string, string>): Promise<string> => {
  const other = await startReplica(env)
  try {
    const key = await declare(root, { schema: {}, scopes: ['global', 'tenant'], default: 0 })
    const far = tenant.admin.at(other.url)
    const breaches: string[] = []
    let worst = 0
    for (let round = 1; round <= 10; round += 1) {
      await effective(far, key)
      ok(await tenant.admin.call('PUT', `/settings/tenant/${key}`, { value: round }))
      const since = performance.now()
      while ((await effective(far, key)).value !== round && performance.now() - since < boundMs) {
        await sleep(10)
      }
      const took = performance.now() - since
      worst = Math.max(worst, took)
      if (took >= boundMs) breaches.push(`a change was not seen within ${boundMs} ms`)
    }
    refuteNothing(breaches)
    return `10 changes, seen at another replica after ${Math.round(worst)} ms at most`
  } finally {
    await other.stop()
  }
}

const prove = async ({ kind, root, env, short }: Target, record: Prove): Promise<void> => {
  const tenant = await newTenant(root)
  const stage = { root, tenant, member: await newUser(root, tenant.id) }
  await record(
    'the declared order decides which value counts, and a lock passes over tenants and users',
    () => proveOrder(stage),
  )
  await record('no answer, record or export has the value of a secret setting', () => proveSecret(stage))
  await record('of several writers of one version one writes, and the others learn that it is outdated', () =>
    proveLostUpdate(stage, short ? 5 : 100),
  )
  await record('the worst value of a declared setting does not hold up other requests', () =>
    proveQuick(stage),
  )
  if (kind === 'services' && env) {
    await record('a change of a setting acts at every replica within the bound', () =>
      proveReplicas(stage, env),
    )
  }
  await root.call('DELETE', `/org/tenants/${tenant.id}`)
}

export const settings: Suite = { name: 'settings', kinds: ['embedded', 'services', 'given'], prove }
