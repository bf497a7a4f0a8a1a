import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Time } from '../../../http/schemas.ts'

const StoreStatus = Type.Unsafe<'up' | 'down'>({ type: 'string', enum: ['up', 'down'], examples: ['up'] })

export const Health = Type.Object(
  {
    status: Type.Unsafe<'ok' | 'degraded'>({ type: 'string', enum: ['ok', 'degraded'], examples: ['ok'] }),
    database: StoreStatus,
    cache: StoreStatus,
    timestamp: Type.Integer({ description: 'Unix seconds.', examples: [1_769_850_000] }),
    trace_id: Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] }),
    version: Type.String({ examples: ['0.1.0'] }),
  },
  { title: 'Health' },
)
export type Health = Static<typeof Health>

export const Liveness = Type.Object(
  {
    status: Type.Unsafe<'ok' | 'stopping'>({ type: 'string', enum: ['ok', 'stopping'], examples: ['ok'] }),
  },
  { title: 'Liveness' },
)
export type Liveness = Static<typeof Liveness>

export const Readiness = Type.Object(
  {
    status: Type.Unsafe<'ready' | 'unready'>({
      type: 'string',
      enum: ['ready', 'unready'],
      examples: ['ready'],
    }),
    database: StoreStatus,
    cache: StoreStatus,
  },
  { title: 'Readiness' },
)
export type Readiness = Static<typeof Readiness>

const versionFields = {
  version: Type.String({ examples: ['0.1.0'] }),
  commit: Type.String({ examples: ['unknown'] }),
  build_date: Type.String({ examples: ['unknown'] }),
  go_version: Type.String({ description: 'The version of the runtime.', examples: ['node v26.10.0'] }),
  os: Type.String({ examples: ['linux'] }),
  arch: Type.String({ examples: ['x64'] }),
}
export const Version = Type.Object(versionFields, { title: 'Version' })
export type Version = Static<typeof Version>

const manifest = Type.Object(
  {
    version: Type.String({ examples: ['0.1.0'] }),
    min_version: Type.String({ examples: ['0.1.0'] }),
    critical: Type.Boolean({ examples: [false] }),
    changelog: Type.String({ examples: [''] }),
    published_at: Type.String({ description: 'ISO 8601 in UTC, "" when it is not known.', examples: [''] }),
    download_url: Type.String({ examples: [''] }),
    checksum_sha256: Type.String({ examples: [''] }),
    size: Type.Integer({ description: 'Bytes of the download, 0 when that is not known.', examples: [0] }),
  },
  { title: 'Manifest' },
)

const upgradeFields = {
  available: Type.Boolean({ examples: [false] }),
  critical: Type.Boolean({ examples: [false] }),
  checked_at: Time,
  current_version: Type.String({ examples: ['0.1.0'] }),
  latest_version: Type.String({ examples: ['0.1.0'] }),
  manifest,
}
export const UpgradeStatus = Type.Object(upgradeFields, { title: 'UpgradeStatus' })
export type UpgradeStatus = Static<typeof UpgradeStatus>

/**
 * These two endpoints answer with their fields at the top level and under `data` (docs/contract.md, "System
 * endpoints").
 */
const envelopeFields = {
  code: Type.Integer({ const: 0, examples: [0] }),
  message: Type.String({ examples: ['success'] }),
  trace_id: Type.String({ examples: ['4bf92f3577b34da6a3ce929d0e0e4736'] }),
}
export const VersionAnswer = Type.Object({ ...versionFields, ...envelopeFields, data: Version })
export const UpgradeAnswer = Type.Object({ ...upgradeFields, ...envelopeFields, data: UpgradeStatus })
