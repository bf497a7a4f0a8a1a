import type { Config } from '../config/config.ts'
import type { Cache } from './cache.ts'
import type { CacheLog } from './connection.ts'
import { openMemoryCache } from './memory.ts'
import type { CacheHooks } from './redis.ts'

/** Opens the configured cache. An unreachable Redis does not make it fail. */
export async function openCache(
  config: Pick<Config, 'redisUrl' | 'databaseUrl'>,
  log: CacheLog,
  hooks: CacheHooks,
): Promise<Cache> {
  if (config.redisUrl === undefined) return openMemoryCache(hooks.now, config.databaseUrl === undefined)
  // Loaded on demand: the Redis client takes 13 MB, which the embedded default saves.
  const { openRedisCache } = await import('./redis.ts')
  return openRedisCache(config.redisUrl, log, hooks)
}
