import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../crypto/sha256.ts'
import { AppError } from '../errors/app-error.ts'
import type { Histogram } from 'prom-client'
import type { Metrics } from '../metrics.ts'
import type { App } from './app-type.ts'

/** Serves `GET /metrics` in the Prometheus text format. A configured token is required as the bearer token. */
export const metricsRoutes = (app: App, metrics: Metrics, token: string | undefined): void => {
  const expected = token === undefined ? undefined : sha256(`Bearer ${token}`)
  app.get(
    '/metrics',
    { config: { fails: ['tokenInvalid'] }, schema: { hide: true } },
    async (request, reply) => {
      if (expected && !timingSafeEqual(sha256(request.headers.authorization ?? ''), expected)) {
        throw new AppError(
          'tokenInvalid',
          'Send the metrics token: Authorization: Bearer <TENANTRY_METRICS_TOKEN>',
        )
      }
      return reply.type(metrics.registry.contentType).send(await metrics.text())
    },
  )
}

/**
 * Measures the time of every request under its route's pattern. Raw paths would create an unlimited number of series.
 */
export const useRequestMetrics = (app: App, metrics: Metrics): void => {
  const series = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const { url: route = 'unknown', config } = routeOptions
    if (config.isEndless && reply.statusCode === 200) return done()
    const status = String(reply.statusCode)
    const name = `${method} ${status} ${route}`
    // prom-client sorts and joins labels at each lookup, which costs as much as the JSON of a small answer. This code
    // looks up each series once.
    const one = series.get(name) ?? metrics.requests.labels({ method, route, status })
    series.set(name, one)
    one.observe(reply.elapsedTime / 1000)
    done()
  })
}
