import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../lab/processes.ts'
import { endsWithin, eventually } from '../../test/waits.ts'
import type { Cache } from './cache.ts'
import { openRedisCache } from './redis.ts'

const limit = { name: 'login', points: 3, windowSeconds: 60 }
const password = 'secret-of-redis'
const sentinelPassword = 'secret-of-the-sentinels'

/** The test starts its own servers: a Redis with a replica, and three Sentinels that fail over after half a second. */
let folder: string
const processes: ChildProcess[] = []
const redisPorts: number[] = []
const sentinelPorts: number[] = []
const lines: string[] = []
const caches: Cache[] = []

async function launch(name: string, config: string[], ...mode: string[]): Promise<ChildProcess> {
  const file = join(folder, `${name}.conf`)
  writeFileSync(file, `${config.join('\n')}\n`)
  const server = spawn('redis-server', [file, ...mode], { stdio: ['ignore', 'pipe', 'ignore'] })
  processes.push(server)
  await new Promise<void>((resolve) => {
    server.stdout.on('data', (text: Buffer) => {
      if (/Ready to accept connections|Sentinel ID is/.test(text.toString())) resolve()
    })
  })
  return server
}

const common = (port: number) => [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`]

async function startRedis(place: number): Promise<void> {
  const port = redisPorts[place] ?? 0
  const memory = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0']
  const secrets = [`requirepass ${password}`, `masterauth ${password}`]
  const follows = place === 0 ? [] : [`replicaof 127.0.0.1 ${redisPorts[0]}`]
  await launch(`redis-${place}`, [...common(port), ...memory, ...secrets, ...follows])
}

async function startSentinel(place: number): Promise<void> {
  const port = sentinelPorts[place] ?? 0
  await launch(
    `sentinel-${place}`,
    [
      ...common(port),
      `requirepass ${sentinelPassword}`,
      `sentinel monitor main 127.0.0.1 ${redisPorts[0]} 2`,
      `sentinel auth-pass main ${password}`,
      'sentinel down-after-milliseconds main 500',
      'sentinel failover-timeout main 3000',
    ],
    '--sentinel',
  )
}

const ask = async <T>(port: number, secret: string, work: (client: Redis) => Promise<T>): Promise<T> => {
  const client = new Redis(port, { password: secret, maxRetriesPerRequest: 0 })
  client.on('error', () => undefined)
  try {
    return await work(client)
  } finally {
    client.disconnect()
  }
}

const roleOf = (place: number): Promise<string> =>
  ask(redisPorts[place] ?? 0, password, async (client) => String((await client.role())[0]))

/** Rejects until all Sentinels know each other and a connected replica. Before that a fail-over fails. */
const isReady = async (): Promise<void> => {
  for (const port of sentinelPorts) {
    const text = await ask(port, sentinelPassword, (client) => client.info('sentinel'))
    expect(text).toContain('status=ok')
    expect(text).toContain('slaves=1,sentinels=3')
  }
  const link = await ask(redisPorts[1] ?? 0, password, (client) => client.info('replication'))
  expect(link).toContain('master_link_status:up')
}

const open = async (): Promise<Cache> => {
  const note = (fields: unknown, text?: string) => void lines.push(`${JSON.stringify(fields)} ${text}`)
  const hooks = { now: () => new Date(), onPropagation: () => undefined }
  const hosts = sentinelPorts.map((port) => `127.0.0.1:${port}`).join()
  const url = `redis://:${password}@${hosts}/1?sentinel=main&sentinel_password=${sentinelPassword}`
  const cache = await openRedisCache(url, { info: note, warn: note }, hooks)
  caches.push(cache)
  return cache
}

const isUp = (cache: Cache) => eventually(async () => expect(await cache.ping()).toBe('up'))

describe.runIf(process.env['REDIS_URL'])('a cache that asks Sentinels for its Redis', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-sentinel-'))
    for (let place = 0; place < 2; place += 1) redisPorts.push(await freePort())
    for (let place = 0; place < 3; place += 1) sentinelPorts.push(await freePort())
    for (const place of redisPorts.keys()) await startRedis(place)
    for (const place of sentinelPorts.keys()) await startSentinel(place)
    await eventually(isReady)
  })
  afterEach(async () => {
    await Promise.all(caches.splice(0).map((cache) => cache.close()))
  })
  afterAll(async () => {
    for (const server of processes) {
      const exited = server.exitCode !== null || server.signalCode !== null || once(server, 'exit')
      server.kill('SIGCONT')
      server.kill('SIGKILL')
      await exited
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('follows a fail-over on purpose: limits and changes are shared again, and no secret is logged', async () => {
    const [cache, other] = await Promise.all([open(), open()])
    await cache.consume(limit, 'before')
    expect(await other.count(limit, 'before')).toBe(1)
    const from = (await roleOf(0)) === 'master' ? 0 : 1
    await ask(sentinelPorts[1] ?? 0, sentinelPassword, (client) =>
      client.call('SENTINEL', 'FAILOVER', 'main'),
    )
    await eventually(async () => {
      expect(await roleOf(1 - from)).toBe('master')
      expect(await roleOf(from)).toBe('slave')
    })
    await Promise.all([isUp(cache), isUp(other)])
    // The other process only sees a count that is in Redis.
    await eventually(async () => {
      await cache.consume(limit, 'after')
      expect(await other.count(limit, 'after')).toBeGreaterThan(0)
    })
    const heard: unknown[] = []
    other.subscribe((change) => heard.push(change))
    await cache.publish({ kind: 'keys' })
    await eventually(() => expect(heard).toContainEqual({ kind: 'keys' }))
    expect(lines.join()).not.toContain('secret')
  })

  test('opens while the first Sentinels are frozen, and uses this process without any Sentinel', async () => {
    const sentinels = processes.slice(2)
    sentinels[0]?.kill('SIGSTOP')
    const cache = await open()
    await isUp(cache)
    for (const server of sentinels) server.kill('SIGSTOP')
    let opened: Cache | undefined
    expect(await endsWithin(1500, async () => (opened = await open()))).toBe(true)
    const alone = opened ?? cache
    expect(await alone.ping()).toBe('down')
    expect(await alone.consume(limit, 'alone')).toEqual({ allowed: true, retryAfterSeconds: 0 })
    // Open connections need no Sentinel.
    expect(await cache.ping()).toBe('up')
    for (const server of sentinels) server.kill('SIGCONT')
    await isUp(alone)
    expect(lines.join()).not.toContain('secret')
  })
})
