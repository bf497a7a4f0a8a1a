import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp } from '../app.ts'
import { buildMetricsApp } from '../http/metrics-app.ts'
import { listenForCommands } from '../backup/control.ts'
import type { Config } from '../config/config.ts'
import type { Parts } from '../context.ts'
import { mcpUrl } from '../config/front-door.ts'
import { AppError } from '../errors/app-error.ts'
import { Refusal } from '../errors/refusal.ts'
import { keepAssistantsResource } from '../features/federation/applications/resources.service.ts'
import { closeParts, openParts, systemCtx } from './parts.ts'
import { createFirstAdmin } from '../features/sign-in/auth/auth.service.ts'
import { oldestUnsealedSeconds } from '../features/audit/audit/seal.service.ts'
import { oldestMailSeconds } from '../features/accounts/mail/sender.service.ts'
import { countBacklog, oldestEventSeconds } from '../features/delivery/webhooks/backlog.service.ts'
import type { App } from '../http/app-type.ts'
import {
  startDelivering,
  startEnding,
  startMaintenance,
  startSealing,
  startSendingLogouts,
  startSendingMails,
} from './maintenance.ts'
import type { StopSignal } from '../worker.ts'
import { observeQueues } from '../metrics.ts'
import type { Tracing } from '../tracing/tracing.ts'

/**
 * The time that work in flight has after the signal. Then connections are closed and attempts ended, without a further
 * wait. main.ts ends the process a second later (docs/contract.md, "Running it").
 */
const workMs = 7000
/** The time that ended work has to record its end. */
const endingMs = 250

/**
 * The service accepts requests for this time after the signal. A proxy that probes once a second (deploy/) then sends
 * to other replicas. SIGINT comes from a terminal and needs no such time.
 */
const acceptMs: Record<StopSignal, number> = { SIGTERM: 3000, SIGINT: 0 }

export interface Server {
  /** The listening address, such as `http://localhost:8080`. */
  url: string
  /**
   * Reports on the probes that it stops. Then stops accepting, finishes or ends the work in flight, and closes the
   * stores.
   */
  stop(signal: StopSignal): Promise<void>
}

/**
 * By default, tokens and links call this machine `localhost` (TENANTRY_PUBLIC_URL), because passkeys work for no IP
 * address.
 */
const nameOf = ({ address, family }: AddressInfo): string => {
  if (address === '127.0.0.1' || address === '::1') return 'localhost'
  return family === 'IPv6' ? `[${address}]` : address
}

const urlOf = (app: App): string => {
  const address = app.server.address() as AddressInfo
  return `http://${nameOf(address)}:${address.port}`
}

/**
 * The bounds of the time for the last export of traces. Within these bounds, the export gets the time that the last
 * requests do not need.
 */
const exportMinMs = 500
const exportMaxMs = 2000

/** Loaded on demand. Without a collector, only OpenTelemetry's API takes memory, which prom-client loads. */
const openTraces = async (config: Config, log: Logger): Promise<Tracing | undefined> => {
  if (config.otlpEndpoint === undefined) return undefined
  const { openTracing } = await import('../tracing/tracing.ts')
  return openTracing(config, log)
}

/** Throws if a resource of the installation has the address of assistants. */
const keepAssistants = async (parts: Parts): Promise<void> => {
  const address = mcpUrl(parts.config)
  await keepAssistantsResource(systemCtx(parts, 'start'), address).catch((err: unknown) => {
    if (!(err instanceof AppError)) throw err
    throw new Refusal([`TENANTRY_MCP=on: a resource has the identifier ${address}. Delete it first`])
  })
}

/** Starts the service. Resolves when it accepts requests. Throws if a store or the port is unavailable. */
export const serve = async (config: Config, log: Logger): Promise<Server> => {
  const parts = await openParts(config, log)
  try {
    // Runs before the first request: on an embedded database the first registered account becomes administrator.
    await createFirstAdmin(systemCtx(parts, 'start'))
    if (config.mcp === 'on') await keepAssistants(parts)
    observeQueues(parts.metrics, {
      ages: {
        audit: () => oldestUnsealedSeconds(parts),
        mail: () => oldestMailSeconds(parts),
        webhooks: () => oldestEventSeconds(parts),
      },
      webhookBacklog: () => countBacklog(parts),
    })
    const tracing = await openTraces(config, log)
    const apps = await listen(parts, tracing?.followRequests)
    const stopCommands = await listenForCommands(parts)
    const stopMaintenance = startMaintenance(parts)
    const stopSealing = startSealing(parts)
    const stopEnding = startEnding(parts)
    const stopSendingMails = startSendingMails(parts)
    const stopDelivering = startDelivering(parts)
    const stopSendingLogouts = startSendingLogouts(parts)
    return {
      url: urlOf(apps[0]),
      stop: async (signal) => {
        const endsBy = performance.now() + workMs + endingMs
        const late = AbortSignal.timeout(workMs)
        parts.stopping.abort()
        await sleep(acceptMs[signal])
        stopMaintenance()
        stopCommands()
        const work = [
          stopSendingMails(late),
          stopDelivering(),
          stopSendingLogouts(late),
          Promise.all(apps.map((app) => drain(app, late))).then(stopSealing),
          stopEnding(),
        ]
        await atMost(endsBy - performance.now(), Promise.all(work))
        const exportMs = Math.max(exportMinMs, Math.min(exportMaxMs, endsBy - performance.now()))
        if (tracing) await atMost(exportMs, tracing.close())
        await closeParts(parts)
      },
    }
  } catch (err) {
    await closeParts(parts)
    throw err
  }
}

/** Waits for the end of work, but only for this time. */
const atMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, sleep(ms, undefined, { ref: false })])
}

const listen = async (parts: Parts, prepare?: (app: App) => void): Promise<[App, ...App[]]> => {
  const { host, port, metricsPort } = parts.config
  const app = await buildApp(parts, prepare)
  await app.listen({ host, port })
  if (metricsPort === undefined) return [app]
  const metricsApp = await buildMetricsApp(parts)
  await metricsApp.listen({ host, port: metricsPort })
  return [app, metricsApp]
}

const drain = async (app: App, late: AbortSignal): Promise<void> => {
  const closed = app.close()
  // Idle kept-alive connections would delay the end, so they are closed at once.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  late.addEventListener('abort', () => app.server.closeAllConnections())
  await closed
  clearInterval(sweep)
}
