import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Cache } from './cache/cache.ts'
import type { Hasher } from './crypto/passwords.ts'
import type { Store } from './db/client.ts'
import { askForMetrics, workerId } from './worker.ts'

/** The service's metrics. docs/operations.md documents their names. */
export interface Metrics {
  registry: Registry
  /** All metrics in the Prometheus text format, including those of other workers. */
  text(): Promise<string>
  requests: Histogram<'method' | 'route' | 'status'>
  logins: Counter<'result'>
  callerLookups: Counter<'result'>
  propagation: Histogram
  mails: Counter<'result'>
  webhookAttempts: Counter<'result'>
  webhookDeliveries: Counter<'status'>
  flagEvaluations: Counter<'outcome'>
  streams: Gauge
  archiveFailures: Counter
  breachedPasswords: Counter<'result'>
}

/** Bounds of durations in seconds, from a cached answer to a login that waited for its hash. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Sends this worker's metrics to the primary process, which adds up those of all workers. */
const shareWithPrimary = (registry: Registry): void => {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
}

const webhookCounters = (registers: Registry[]): Pick<Metrics, 'webhookAttempts' | 'webhookDeliveries'> => {
  const webhookAttempts = new Counter({
    name: 'tenantry_webhook_attempts_total',
    help: 'Attempts to deliver an event by result: taken, failed',
    labelNames: ['result'],
    registers,
  })
  const webhookDeliveries = new Counter({
    name: 'tenantry_webhook_deliveries_total',
    help: 'Stored deliveries by status: delivered, pending (tried again), failed (the webhook was disabled), dead (skipped)',
    labelNames: ['status'],
    registers,
  })
  for (const result of ['taken', 'failed']) webhookAttempts.inc({ result }, 0)
  for (const status of ['delivered', 'pending', 'failed', 'dead']) webhookDeliveries.inc({ status }, 0)
  return { webhookAttempts, webhookDeliveries }
}

const streamGauge = (registers: Registry[]): Gauge =>
  new Gauge({ name: 'tenantry_event_streams', help: 'Open streams of events', registers })

const archiveCounter = (registers: Registry[]): Counter =>
  new Counter({
    name: 'tenantry_archive_failures_total',
    help: 'Readings and deletions of audit records that failed because an archive did not answer',
    registers,
  })

const breachedCounter = (registers: Registry[]): Counter<'result'> => {
  const checks = new Counter({
    name: 'tenantry_breached_password_checks_total',
    help: 'New passwords looked up in the list of breached ones by result: clear, found, unanswered (taken)',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['clear', 'found', 'unanswered']) checks.inc({ result }, 0)
  return checks
}

const loginCounter = (registers: Registry[]): Counter<'result'> =>
  new Counter({
    name: 'tenantry_logins_total',
    help: 'Sign-ins by result: ok, wrong, disabled',
    labelNames: ['result'],
    registers,
  })

const outcomes = [
  'static',
  'default',
  'targeting_match',
  'split',
  'disabled',
  'flag_not_found',
  'targeting_key_missing',
  'invalid_context',
]

const flagCounter = (registers: Registry[]): Counter<'outcome'> => {
  const evaluations = new Counter({
    name: 'tenantry_flag_evaluations_total',
    help: 'Evaluations of feature flags by outcome: the reason of the value, or the error code',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of outcomes) evaluations.inc({ outcome }, 0)
  return evaluations
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  // Metrics of a process (memory, event loop delay) keep the worker's label. All others are added up.
  const labels = workerId === undefined ? {} : { worker: String(workerId) }
  collectDefaultMetrics({ register: registry, labels })
  if (workerId !== undefined) shareWithPrimary(registry)
  const metrics: Metrics = {
    registry,
    text: () => (workerId === undefined ? registry.metrics() : askForMetrics()),
    requests: new Histogram({
      name: 'tenantry_http_request_duration_seconds',
      help: 'Duration of requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: durationBuckets,
      registers,
    }),
    logins: loginCounter(registers),
    callerLookups: new Counter({
      name: 'tenantry_caller_cache_total',
      help: 'Resolutions of a caller: hit in memory, or miss and read from the database',
      labelNames: ['result'],
      registers,
    }),
    mails: new Counter({
      name: 'tenantry_mails_total',
      help: 'Attempts to send an e-mail by result: sent, failed (tried again), refused',
      labelNames: ['result'],
      registers,
    }),
    ...webhookCounters(registers),
    flagEvaluations: flagCounter(registers),
    streams: streamGauge(registers),
    archiveFailures: archiveCounter(registers),
    breachedPasswords: breachedCounter(registers),
    propagation: new Histogram({
      name: 'tenantry_change_propagation_seconds',
      help: 'Time from the publication of a change to its arrival at this replica',
      buckets: durationBuckets,
      registers,
    }),
  }
  // Without a 0 before its first event, `increase` and `rate` would not see that event.
  for (const result of ['ok', 'wrong', 'disabled']) metrics.logins.inc({ result }, 0)
  for (const result of ['sent', 'failed', 'refused']) metrics.mails.inc({ result }, 0)
  for (const result of ['hit', 'miss']) metrics.callerLookups.inc({ result }, 0)
  return metrics
}

/** Adds gauges, which each scrape reads. */
export const observeParts = (
  metrics: Metrics,
  { store, cache, hasher }: { store: Store; cache: Cache; hasher: Hasher },
): void => {
  const registers = [metrics.registry]
  new Gauge({
    name: 'tenantry_store_up',
    help: 'Whether a store answers this replica: 1 or 0; database, and cache (1 without REDIS_URL)',
    labelNames: ['store'],
    aggregator: 'min',
    registers,
    async collect() {
      const [database, redis] = await Promise.all([store.ping(), cache.ping()])
      this.set({ store: 'database' }, Number(database === 'up'))
      this.set({ store: 'cache' }, Number(redis === 'up'))
    },
  })
  new Gauge({
    name: 'tenantry_database_connections',
    help: 'Database connections in use and idle, and callers waiting for one',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(store.stats())) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'tenantry_password_hashes',
    help: 'Password hashes that run and that wait for their turn',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(hasher.stats())) this.set({ state }, count)
    },
  })
}

/** The longest wait of a scrape for a queue. All workers together have five seconds to answer. */
const queueMs = 2000

/** The value, or undefined if it cannot be read in time. */
const readInTime = (read: () => Promise<number>): Promise<number | undefined> =>
  Promise.race([read(), sleep(queueMs, undefined, { ref: false })]).catch(() => undefined)

export interface Queues {
  /** The wait of the oldest entry of each queue, in seconds. */
  ages: Record<string, () => Promise<number>>
  /** The number of records that webhooks must still deliver. */
  webhookBacklog: () => Promise<number>
}

/**
 * Adds gauges of the queues, which each scrape reads. All replicas share the queues and report the same values. A queue
 * that cannot be read has no value.
 */
export const observeQueues = (metrics: Metrics, { ages, webhookBacklog }: Queues): void => {
  const shared = { aggregator: 'max' as const, registers: [metrics.registry] }
  new Gauge({
    name: 'tenantry_queue_age_seconds',
    help: 'Time since the oldest waiting entry came: audit records without a seal, e-mails and events of webhooks that are not sent',
    labelNames: ['queue'],
    ...shared,
    async collect() {
      const readOne = async ([queue, age]: [string, () => Promise<number>]): Promise<void> => {
        const seconds = await readInTime(age)
        if (seconds === undefined) this.remove({ queue })
        else this.set({ queue }, seconds)
      }
      await Promise.all(Object.entries(ages).map(readOne))
    },
  })
  new Gauge({
    name: 'tenantry_webhook_backlog',
    help: 'Records in the seals that webhooks wait for, counted over at most 10,000 seals; a record counts for each webhook',
    ...shared,
    async collect() {
      const count = await readInTime(webhookBacklog)
      if (count === undefined) this.remove()
      else this.set(count)
    },
  })
}
