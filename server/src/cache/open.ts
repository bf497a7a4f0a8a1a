import type { Config } from '../config.ts'
import type { Cache } from './cache.ts'
import type { CacheLog } from './connection.ts'
import { openMemoryCache } from './memory.ts'
import type { CacheHooks } from './redis.ts'

/** Opens the cache store that the configuration names; never fails because Redis is away. */
export async function openCache(
  config: Pick<Config, 'redisUrl'>,
  log: CacheLog,
  hooks: CacheHooks,
): Promise<Cache> {
  if (config.redisUrl === undefined) return openMemoryCache(hooks.now)
  // Not before it is needed: 13 MB, which the embedded default does without.
  const { openRedisCache } = await import('./redis.ts')
  return openRedisCache(config.redisUrl, log, hooks)
}
