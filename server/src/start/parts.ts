import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { openCache } from '../cache/open.ts'
import type { Config } from '../config/config.ts'
import { nobody } from '../access/actor.ts'
import type { Ctx, Parts } from '../context.ts'
import { openHashKeys } from '../crypto/hash-keys.ts'
import { openKeys } from '../crypto/keys.ts'
import { hasKeyInTheClear } from '../crypto/keys.store.ts'
import { createHasher } from '../crypto/passwords.ts'
import { ensureKeys, keepIssuer } from '../crypto/rotation.ts'
import { createTokens } from '../crypto/tokens.ts'
import { syncCatalogue } from '../access/catalogue.store.ts'
import { createArchives } from '../db/archive-reach.ts'
import { openStore } from '../db/open.ts'
import { notifyOfLimit } from '../features/delivery/notifications/limit-notices.service.ts'
import { openMailer } from '../mail/mailer.ts'
import { createMetrics, observeParts } from '../metrics.ts'
import { addressesBy } from '../outbound/addresses.ts'
import { createFindBreached } from '../outbound/breached.ts'
import { createProviderFetch } from '../outbound/fetch.ts'
import { createGet } from '../outbound/get.ts'
import { createPost } from '../outbound/post.ts'
import { textsBy } from '../outbound/texts.ts'
import { consoleFolder } from '../program-files.ts'
import { builtInSettings } from './built-in-settings.ts'
import { openSecrets } from './secret-keys.ts'
import { builtInTenant } from '../access/permissions.ts'

/** Opens the configured stores, migrates the schema and builds the services that requests share. */
export const openParts = async (
  config: Config,
  log: Logger,
  now = () => new Date(),
  openKeyring = openSecrets,
): Promise<Parts> => {
  const metrics = createMetrics()
  const store = await openStore(config, { log, afterMigrate: syncCatalogue })
  const onPropagation = (seconds: number) => metrics.propagation.observe(seconds)
  const cache = await openCache(config, log, { now, onPropagation })
  const secrets = await openKeyring(config, store, now()).catch(async (err: unknown) => {
    await cache.close()
    await store.close()
    throw err
  })
  await ensureKeys(store, secrets, now(), config.tokenAlgorithm)
  if (secrets.current && (await hasKeyInTheClear(store.scoped({})))) {
    log.warn('signing keys that were made without a secret key are in the clear: run tenantry rotate-secrets')
  }
  await keepIssuer(store, config.issuer, now())
  const keys = openKeys(store, secrets)
  const hasher = await createHasher(config.bcryptCost, config.workers, openHashKeys(store, secrets))
  observeParts(metrics, { store, cache, hasher })
  const tokens = createTokens(keys, config, config.accessTokenSeconds)
  const stopping = new AbortController()
  return {
    config,
    builtInSettings,
    log,
    store,
    archives: createArchives(store, now),
    cache,
    secrets,
    keys,
    tokens,
    hasher,
    metrics,
    notifyOfLimit,
    mailer: openMailer(config, log),
    ...outboundOf(config),
    consoleFolder,
    stopping,
    now,
  }
}

/**
 * Loopback is only for a developer, whose receiver runs on the same machine. In any other installation loopback would
 * reach the service's own machine.
 */
const addressPolicyOf = (config: Config) => ({
  privateHosts: config.webhookPrivateHosts,
  allowsLoopback:
    !config.isProduction && config.databaseUrl === undefined && config.trustedProxies.length === 0,
})

/** The senders of requests to other hosts. */
const outboundOf = (config: Config) => ({
  post: createPost(addressesBy(addressPolicyOf(config))),
  // Allows no private hosts of webhooks, because any stranger can choose these addresses.
  get: createGet(addressesBy({ privateHosts: [], allowsLoopback: false })),
  provider: providerFor(config),
  breached: createFindBreached(config.breachedPasswordsUrl),
  readTexts: textsBy(config.dnsServers),
})

const providerFor = (config: Config) => {
  const policy = { ...addressPolicyOf(config), privateHosts: config.ssoPrivateHosts }
  return createProviderFetch(addressesBy(policy), { ...policy, isProduction: config.isProduction })
}

/** Makes the other replicas look for the last audit records of this process, and closes the stores. */
export const closeParts = async ({ cache, store }: Parts): Promise<void> => {
  await cache.publish({ kind: 'queued', queue: 'audit' })
  await cache.close()
  await store.close()
}

/** The context of the program's own work, or of an operator's command with the given `name`. */
export const systemCtx = (parts: Parts, name: string): Ctx => ({
  parts,
  db: parts.store.scoped({ tenantId: builtInTenant.id }),
  tenantId: builtInTenant.id,
  actor: nobody,
  allow: undefined,
  origin: {
    traceId: randomBytes(16).toString('hex'),
    ip: '',
    userAgent: `tenantry ${name}`,
    acceptLanguage: undefined,
  },
})
