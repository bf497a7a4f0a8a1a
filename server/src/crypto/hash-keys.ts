/** Secret keys that hashes of other systems were made with, such as the one of a Firebase project. */
import { LRUCache } from 'lru-cache'
import type { Store, TransactionDb } from '../db/client.ts'
import { keyIdOf } from './foreign-hashes.ts'
import * as store from './hash-keys.store.ts'
import type { Secrets } from './secrets.ts'

const bindingOf = (id: string): string => `hash_keys ${id}`

/** Keeps a key, encrypted. Throws 503 `secretsOff` without a secret key of the installation. */
export const keepHashKey = (db: TransactionDb, secrets: Secrets, key: Buffer): void => {
  const id = keyIdOf(key)
  store.insertHashKey(db, id, secrets.seal(key.toString('base64'), bindingOf(id)))
}

/** Gives up all keys: a lost secret key has sealed them. The hashes open nothing any more. */
export const forgetHashKeys = (db: TransactionDb): void => store.deleteHashKeys(db)

/** Opens a key by its id; undefined for an unknown one. */
export type OpenHashKey = (id: string) => Promise<Buffer | undefined>

/** An id stands for one key for ever, so opened keys are remembered. */
const rememberedMax = 100

export const openHashKeys = (database: Store, secrets: Secrets): OpenHashKey => {
  const opened = new LRUCache<string, Buffer>({ max: rememberedMax })
  return async (id) => {
    const known = opened.get(id)
    if (known) return known
    const row = await store.selectHashKey(database.scoped({}), id)
    const key = row && Buffer.from(secrets.open(row.sealed_key, bindingOf(id)), 'base64')
    if (key) opened.set(id, key)
    return key
  }
}
