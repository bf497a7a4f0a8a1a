import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, signIn, type Session } from '../lab/client.ts'
import { createDatabase, dropDatabase } from '../lab/databases.ts'
import { startReplica, type Replica } from '../lab/replica.ts'

/** The service under proof: on stores of its own, of either kind, or given by its URL. */
export interface Target {
  kind: 'embedded' | 'services' | 'given'
  /** The short form for CI: fewer rounds, the same promises. */
  short: boolean
  /** The URL of a replica that runs throughout. */
  url: string
  /** A platform administrator. */
  root: Session
  /** Settings for a further replica on the same stores; undefined for a given service. */
  env: Record<string, string> | undefined
  close(): Promise<void>
}

const rootPassword = 'a proof of Tenantry'
const adminEmail = 'root@example.com'

/** Settings of every server that the proofs start: cheap hashes and no request limits, unless a proof is about them. */
export const commonEnv = {
  TENANTRY_SECRET_KEY: Buffer.alloc(32, 'proof').toString('base64'),
  LOG_LEVEL: 'warn',
  TENANTRY_BCRYPT_COST: '4',
  TENANTRY_RATE_LIMIT: 'off',
  TENANTRY_INVITATIONS_PER_DAY: '1000000',
  TENANTRY_ADMIN_EMAIL: adminEmail,
  TENANTRY_ADMIN_PASSWORD: rootPassword,
}

/** Empty stores: the settings that name them, and their removal. */
export interface Stores {
  kind: 'embedded' | 'services'
  env: Record<string, string>
  remove(): Promise<void>
}

export const embeddedStores = async (): Promise<Stores> => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-prove-'))
  return {
    kind: 'embedded',
    env: { ...commonEnv, TENANTRY_DATA_DIR: join(folder, 'data') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** An empty database on the server of DATABASE_URL, and the Redis of REDIS_URL. */
export const serviceStores = async (): Promise<Stores> => {
  const {
    DATABASE_URL: postgres = 'postgres://postgres@127.0.0.1:5432/postgres',
    REDIS_URL: redis = 'redis://127.0.0.1:6379',
  } = process.env
  const name = `tenantry_prove_${randomBytes(4).toString('hex')}`
  return {
    kind: 'services',
    env: { ...commonEnv, DATABASE_URL: await createDatabase(postgres, name), REDIS_URL: redis },
    remove: () => dropDatabase(postgres, name),
  }
}

/** Stores of their own, of that kind. */
export const ownStores = (kind: Target['kind']): Promise<Stores> =>
  kind === 'services' ? serviceStores() : embeddedStores()

/** Starts a service on stores of its own and removes them when it does not start. */
export const ownTarget = async (stores: Stores, short: boolean): Promise<Target & { replica: Replica }> => {
  let replica: Replica | undefined
  const close = async () => {
    await replica?.stop()
    await stores.remove()
  }
  try {
    replica = await startReplica(stores.env)
    const { url } = replica
    const root = await signIn(url, adminEmail, rootPassword)
    return { kind: stores.kind, short, url, root, env: stores.env, replica, close }
  } catch (err) {
    await close()
    throw err
  }
}

/** Signs in at a running service. Proofs that start or break processes are left out. */
export const givenTarget = async (
  url: string,
  login: { email: string; password: string },
  short: boolean,
): Promise<Target> => {
  const { status } = await request(url, 'GET', '/readyz')
  if (status !== 200) throw new Error(`the service is not ready: ${url}/readyz answers ${status}`)
  const root = await signIn(url, login.email, login.password)
  return { kind: 'given', short, url, root, env: undefined, close: async () => {} }
}
