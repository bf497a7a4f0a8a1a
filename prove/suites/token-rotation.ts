import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { refuteNothing } from '../attack.ts'
import { newUser, ok, request, signIn, type Session } from '../client.ts'
import { parseToken } from '../forge.ts'
import { startReplica } from '../replica.ts'
import type { Prove } from '../suite.ts'
import { embeddedStores } from '../target.ts'
import type { Stage } from './token-refresh.ts'

const main = fileURLToPath(new URL('../../server/bin/tenantry.js', import.meta.url))

const rotateKeys = async (env: Record<string, string>): Promise<void> => {
  await promisify(execFile)(process.execPath, [main, 'rotate-keys'], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
}

const kidOf = (token: string): string => String(parseToken(token).header['kid'])

const publishedKids = async (url: string): Promise<string[]> => {
  const { keys } = (await request(url, 'GET', '/.well-known/jwks.json')).body as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

interface Load {
  requests: number
  kids: Set<string>
  failures: string[]
}

const refreshPath = '/api/v1/auth/refresh'

/** A client that reads, refreshes and signs in until it is told to stop, now at one replica, now at the other. */
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

/** The sessions of before go on: their tokens are good, and new ones name the new key. */
const requireAlive = async (sessions: Session[], url: string, kid: string): Promise<void> => {
  for (const { token, refreshToken } of sessions) {
    ok(await request(url, 'GET', '/api/v1/profile', { token }))
    const pair = ok(await request(url, 'POST', refreshPath, { body: { refresh_token: refreshToken } }))
    if (kidOf(pair.access_token) !== kid) throw new Error('a new token is signed with an old key')
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

const rotateUnderLoad = async ({ stage: { target, tenant }, env, urls }: Rotating): Promise<string> => {
  const times = target.short ? 2 : 5
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
  if (kids.some((published) => published.length <= times)) {
    throw new Error('a key that still verifies is not published')
  }
  const { token } = await signIn(target.url, clients[0]?.email ?? '', clients[0]?.password ?? '')
  for (const url of urls) await requireAlive(waiting.splice(0, 2), url, kidOf(token))
  return `${times} rotations during ${load.requests} requests, refreshes and logins at ${urls.length} replicas: none failed; ${load.kids.size} keys signed`
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

/** The running process holds the embedded database's lock, so its keys are rotated between two runs. */
const betweenRuns = async (): Promise<string> => {
  const stores = await embeddedStores()
  const { env } = stores
  try {
    const before = await startReplica(env)
    const session = await rootOf(before.url, env)
    await before.stop()
    await rotateKeys(env)
    const after = await startReplica(env)
    const { token } = await rootOf(after.url, env)
    await requireAlive([session], after.url, kidOf(token))
    const kids = await publishedKids(after.url)
    await after.stop()
    if (kidOf(token) === kidOf(session.token) || kids.length !== 2) throw new Error('the key is the old one')
    return 'between two runs (a running service holds the embedded database): access and refresh token of before are good'
  } finally {
    await stores.remove()
  }
}

export const proveRotation = async (stage: Stage, prove: Prove): Promise<void> => {
  const { kind, env } = stage.target
  if (kind === 'services' && env) {
    await prove('rotating the keys under load loses no request and no session', () => onServices(stage, env))
  }
  if (kind === 'embedded') await prove('rotating the keys ends no session', betweenRuns)
}
