import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp, buildMetricsApp } from '../app.ts'
import { listenForCommands } from '../backup/control.ts'
import type { Config } from './config.ts'
import type { Parts } from '../context.ts'
import { closeParts, openParts, systemCtx } from './parts.ts'
import { createFirstAdmin } from '../features/auth/auth.service.ts'
import type { App } from '../http/app-type.ts'
import { startMaintenance, startSealing, startSending } from './maintenance.ts'

/**
 * Requests in flight get 10 seconds at most (docs/contract.md, "Running it"); one of them is kept for closing the
 * stores.
 */
const drainMs = 9000

export interface Server {
  /** The listening address, such as `http://127.0.0.1:8080`. */
  url: string
  /** Stops accepting, finishes what is in flight (10 s at most), and closes the stores. */
  stop(): Promise<void>
}

const urlOf = (app: App): string => {
  const { address, family, port } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Starts the service; resolves when it accepts requests. Throws when a store or the port is unavailable. */
export const serve = async (config: Config, log: Logger): Promise<Server> => {
  const parts = await openParts(config, log)
  try {
    // Runs before the first request: on an embedded database the first registered account becomes administrator.
    await createFirstAdmin(systemCtx(parts, 'start'))
    const apps = await listen(parts)
    const stopCommands = await listenForCommands(parts)
    const stopMaintenance = startMaintenance(parts)
    const stopSealing = startSealing(parts)
    const stopSending = startSending(parts)
    return {
      url: urlOf(apps[0]),
      stop: async () => {
        stopMaintenance()
        stopCommands()
        await Promise.all([stopSealing(), atMost(drainMs, stopSending()), ...apps.map(drain)])
        await closeParts(parts)
      },
    }
  } catch (err) {
    await closeParts(parts)
    throw err
  }
}

/** Waits for the end of work, and no longer than this time. An e-mail that is still on its way is sent again later. */
const atMost = (ms: number, work: Promise<void>): Promise<void> =>
  Promise.race([work, sleep(ms, undefined, { ref: false })])

const listen = async (parts: Parts): Promise<[App, ...App[]]> => {
  const { host, port, metricsPort } = parts.config
  const app = await buildApp(parts)
  await app.listen({ host, port })
  if (metricsPort === undefined) return [app]
  const metricsApp = await buildMetricsApp(parts)
  await metricsApp.listen({ host, port: metricsPort })
  return [app, metricsApp]
}

const drain = async (app: App): Promise<void> => {
  const closed = app.close()
  // Idle kept-alive connections would delay the end, so they are closed.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = sleep(drainMs, 'late' as const, { ref: false })
  if ((await Promise.race([closed, late])) === 'late') app.server.closeAllConnections()
  await closed
  clearInterval(sweep)
}
