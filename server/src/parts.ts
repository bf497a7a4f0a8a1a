import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { openCache } from './cache/open.ts'
import type { Config } from './config.ts'
import { nobody, type Ctx, type Parts } from './context.ts'
import { ensureKeys, openKeys } from './crypto/keys.ts'
import { createHasher } from './crypto/passwords.ts'
import { createTokens } from './crypto/tokens.ts'
import { syncCatalogue } from './db/catalogue.ts'
import { openStore } from './db/open.ts'
import { createMetrics, observeParts } from './metrics.ts'
import { builtInTenant } from './permissions.ts'

const consoleFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** Opens the stores of the configuration, brings the schema up to date, and builds what requests share. */
export const openParts = async (config: Config, log: Logger, now = () => new Date()): Promise<Parts> => {
  const metrics = createMetrics()
  const store = await openStore(config, { log, afterMigrate: syncCatalogue })
  const onPropagation = (seconds: number) => metrics.propagation.observe(seconds)
  const cache = await openCache(config, log, { now, onPropagation })
  await ensureKeys(store, now())
  const keys = openKeys(store)
  const hasher = await createHasher(config.bcryptCost, config.workers)
  observeParts(metrics, store, hasher)
  const tokens = createTokens(keys, config.issuer)
  return { config, log, store, cache, keys, tokens, hasher, metrics, consoleFolder, now }
}

export const closeParts = async ({ cache, store }: Parts): Promise<void> => {
  await cache.close()
  await store.close()
}

/** The context of what the program does by itself or an operator does with a command; `name` says which. */
export const systemCtx = (parts: Parts, name: string): Ctx => ({
  parts,
  db: parts.store.scoped({ tenantId: builtInTenant.id }),
  tenantId: builtInTenant.id,
  actor: nobody,
  allow: undefined,
  origin: { traceId: randomBytes(16).toString('hex'), ip: '', userAgent: `tenantry ${name}` },
})
