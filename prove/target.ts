import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { request, signIn, type Session } from './client.ts'
import { startReplica, type Replica } from './replica.ts'

/** What the proofs are about: a service of their own on either kind of stores, or one given by its URL. */
export interface Target {
  kind: 'embedded' | 'services' | 'given'
  /** A short form for CI: fewer rounds, the same promises. */
  short: boolean
  /** A replica that runs throughout. */
  url: string
  /** A platform administrator of it. */
  root: Session
  /** Settings that a further replica on the same stores needs; undefined where the service is given. */
  env: Record<string, string> | undefined
  close(): Promise<void>
}

const rootPassword = 'a proof of Tenantry'
const adminEmail = 'root@example.com'

/** Settings of every server started here: cheap hashes and no limits, unless a proof is about them. */
export const commonEnv = {
  LOG_LEVEL: 'warn',
  TENANTRY_BCRYPT_COST: '4',
  TENANTRY_RATE_LIMIT: 'off',
  TENANTRY_ADMIN_EMAIL: adminEmail,
  TENANTRY_ADMIN_PASSWORD: rootPassword,
}

/** Stores of one's own, empty: settings that name them, and how to throw them away. */
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

/** Runs SQL with the rights of the login in `url`. */
const onServer = async (url: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** An empty database on the server that DATABASE_URL names, and the Redis that REDIS_URL names. */
export const serviceStores = async (): Promise<Stores> => {
  const server = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const redis = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
  const name = `tenantry_prove_${randomBytes(4).toString('hex')}`
  await onServer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = name
  return {
    kind: 'services',
    env: { ...commonEnv, DATABASE_URL: url.href, REDIS_URL: redis },
    remove: async () => {
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

/** Starts a service on stores of its own; they are removed again if it does not start. */
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

/** Signs in at a service that runs already. Nothing of it is broken: the proofs that start processes are left out. */
export const givenTarget = async (
  url: string,
  login: { email: string; password: string },
  short: boolean,
): Promise<Target> => {
  const { status } = await request(url, 'GET', '/readyz')
  if (status !== 200) throw new Error(`${url}/readyz answers ${status}: the service is not ready`)
  const root = await signIn(url, login.email, login.password)
  return { kind: 'given', short, url, root, env: undefined, close: async () => {} }
}
