import type { Ctx } from '../../../context.ts'
import { version } from '../../../version.ts'
import type { Health, Liveness, Readiness, UpgradeStatus, Version } from './system.schemas.ts'

/** Probes within this time get the last result, so that many probes do not reach the stores. */
const pingAgeMs = 250

interface Ping {
  at: number
  result: Promise<{ database: 'up' | 'down'; cache: 'up' | 'down' }>
}

const lastPings = new WeakMap<Ctx['parts'], Ping>()

const askStores = async ({ store, cache }: Ctx['parts']) => {
  const [database, cacheStatus] = await Promise.all([store.ping(), cache.ping()])
  return { database, cache: cacheStatus }
}

const pingStores = ({ parts }: Ctx): Ping['result'] => {
  const last = lastPings.get(parts)
  if (last && performance.now() - last.at < pingAgeMs) return last.result
  const ping = { at: performance.now(), result: askStores(parts) }
  lastPings.set(parts, ping)
  return ping.result
}

/** Answers while the process lives, with the state of the stores. */
export const getHealth = async (ctx: Ctx): Promise<Health> => {
  const stores = await pingStores(ctx)
  const isWell = stores.database === 'up' && stores.cache === 'up'
  return {
    status: isWell ? 'ok' : 'degraded',
    ...stores,
    timestamp: Math.floor(ctx.parts.now().getTime() / 1000),
    trace_id: ctx.origin.traceId,
    version,
  }
}

/** A stopping process is alive. Proxies that watch this must stop sending requests to it. */
export const getLiveness = ({ parts }: Ctx): Liveness => ({
  status: parts.stopping.signal.aborted ? 'stopping' : 'ok',
})

/** Whether the service can serve requests: both stores are up, and it is not stopping. */
export const getReadiness = async (ctx: Ctx): Promise<Readiness> => {
  const stores = await pingStores(ctx)
  const isWell = stores.database === 'up' && stores.cache === 'up'
  return { status: isWell && !ctx.parts.stopping.signal.aborted ? 'ready' : 'unready', ...stores }
}

export const getVersion = ({ parts }: Ctx): Version => ({
  version,
  commit: parts.config.commit,
  build_date: parts.config.buildDate,
  go_version: `node ${process.version}`,
  os: process.platform,
  arch: process.arch,
})

/** Always reports the current version (docs/contract.md, "System endpoints"). */
export const getUpgradeStatus = ({ parts }: Ctx): UpgradeStatus => ({
  available: false,
  critical: false,
  checked_at: parts.now().toISOString(),
  current_version: version,
  latest_version: version,
  manifest: {
    version,
    min_version: version,
    critical: false,
    changelog: '',
    published_at: '',
    download_url: '',
    checksum_sha256: '',
    size: 0,
  },
})
