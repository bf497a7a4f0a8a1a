import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Hasher } from './crypto/passwords.ts'
import type { Store } from './db/client.ts'
import { askForMetrics, receiveMetrics, workerId } from './worker.ts'

/** What an operator watches; the names are documented in docs/operations.md. */
export interface Metrics {
  registry: Registry
  /** All of them in the Prometheus text format, those of the other workers included. */
  text(): Promise<string>
  requests: Histogram<'method' | 'route' | 'status'>
  logins: Counter<'result'>
  callerLookups: Counter<'result'>
  propagation: Histogram
}

/** Seconds; from an answer out of memory to a login that waited for its hash. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** A worker's own, for the sum of all: the primary process asks each of them. */
const shareWithPrimary = (registry: Registry): void => {
  AggregatorRegistry.setRegistries(registry)
  new AggregatorRegistry()
  receiveMetrics()
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  const registers = [registry]
  // What is about a process (memory, delay of the event loop) stays apart; all else is summed up.
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
    propagation: new Histogram({
      name: 'tenantry_change_propagation_seconds',
      help: 'Time from the publication of a change to its arrival at this replica',
      buckets: durationBuckets,
      registers,
    }),
  }
}

/** Gauges that are read when the metrics are scraped. */
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
