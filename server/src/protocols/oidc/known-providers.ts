/** The metadata and keys of providers that a process caches. */
import { createRemoteJWKSet, customFetch as keyFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { ClientAuth, Configuration } from 'openid-client'
import type { ProviderFetch } from '../../outbound/fetch.ts'
import { discover, requireMetadata, type OidcClient } from './oidc-client.ts'

export interface KnownProvider {
  configuration: Configuration
  /** The provider's keys, cached for 10 minutes. An unknown key causes another read, at most once in 30 seconds. */
  keys: JWTVerifyGetKey & { jwks?: () => JSONWebKeySet | undefined }
}

/** Metadata are read again after this hour. */
const keptMs = 3600_000
const keysMs = 600_000
const cooldownMs = 30_000
/** The most connections in the cache of a process. */
const rememberedMax = 1000

/** A client in its present version. Any change of its row makes another cache key. */
export interface NamedClient {
  id: string
  changedAt: string
  client: OidcClient
  authentication: ClientAuth
  /** The issuer that the metadata must name, if it differs: that of Microsoft has a placeholder. */
  namedIssuer?: string
}

/** Caches the metadata and keys of providers. */
export interface Providers {
  /** Throws if the provider does not answer, or its metadata name another issuer. */
  find: (client: NamedClient) => Promise<KnownProvider>
}

export const createProviders = ({ provider }: { provider: ProviderFetch }): Providers => {
  const known = new LRUCache<string, Promise<KnownProvider>>({
    max: rememberedMax,
    ttl: keptMs,
    ttlResolution: 0,
  })
  const read = async ({ client, authentication, namedIssuer }: NamedClient): Promise<KnownProvider> => {
    const configuration = await discover(provider, client, authentication)
    requireMetadata(provider, namedIssuer ?? client.issuer, configuration)
    const address = new URL(configuration.serverMetadata().jwks_uri ?? '')
    const keys = createRemoteJWKSet(address, {
      cooldownDuration: cooldownMs,
      cacheMaxAge: keysMs,
      [keyFetch]: (url, { headers }) =>
        provider.ask(url, { method: 'GET', headers: Object.fromEntries(headers.entries()) }),
    })
    return { configuration, keys }
  }
  return {
    find: (client) => {
      const key = `${client.id} ${client.changedAt}`
      const there = known.get(key)
      if (there) return there
      const reading = read(client)
      known.set(key, reading)
      reading.catch(() => known.delete(key))
      return reading
    },
  }
}
