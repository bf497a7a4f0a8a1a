import { readFileSync } from 'node:fs'
import type { Parts } from '../../context.ts'
import type { Health, Readiness, UpgradeStatus, Version } from './system.schemas.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

type Pinged = Pick<Parts, 'store' | 'cache'>

const pingStores = async ({ store, cache }: Pinged) => {
  const [database, cacheStatus] = await Promise.all([store.ping(), cache.ping()])
  return { database, cache: cacheStatus }
}

/** Always answers while the process lives; tells which of the stores can be reached. */
export const getHealth = async (parts: Pick<Parts, 'store' | 'cache' | 'now'>, traceId: string): Promise<Health> => {
  const stores = await pingStores(parts)
  const isWell = stores.database === 'up' && stores.cache === 'up'
  return {
    status: isWell ? 'ok' : 'degraded',
    ...stores,
    timestamp: Math.floor(parts.now().getTime() / 1000),
    trace_id: traceId,
    version,
  }
}

/** Whether requests can be served as they should: both stores are up. */
export const getReadiness = async (parts: Pinged): Promise<Readiness> => {
  const stores = await pingStores(parts)
  return { status: stores.database === 'up' && stores.cache === 'up' ? 'ready' : 'unready', ...stores }
}

export const getVersion = ({ config }: Pick<Parts, 'config'>): Version => ({
  version,
  commit: config.commit,
  build_date: config.buildDate,
  go_version: `node ${process.version}`,
  os: process.platform,
  arch: process.arch,
})

/** A reserved interface (service API, Versioning): it knows the current version only. */
export const getUpgradeStatus = ({ now }: Pick<Parts, 'now'>): UpgradeStatus => ({
  available: false,
  critical: false,
  checked_at: now().toISOString(),
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
