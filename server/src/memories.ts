/**
 * The state that the requests of one process share. Each part drops the entries that a change concerns. Modules hold no
 * such state, except results of pure functions, and weak maps of the object that a fact describes.
 */
import type { Invalidation } from './cache/cache.ts'
import type { Parts } from './context.ts'
import { createPrincipals, type Principals } from './features/sign-in/auth/principals.service.ts'
import {
  createClientGate,
  type ClientGate,
} from './features/federation/oauth/clients/client-authentication.service.ts'
import {
  createPermissionCache,
  type PermissionCache,
} from './features/accounts/authz/permission-cache.service.ts'
import { createStreams, type Streams } from './features/delivery/events/streams.service.ts'
import { createKnownFlags, type KnownFlags } from './features/configuration/flags/known-flags.service.ts'
import {
  createEffectiveMemory,
  type EffectiveMemory,
} from './features/accounts/user-settings/effective-memory.service.ts'
import { createSecretKeys, type SecretKeys } from './features/configuration/settings/declared.service.ts'
import { createLargeTotals, type LargeTotals } from './features/audit/audit/totals.service.ts'
import type { RunningPreviews } from './features/accounts/authz/preview.service.ts'
import type { RunningRehearsals } from './features/tenancy/approvals/rehearsals.service.ts'
import { createUserCounts, type CountUsers } from './features/accounts/users/counts.service.ts'
import { createPing, type PingStores } from './features/tenancy/system/system.service.ts'
import { createProviders, type Providers } from './protocols/oidc/known-providers.ts'
import { createClientLimits } from './http/limits.ts'

export interface Memories {
  principals: Principals
  permissionCache: PermissionCache
  streams: Streams
  gate: ClientGate
  secretKeys: SecretKeys
  effective: EffectiveMemory
  flags: KnownFlags
  providers: Providers
  largeTotals: LargeTotals
  countUsers: CountUsers
  runningPreviews: RunningPreviews
  runningRehearsals: RunningRehearsals
  pingStores: PingStores
}

/** Creates the state, and subscribes it to every change. */
export const createMemories = (parts: Parts): Memories => {
  const principals = createPrincipals(parts)
  const permissionCache = createPermissionCache()
  const streams = createStreams(parts)
  const secretKeys = createSecretKeys()
  const effective = createEffectiveMemory()
  const gate = createClientGate(parts, { resolve: principals.resolve, ...createClientLimits(parts) })
  const flags = createKnownFlags(parts)
  const providers = createProviders(parts)
  parts.cache.subscribe((change) => {
    forget(parts, principals, change)
    permissionCache.forget(change)
    streams.receive(change)
    gate.forget(change)
    secretKeys.forget(change)
    effective.forget(change)
    flags.forget(change)
  })
  return {
    principals,
    permissionCache,
    streams,
    gate,
    secretKeys,
    effective,
    flags,
    providers,
    largeTotals: createLargeTotals(),
    countUsers: createUserCounts(),
    runningPreviews: new Set(),
    runningRehearsals: new Set(),
    pingStores: createPing(parts),
  }
}

/** Drops the cached state that a change of any replica concerns. */
const forget = (parts: Parts, principals: Principals, change: Invalidation | undefined): void => {
  principals.forget(change)
  if (change !== undefined && change.kind !== 'keys') return
  parts.keys.forget()
  parts.tokens.forget()
}
