import { Redis, type RedisOptions } from 'ioredis'
import type { BaseLogger } from 'pino'
import { redisAddressOf, type RedisAddress } from '../config/config-values.ts'
import { inTime } from './deadline.ts'

export type CacheLog = Pick<BaseLogger, 'info' | 'warn'>

/** The longest wait for the first connection at start. The process then continues without Redis. */
const firstAnswerMs = 1000

/**
 * Makes calls fail fast: of the measured clients only ioredis bounds the wait for a frozen Redis. The client queues and
 * resends nothing. It closes a socket without an answer after 2 s, because a vanished host closes nothing.
 * `commandTimeout` bounds only the handshake and its queue; `inTime` bounds a caller's wait. READONLY means that a
 * failover made this Redis a replica, so the client reconnects.
 */
const profile = {
  enableOfflineQueue: false,
  enableAutoPipelining: true,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 1000,
  commandTimeout: 1000,
  socketTimeout: 2000,
  disconnectTimeout: 100,
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000),
  reconnectOnError: (err: Error) => err.message.startsWith('READONLY'),
}

/** The port of a Sentinel whose address names none. */
const sentinelPort = 26379

/**
 * At each connect the client asks the Sentinels for the master, and refuses a Redis that is not the master. A fail-over
 * closes the connections or makes them silent, and `profile` handles both. The failover detector of ioredis prints each
 * lost Sentinel to stderr, so it stays off.
 */
function sentinelOptions({
  hosts,
  master,
  sentinelPassword,
}: RedisAddress): Omit<RedisOptions, 'replyMapping'> {
  if (master === undefined) return {}
  const isEncrypted = hosts[0]?.protocol === 'rediss:'
  return {
    name: master,
    sentinels: hosts.map(({ hostname, port }) => ({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || sentinelPort),
    })),
    sentinelPassword,
    sentinelCommandTimeout: profile.commandTimeout,
    sentinelRetryStrategy: profile.retryStrategy,
    enableTLSForSentinelMode: isEncrypted,
    ...(isEncrypted ? { sentinelTLS: {} } : {}),
  }
}

/** The first host with its login. With Sentinels, omits the parameters that only this service uses. */
function loginOf({ hosts: [first], master }: RedisAddress): string {
  const login = new URL(first ?? '')
  if (master !== undefined) login.search = ''
  return login.href
}

/** Opens a connection that reconnects without limit and logs each outage once. Throws for an invalid address. */
export function connect(url: string, connectionName: string, log: CacheLog): Redis {
  const address = redisAddressOf(url)
  if (!address) throw new Error('the address of Redis is invalid')
  const client = new Redis(loginOf(address), { ...profile, ...sentinelOptions(address), connectionName })
  let isAway = false
  client.on('ready', () => {
    if (isAway) log.info({ connectionName }, 'cache: connected to Redis again')
    isAway = false
  })
  client.on('error', (err) => {
    if (!isAway) log.warn({ connectionName, reason: reasonOf(err) }, 'cache: no connection to Redis')
    isAway = true
  })
  return client
}

/** Resolves when the first attempt to connect has succeeded, failed or taken too long. */
export function firstAnswer(client: Redis): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, firstAnswerMs)
    const settle = (): void => {
      clearTimeout(timer)
      resolve()
    }
    client.once('ready', settle)
    client.once('error', settle)
  })
}

/** Quits if Redis answers in time, then closes the socket. */
export async function hangUp(client: Redis): Promise<void> {
  await inTime(client.quit()).catch(() => undefined)
  client.disconnect()
}

/**
 * The message of an error. Omits everything else: an ioredis error contains its command, and the command AUTH contains
 * the password.
 */
export function reasonOf(err: unknown): string {
  return err instanceof Error ? err.message : 'unknown'
}
