import type { Ctx, Parts } from '../../../context.ts'
import { version } from '../../../version.ts'
import type { Health, Liveness, Readiness, UpgradeStatus, Version } from './system.schemas.ts'

/** A probe within this time gets the last result, so that many probes do not load the stores. */
const pingAgeMs = 250

/** Whether the stores answer. Requests share the result. */
export type PingStores = () => Promise<{ database: 'up' | 'down'; cache: 'up' | 'down' }>

export const createPing = ({ store, cache }: Pick<Parts, 'store' | 'cache'>): PingStores => {
  const ask: PingStores = async () => {
    const [database, cacheStatus] = await Promise.all([store.ping(), cache.ping()])
    return { database, cache: cacheStatus }
  }
  let last: { at: number; result: ReturnType<PingStores> } | undefined
  return () => {
    if (!last || performance.now() - last.at >= pingAgeMs) last = { at: performance.now(), result: ask() }
    return last.result
  }
}

/** Answers as long as the process lives. Reports the state of the stores. */
export const getHealth = async (ctx: Ctx, pingStores: PingStores): Promise<Health> => {
  const stores = await pingStores()
  const isWell = stores.database === 'up' && stores.cache === 'up'
  return {
    status: isWell ? 'ok' : 'degraded',
    ...stores,
    timestamp: Math.floor(ctx.parts.now().getTime() / 1000),
    trace_id: ctx.origin.traceId,
    version,
  }
}

/** A stopping process is still alive. A proxy that reads this must stop sending requests to it. */
export const getLiveness = ({ parts }: Ctx): Liveness => ({
  status: parts.stopping.signal.aborted ? 'stopping' : 'ok',
})

/** Whether the service can serve requests: both stores are up, and it is not stopping. */
export const getReadiness = async (ctx: Ctx, pingStores: PingStores): Promise<Readiness> => {
  const stores = await pingStores()
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
