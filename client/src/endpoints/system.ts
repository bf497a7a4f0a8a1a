import type { Api } from '../api.ts'
import type { Health, Liveness, Readiness, UpgradeStatus, Version } from '../schema.ts'
import type { CallOptions } from '../send.ts'

const isPublic = true
/** Probes answer without an envelope. */
const probe = { isPublic, bare: 'status' }

/** Probes and versions without a session, and `ping` with one. */
export const systemEndpoints = ({ ask }: Api) => ({
  /**
   * Reads the health of the process and its stores; `timestamp` is in Unix seconds.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * const { status, database, cache } = await client.system.health()
   * console.log(status, database, cache)
   */
  health: (options?: CallOptions) => ask<Health>('GET', '/health', probe, options),

  /**
   * Tells that the process is alive.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * console.log((await client.system.liveness({ timeoutMs: 2000 })).status)
   */
  liveness: (options?: CallOptions) => ask<Liveness>('GET', '/healthz', probe, options),

  /**
   * Tells whether the service can answer requests. The status `unready` is an answer here, not an error.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * const { status, database, cache } = await client.system.readiness()
   * if (status === 'unready') console.log(`database ${database}, cache ${cache}`)
   */
  readiness: (options?: CallOptions) => ask<Readiness>('GET', '/readyz', { ...probe, alsoOk: 503 }, options),

  /**
   * Reads the running version.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * console.log((await client.system.version()).version)
   */
  version: (options?: CallOptions) => ask<Version>('GET', '/api/version', { isPublic }, options),

  /**
   * Tells whether a newer version is known.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * const { available, latest_version } = await client.system.upgrade()
   * if (available) console.log(latest_version)
   */
  upgrade: (options?: CallOptions) => ask<UpgradeStatus>('GET', '/api/upgrade/check', { isPublic }, options),

  /**
   * Checks the session and the tenant in scope; gives `pong`.
   *
   * @throws ApiError 401 `tokenMissing`; 403 `tenantForeign`, `tenantDisabled`; 404 `tenantUnknown`
   * @example
   * console.log(await client.system.ping())
   */
  ping: (options?: CallOptions) => ask<string>('GET', '/ping', {}, options),
})
