/** Reads the installation's secret keys, and checks that they are those of its database. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import type { Store } from '../db/client.ts'
import { secretKeyFile } from '../db/embedded.ts'
import { createSecrets, fingerprintOf, type Secrets } from '../crypto/secrets.ts'
import { insertFingerprint, selectFingerprints } from '../crypto/secrets.store.ts'
import { readNamed } from '../named-file.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Config } from '../config/config.ts'
import { BadValue, secretKeyBytes, secretKeys } from '../config/config-values.ts'

type KeyConfig = Pick<Config, 'databaseUrl' | 'dataDir' | 'secretKeys'>

/** Opens the secrets. Throws a Refusal if a key that encrypted the database is missing here. */
export const openSecrets = async (config: KeyConfig, store: Store, now: Date): Promise<Secrets> => {
  const db = store.scoped({})
  const used = (await selectFingerprints(db)).map(({ fingerprint }) => fingerprint.toString('hex'))
  const keys = keysOf(config, used.length > 0)
  const present = new Set(keys.map((key) => fingerprintOf(key).toString('hex')))
  const missing = used.filter((fingerprint) => !present.has(fingerprint))
  if (missing.length > 0) throw new Refusal([wrongKey(config, missing)])
  const secrets = createSecrets(keys)
  if (secrets.current) await insertFingerprint(db, secrets.current, now)
  return secrets
}

/** Opens the secrets without a check of the database, because `reset-secrets` deletes the secrets of a lost key. */
export const openSecretsAnew = async (config: KeyConfig): Promise<Secrets> =>
  createSecrets(keysOf(config, false))

/** The fingerprints of the present keys, in hex. Creates no key. */
export const configuredFingerprints = (config: KeyConfig): string[] =>
  keysOf(config, true).map((key) => fingerprintOf(key).toString('hex'))

const wrongKey = ({ databaseUrl, secretKeys: configured }: KeyConfig, missing: string[]): string => {
  const place =
    databaseUrl === undefined && !configured
      ? 'the file secret.key in the data folder'
      : 'TENANTRY_SECRET_KEY'
  return (
    `secrets: the database was encrypted with the secret key ${missing.join(', ')}, which ${place} does not hold. ` +
    'Put it back; if it is lost, run `tenantry reset-secrets`'
  )
}

/**
 * The configured keys, or else the key of the data folder. That key is created only for a database that no key is
 * recorded for.
 */
const keysOf = (
  { databaseUrl, dataDir, secretKeys: configured }: KeyConfig,
  isEncrypted: boolean,
): Buffer[] => {
  if (configured || databaseUrl !== undefined) return configured ?? []
  const file = secretKeyFile(dataDir)
  if (!existsSync(file) && !isEncrypted) writeKeyFile(file)
  return existsSync(file) ? readKeyFile(file) : []
}

const readKeyFile = (file: string): Buffer[] => {
  try {
    return secretKeys(readNamed(file).trim())
  } catch (err) {
    if (err instanceof BadValue) throw new Refusal([`secrets: ${file} ${err.message}`])
    throw err
  }
}

/** Writes the whole file at once, so that a killed start leaves no half key. */
const writeKeyFile = (file: string): void => {
  const partial = `${file}.partial`
  rmSync(partial, { force: true })
  writeFileSync(partial, `${randomBytes(secretKeyBytes).toString('base64')}\n`, { mode: 0o600, flush: true })
  renameSync(partial, file)
}
