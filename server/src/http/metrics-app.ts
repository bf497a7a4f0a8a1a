/** Serves metrics on the main port, or on a port of their own. */
import { isLoopback } from '../config/config-values.ts'
import type { Parts } from '../context.ts'
import type { App } from './app-type.ts'
import { useErrorAnswers } from './error-handler.ts'
import { requireHost } from './headers.ts'
import { metricsRoutes } from './metrics.ts'
import { createServer } from './server.ts'

/**
 * Serves metrics on the main port, unless they have a port of their own. Without a configured token, serves them only
 * on a loopback address.
 */
export const mainMetrics = (scope: App, { config, metrics }: Parts): void => {
  const isServed =
    config.metricsPort === undefined && (config.metricsToken !== undefined || isLoopback(config.host))
  if (isServed) metricsRoutes(scope, metrics, config.metricsToken)
}

/** Serves only metrics, on a port of its own. */
export const buildMetricsApp = async (parts: Parts): Promise<App> => {
  const app = createServer(parts)
  requireHost(app)
  useErrorAnswers(app)
  metricsRoutes(app, parts.metrics, parts.config.metricsToken)
  return app
}
