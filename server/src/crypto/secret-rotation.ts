/** Encrypts every stored secret again, with another key. */
import type { Db, DbRole, Store } from '../db/client.ts'
import { keyBindingOf } from './keys.ts'
import { selectKeysInTheClear, updateKeySealed } from './keys.store.ts'
import type { Secrets } from './secrets.ts'
import {
  deleteFingerprintsBut,
  selectStaleSecrets,
  updateSecret,
  type SealedColumn,
} from './secrets.store.ts'

/** Every column with encrypted secrets. */
const sealedColumns: SealedColumn[] = [
  { table: 'signing_keys', id: 'kid', column: 'private_sealed', role: 'tenantry_app' },
  { table: 'signing_keys', id: 'kid', column: 'private_sealed', role: 'tenantry_seal' },
  { table: 'mail_queue', id: 'id', column: 'sealed_token', role: 'tenantry_app' },
  { table: 'device_keys', id: 'id', column: 'sealed_key', role: 'tenantry_app' },
  { table: 'hash_keys', id: 'id', column: 'sealed_key', role: 'tenantry_app' },
  { table: 'factors', id: 'id', column: 'secret_sealed', role: 'tenantry_app' },
  { table: 'webhook_secrets', id: 'id', column: 'sealed', role: 'tenantry_app' },
  { table: 'global_setting_secrets', id: 'key', column: 'sealed', role: 'tenantry_purge' },
  { table: 'tenant_setting_secrets', id: 'id', column: 'sealed', role: 'tenantry_purge' },
  { table: 'connection_secrets', id: 'id', column: 'sealed', role: 'tenantry_app' },
  { table: 'providers', id: 'id', column: 'sealed', role: 'tenantry_app' },
]

/** Row-level security shows each role only the signing keys of its own purposes. */
const keyRoles: DbRole[] = ['tenantry_app', 'tenantry_seal']

/**
 * Encrypts every secret and the unencrypted signing keys with the first secret key, and deletes the fingerprints of the
 * other keys. An operator can interrupt and repeat it. Returns the number of rewritten secrets.
 */
export const rotateSecrets = async (store: Store, secrets: Secrets): Promise<number> => {
  const { current } = secrets
  if (!current) throw new Error('there is no secret key: set TENANTRY_SECRET_KEY')
  let count = 0
  for (const role of keyRoles) {
    count += await store.transaction({}, (db) => sealKeysInTheClear(db, secrets), role)
  }
  for (const column of sealedColumns) {
    const rewrite = () => store.transaction({}, (db) => rewriteBatch(db, column, secrets), column.role)
    for (let rows = await rewrite(); rows > 0; rows = await rewrite()) count += rows
  }
  await deleteFingerprintsBut(store.scoped({}), current)
  return count
}

const sealKeysInTheClear = async (db: Db, secrets: Secrets): Promise<number> => {
  const rows = await selectKeysInTheClear(db)
  for (const { kid, private_pem: pem } of rows) {
    await updateKeySealed(db, kid, secrets.seal(pem, keyBindingOf(kid)))
  }
  return rows.length
}

/** Rewrites a batch of secrets of a column. Returns 0 when no secret remains. */
const rewriteBatch = async (db: Db, column: SealedColumn, secrets: Secrets): Promise<number> => {
  const stale = secrets.current ? await selectStaleSecrets(db, column, secrets.current) : []
  for (const { id, sealed } of stale) {
    const boundTo = `${column.table} ${id}`
    await updateSecret(db, column, { id, sealed: secrets.seal(secrets.open(sealed, boundTo), boundTo) })
  }
  return stale.length
}
