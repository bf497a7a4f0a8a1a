import type { Api } from '../api.ts'
import type { Health, Liveness, Readiness, UpgradeStatus, Version } from '../schema.ts'
import type { CallOptions } from '../send.ts'

const isPublic = true
/** The probes answer without an envelope. */
const probe = { isPublic, bare: 'status' }

/** Probes and version, which need no session, and `ping`, which tries it. */
export const systemEndpoints = ({ ask }: Api) => ({
  /**
   * Tells how the process and its stores are; `timestamp` is in Unix seconds.
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
   * @throws ApiError `network`, `timeout`, `unknown` when it is not
   * @example
   * console.log((await client.system.liveness({ timeoutMs: 2000 })).status)
   */
  liveness: (options?: CallOptions) => ask<Liveness>('GET', '/healthz', probe, options),

  /**
   * Tells whether requests can be served: status `ready` or `unready`, which is an answer and no error here.
   *
   * @throws ApiError `network`, `timeout`, `unknown` when it cannot be reached, or a proxy answers
   * @example
   * const { status, database, cache } = await client.system.readiness()
   * if (status === 'unready') console.log(`database ${database}, cache ${cache}`)
   */
  readiness: (options?: CallOptions) => ask<Readiness>('GET', '/readyz', { ...probe, alsoOk: 503 }, options),

  /**
   * Tells which version runs.
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
   * Tries the session and the tenant in scope; answers `pong`.
   *
   * @throws ApiError 401 `tokenMissing`; 403 `tenantForeign`, `tenantDisabled`; 404 `tenantUnknown`
   * @example
   * console.log(await client.system.ping())
   */
  ping: (options?: CallOptions) => ask<string>('GET', '/ping', {}, options),
})
