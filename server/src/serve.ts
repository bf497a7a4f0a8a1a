import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { buildApp, buildMetricsApp } from './app.ts'
import { listenForCommands } from './backup/control.ts'
import type { Config } from './config.ts'
import type { Parts } from './context.ts'
import { closeParts, openParts, systemCtx } from './parts.ts'
import { createFirstAdmin } from './features/auth/auth.service.ts'
import type { App } from './http/app-type.ts'
import { startMaintenance, startSealing } from './maintenance.ts'

/** Contract, Running it: what is in flight gets 10 seconds at most; one is left for the stores. */
const drainMs = 9000

export interface Server {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  url: string
  /** Stops accepting, finishes what is in flight (10 s at most), and closes the stores. */
  stop(): Promise<void>
}

const urlOf = (app: App): string => {
  const { address, family, port } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** Starts the service, and resolves when it accepts requests. Throws when a store or the port cannot be had. */
export const serve = async (config: Config, log: Logger): Promise<Server> => {
  const parts = await openParts(config, log)
  try {
    // Before anybody can ask: on an embedded database the first account registered becomes administrator.
    await createFirstAdmin(systemCtx(parts, 'start'))
    const apps = await listen(parts)
    const stopCommands = await listenForCommands(parts)
    const stopMaintenance = startMaintenance(parts)
    const stopSealing = startSealing(parts)
    return {
      url: urlOf(apps[0]),
      stop: async () => {
        stopMaintenance()
        stopCommands()
        await Promise.all([stopSealing(), ...apps.map(drain)])
        await closeParts(parts)
      },
    }
  } catch (err) {
    await closeParts(parts)
    throw err
  }
}

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
  // A connection whose last answer has gone out is kept alive for another request, which would be waited for.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = sleep(drainMs, 'late' as const, { ref: false })
  if ((await Promise.race([closed, late])) === 'late') app.server.closeAllConnections()
  await closed
  clearInterval(sweep)
}
