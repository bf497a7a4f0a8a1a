/** Secret keys of other systems' password hashes, such as the key of a Firebase project. */
import { LRUCache } from 'lru-cache'
import type { Store, TransactionDb } from '../db/client.ts'
import { keyIdOf } from './foreign-hashes.ts'
import * as store from './hash-keys.store.ts'
import type { Secrets } from './secrets.ts'

const bindingOf = (id: string): string => `hash_keys ${id}`

/** Encrypts and stores a key. Throws 503 `secretsOff` if the installation has no secret key. */
export const keepHashKey = (db: TransactionDb, secrets: Secrets, key: Buffer): void => {
  const id = keyIdOf(key)
  store.insertHashKey(db, id, secrets.seal(key.toString('base64'), bindingOf(id)))
}

/**
 * Deletes all keys, because the installation lost the secret key that encrypted them. Their hashes then verify no
 * password.
 */
export const forgetHashKeys = (db: TransactionDb): void => store.deleteHashKeys(db)

/** Decrypts the key with an id. Undefined for an unknown id. */
export type OpenHashKey = (id: string) => Promise<Buffer | undefined>

/** An id always names the same key, so decrypted keys can be cached. */
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
