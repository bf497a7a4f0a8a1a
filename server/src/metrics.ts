import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Hasher } from './crypto/passwords.ts'
import type { Store } from './db/client.ts'
import { askForMetrics, receiveMetrics, workerId } from './start/worker.ts'

/** The service's metrics; docs/operations.md documents their names. */
export interface Metrics {
  registry: Registry
  /** All metrics in the Prometheus text format, including those of other workers. */
  text(): Promise<string>
  requests: Histogram<'method' | 'route' | 'status'>
  logins: Counter<'result'>
  callerLookups: Counter<'result'>
  propagation: Histogram
  mails: Counter<'result'>
}

/** In seconds: from a cached answer to a login that waited for its hash. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Offers this worker's metrics to the primary process, which adds up all workers. */
const shareWithPrimary = (registry: Registry): void => {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
  receiveMetrics()
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  // Metrics of a process (memory, event loop delay) keep the worker's label; all others are summed.
  const labels = workerId === undefined ? {} : { worker: String(workerId) }
  collectDefaultMetrics({ register: registry, labels })
  if (workerId !== undefined) shareWithPrimary(registry)
  return {
    registry,
    text: () => (workerId === undefined ? registry.metrics() : askForMetrics()),
    requests: new Histogram({
      name: 'tenantry_http_request_duration_seconds',
      help: 'Duration of requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: durationBuckets,
      registers,
    }),
    logins: new Counter({
      name: 'tenantry_logins_total',
      help: 'Sign-ins by result: ok, wrong, disabled',
      labelNames: ['result'],
      registers,
    }),
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
    propagation: new Histogram({
      name: 'tenantry_change_propagation_seconds',
      help: 'Time from the publication of a change to its arrival at this replica',
      buckets: durationBuckets,
      registers,
    }),
  }
}

/** Adds gauges that are read at each scrape. */
export const observeParts = (metrics: Metrics, store: Store, hasher: Hasher): void => {
  const registers = [metrics.registry]
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
