import { setTimeout as sleep } from 'node:timers/promises'
import { refuteNothing } from '../../attack.ts'
import { newUser, ok, request, signIn, type Session } from '../../../lab/client.ts'
import { startReplica } from '../../../lab/replica.ts'
import { kidOf, publishedKids, rotateKeys } from '../../rotate-keys.ts'
import type { Prove } from '../../suite.ts'
import { ownStores, type Target } from '../../target.ts'
import { shiftedBy } from '../../clock.ts'
import type { Stage } from './refresh.ts'

interface Load {
  requests: number
  kids: Set<string>
  failures: string[]
}

const refreshPath = '/api/v1/auth/refresh'

/** A client that reads, refreshes and signs in at alternating replicas until it is stopped. */
const work = async (session: Session, urls: string[], load: Load, isOver: () => boolean): Promise<void> => {
  let { token, refreshToken } = session
  for (let turn = 0; !isOver(); turn += 1) {
    const url = urls[turn % urls.length] ?? session.base
    const reads = await Promise.all([0, 1, 2].map(() => request(url, 'GET', '/api/v1/profile', { token })))
    const refreshed = await request(url, 'POST', refreshPath, { body: { refresh_token: refreshToken } })
    const { email, password } = session
    const login = await request(url, 'POST', '/api/v1/auth/login', { body: { email, password } })
    for (const answer of [...reads, refreshed, login]) {
      load.requests += 1
      if (answer.status !== 200) load.failures.push(`${answer.status} ${answer.text.slice(0, 120)}`)
    }
    if (refreshed.status !== 200) return
    token = refreshed.data.access_token
    refreshToken = refreshed.data.refresh_token
    load.kids.add(kidOf(token))
  }
}

/** Earlier sessions live on: their tokens are valid, and new tokens name that key. */
const requireAlive = async (sessions: Session[], url: string, kid: string): Promise<void> => {
  for (const { token, refreshToken } of sessions) {
    ok(await request(url, 'GET', '/api/v1/profile', { token }))
    const pair = ok(await request(url, 'POST', refreshPath, { body: { refresh_token: refreshToken } }))
    if (kidOf(pair.access_token) !== kid) throw new Error('a new token is signed with another key')
  }
}

interface Rotating {
  stage: Stage
  env: Record<string, string>
  /** Replicas on the same stores. */
  urls: string[]
}

const rotateOften = async (env: Record<string, string>, times: number): Promise<void> => {
  for (let done = 0; done < times; done += 1) {
    await rotateKeys(env)
    await sleep(300)
  }
}

/** Two keys sign published tokens: one access tokens, one ID tokens. Each rotation adds one of both. */
const publishedKinds = 2

const requirePublished = (known: string[], rotations: number, kids: string[]): void => {
  const isWhole = known.every((kid) => kids.includes(kid))
  if (!isWhole || kids.length !== known.length + rotations * publishedKinds) {
    throw new Error(`${kids.length} keys are published, ${known.length} were before ${rotations} rotations`)
  }
}

const requireKnown = (kids: string[], token: string): void => {
  if (!kids.includes(kidOf(token))) throw new Error('a key signs that verifiers cannot know yet')
}

const rotateUnderLoad = async ({ stage: { target, tenant }, env, urls }: Rotating): Promise<string> => {
  const times = target.short ? 2 : 5
  const before = await publishedKids(target.url)
  const clients = await Promise.all(Array.from({ length: 8 }, () => newUser(target.root, tenant)))
  const waiting = await Promise.all(Array.from({ length: 5 }, () => newUser(target.root, tenant)))
  const load: Load = { requests: 0, kids: new Set(), failures: [] }
  let isOver = false
  const working = clients.map((client) => work(client, urls, load, () => isOver))
  await rotateOften(env, times).finally(() => {
    isOver = true
  })
  await Promise.all(working)
  refuteNothing(load.failures)
  const kids = await Promise.all(urls.map(publishedKids))
  for (const published of kids) requirePublished(before, times, published)
  const { token } = await signIn(target.url, clients[0]?.email ?? '', clients[0]?.password ?? '')
  requireKnown(before, token)
  for (const url of urls) await requireAlive(waiting.splice(0, 2), url, kidOf(token))
  return `${times} rotations during ${load.requests} requests, refreshes and logins at ${urls.length} replicas: none failed; every token was signed with a key published before`
}

const onServices = async (stage: Stage, env: Record<string, string>): Promise<string> => {
  const second = await startReplica(env)
  try {
    return await rotateUnderLoad({ stage, env, urls: [stage.target.url, second.url] })
  } finally {
    await second.stop()
  }
}

const rootOf = (url: string, env: Record<string, string>): Promise<Session> =>
  signIn(url, env['TENANTRY_ADMIN_EMAIL'] ?? '', env['TENANTRY_ADMIN_PASSWORD'] ?? '')

/** The `max-age` of the key set, and a second. */
const keySetSeconds = 301

/** A replica whose clock is ahead. */
const startLater = (env: Record<string, string>, seconds: number) =>
  startReplica({ ...env, NODE_OPTIONS: shiftedBy(seconds) })

/** The running process holds the lock of the embedded database, so its keys are rotated between two runs. */
const betweenRuns = async (kind: Target['kind']): Promise<string> => {
  const stores = await ownStores(kind)
  const { env } = stores
  try {
    const before = await startReplica(env)
    const session = await rootOf(before.url, env)
    const known = await publishedKids(before.url)
    await before.stop()
    await rotateKeys(env)
    const after = await startReplica(env)
    const { token } = await rootOf(after.url, env)
    await requireAlive([session], after.url, kidOf(token))
    const kids = await publishedKids(after.url)
    await after.stop()
    if (!known.includes(kidOf(token))) throw new Error('the new key signs at once')
    requirePublished(known, 1, kids)
    const later = await startLater(env, keySetSeconds)
    const { token: signed } = await rootOf(later.url, env)
    await later.stop()
    if (known.includes(kidOf(signed))) throw new Error('the old key signs on')
    if (!kids.includes(kidOf(signed))) throw new Error('a key signs that was not published before')
    return `the new key is published at once and signs ${keySetSeconds} s later; earlier access and refresh tokens stay valid`
  } finally {
    await stores.remove()
  }
}

const afterLeak = async (kind: Target['kind']): Promise<string> => {
  const stores = await ownStores(kind)
  const { env } = stores
  try {
    const before = await startReplica(env)
    const session = await rootOf(before.url, env)
    const known = await publishedKids(before.url)
    await before.stop()
    await rotateKeys(env, '--now')
    const after = await startReplica(env)
    const body = { refresh_token: session.refreshToken }
    const statuses = [
      (await request(after.url, 'GET', '/api/v1/profile', { token: session.token })).status,
      (await request(after.url, 'POST', refreshPath, { body })).status,
    ]
    const { token } = await rootOf(after.url, env)
    const kids = await publishedKids(after.url)
    await after.stop()
    if (statuses.join() !== '401,401') throw new Error(`earlier tokens answer ${statuses.join()}`)
    if (known.some((kid) => kids.includes(kid))) throw new Error('the leaked key is still published')
    if (kids.length !== publishedKinds || !kids.includes(kidOf(token))) {
      throw new Error(`${kids.length} keys are published after a leak`)
    }
    return 'earlier access and refresh tokens answer 401, the new key signs, and no earlier one is published'
  } finally {
    await stores.remove()
  }
}

export const proveRotation = async (stage: Stage, prove: Prove): Promise<void> => {
  const { kind, env } = stage.target
  if (kind === 'given') return
  if (kind === 'services' && env) {
    await prove('rotating the keys under load loses no request and no session', () => onServices(stage, env))
  }
  await prove('a rotated key signs when every verifier can know it, and ends no session', () =>
    betweenRuns(kind),
  )
  await prove('after a leak no token of an earlier key is valid', () => afterLeak(kind))
}
