import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Breaker } from './breaker.ts'
import type { Invalidation } from './cache.ts'
import type { CacheLog } from './connection.ts'
import { reasonOf } from './connection.ts'
import type { Message } from './message.ts'
import { parseMessage } from './message.ts'
import { inBackground } from '../traced-steps.ts'

type Listener = (change: Invalidation | undefined) => void

/** Two connections, because a connection that subscribes can send no other command. */
interface ChannelDeps {
  client: Redis
  subscriber: Redis
  breaker: Breaker
  log: CacheLog
  clock: () => number
  onPropagation: (seconds: number) => void
}

export interface Channel {
  /** True if changes of other replicas arrive now. */
  isHearing: () => boolean
  /** Resolves when the pending subscription has succeeded or failed. */
  settled: () => Promise<void>
  publish: (change: Invalidation) => Promise<void>
  subscribe: (listener: Listener) => void
  /** Runs once a second. Detects a broken subscription, retries a failed one, and sends again after a failure. */
  tend: () => Promise<void>
}

/**
 * Publishes changes over one Redis channel, which stores no messages. A new subscriber therefore drops all cached
 * state. A replica that failed to send makes the others drop theirs, as soon as Redis answers.
 */
export function createChannel(deps: ChannelDeps): Channel {
  // Redis databases share channel names, unlike keys, so the name contains the database's number.
  const name = `tenantry:changes:${deps.client.options.db ?? 0}`
  const self = randomUUID()
  const listeners: Listener[] = []

  function deliver(change: Invalidation | undefined): void {
    inBackground(() => listeners.forEach((listener) => listener(change)))
  }

  function receive(text: string): void {
    const message = parseMessage(text)
    if (!message) {
      deps.log.warn({ length: text.length }, 'cache: ignored a malformed message')
    } else if (message.from !== self) {
      deps.onPropagation(Math.max(0, deps.clock() - message.sentAt) / 1000)
      deliver(message.change ?? undefined)
    }
  }

  const sender = createSender(deps, name, self)
  const subscription = keepSubscribed(deps, name, () => deliver(undefined))
  deps.subscriber.on('message', (_name, text) => receive(text))

  return {
    isHearing: subscription.isHearing,
    settled: subscription.settled,
    subscribe: (listener) => void listeners.push(listener),
    async publish(change) {
      deliver(change)
      if (change.kind !== 'recorded') await sender.send(change)
    },
    async tend() {
      subscription.tend()
      await sender.tend()
    },
  }
}

function createSender({ client, breaker, clock }: ChannelDeps, name: string, self: string) {
  let owesForgetAll = false

  async function send(change: Message['change']): Promise<void> {
    const message: Message = { from: self, sentAt: clock(), change }
    await breaker.run<unknown>(
      'PUBLISH',
      () => client.publish(name, JSON.stringify(message)),
      () => {
        owesForgetAll = true
      },
    )
  }

  async function tend(): Promise<void> {
    if (!owesForgetAll || breaker.isOpen()) return
    owesForgetAll = false
    await send(null)
  }

  return { send, tend }
}

/** Subscribes after each connect. The client's own resubscribing would not report success. */
function keepSubscribed({ subscriber, log }: ChannelDeps, name: string, onSubscribed: () => void) {
  let isHearing = false
  let subscribing = Promise.resolve()

  async function listen(): Promise<void> {
    try {
      await subscriber.subscribe(name)
    } catch (err) {
      log.warn({ reason: reasonOf(err) }, 'cache: cannot subscribe to the changes of other replicas')
      return
    }
    isHearing = true
    onSubscribed()
  }

  /** Sends a ping. A dead socket does not answer it, and `socketTimeout` then closes the socket. */
  function tend(): void {
    if (subscriber.status !== 'ready') return
    if (isHearing) subscriber.ping().catch(() => undefined)
    else subscribing = listen()
  }

  subscriber.on('ready', () => {
    subscribing = listen()
  })
  subscriber.on('close', () => {
    isHearing = false
  })
  return { isHearing: () => isHearing, settled: () => subscribing, tend }
}
