import { refuteNothing } from '../../attack.ts'
import { request, signIn, type Session } from '../../../lab/client.ts'
import { shiftedBy } from '../../clock.ts'
import { startReplica } from '../../../lab/replica.ts'
import type { Prove } from '../../suite.ts'
import { embeddedStores, ownStores, type Stores, type Target } from '../../target.ts'

const refreshPath = '/api/v1/auth/refresh'
const accessSeconds = 7200
const refreshSeconds = 7 * 24 * 3600

interface Run {
  env: Record<string, string>
  session: Session
}

const statusesAt = async ({ env, session }: Run, seconds: number): Promise<[number, number]> => {
  const replica = await startReplica({ ...env, NODE_OPTIONS: shiftedBy(seconds) })
  try {
    const access = await request(replica.url, 'GET', '/api/v1/profile', { token: session.token })
    const body = { refresh_token: session.refreshToken }
    const refresh = await request(replica.url, 'POST', refreshPath, { body })
    return [access.status, refresh.status]
  } finally {
    await replica.stop()
  }
}

/** Returns a session of a service that has ended, on stores of its own: no other proof runs with a shifted clock. */
const openSession = async ({ env }: Stores): Promise<Run> => {
  const replica = await startReplica(env)
  try {
    const [email = '', password = ''] = [env['TENANTRY_ADMIN_EMAIL'], env['TENANTRY_ADMIN_PASSWORD']]
    return { env, session: await signIn(replica.url, email, password) }
  } finally {
    await replica.stop()
  }
}

/** Each start lies at least a minute before or after an expiry, since a start takes some seconds. */
const proveExpiry = async (kind: Target['kind']): Promise<string> => {
  const stores = await ownStores(kind)
  try {
    const expected: [number, string][] = [
      [accessSeconds + 60, '401,200'],
      [refreshSeconds + accessSeconds + 120, '401,401'],
    ]
    const early = await statusesAt(await openSession(stores), accessSeconds - 60)
    const run = await openSession(stores)
    const breaches = early.join() === '200,200' ? [] : [`a minute before the expiry: ${early.join()}`]
    for (const [seconds, wanted] of expected) {
      const statuses = await statusesAt(run, seconds)
      if (statuses.join() !== wanted) {
        breaches.push(`after ${seconds} s access and refresh answer ${statuses.join()}`)
      }
    }
    refuteNothing(breaches)
    return 'access valid a minute before 2 hours and refused a minute after; refresh valid then and refused after 7 days (the clock of the service was set ahead)'
  } finally {
    await stores.remove()
  }
}

export const proveClock = async ({ kind }: Target, prove: Prove): Promise<void> => {
  if (kind === 'given') return
  await prove('an expired token is refused', () => proveExpiry(kind))
}

const statusesOf = async (url: string, { token, refreshToken }: Session): Promise<number[]> => {
  const access = await request(url, 'GET', '/api/v1/profile', { token })
  const refresh = await request(url, 'POST', refreshPath, { body: { refresh_token: refreshToken } })
  return [access.status, refresh.status]
}

/** Another installation of the same program has the same issuer and user ids, but other keys. */
const proveForeign = async (target: Target, session: Session): Promise<string> => {
  const stores = await embeddedStores()
  try {
    const replica = await startReplica(stores.env)
    try {
      const { email, password } = {
        email: stores.env['TENANTRY_ADMIN_EMAIL'] ?? '',
        password: stores.env['TENANTRY_ADMIN_PASSWORD'] ?? '',
      }
      const theirs = await signIn(replica.url, email, password)
      const statuses = [
        ...(await statusesOf(target.url, theirs)),
        ...(await statusesOf(replica.url, session)),
      ]
      if (statuses.some((status) => status !== 401)) throw new Error(`answers ${statuses.join()}`)
      return 'each installation refuses access and refresh tokens of the other: 401'
    } finally {
      await replica.stop()
    }
  } finally {
    await stores.remove()
  }
}

/** An operator gives the installation another name: its users do not notice. */
const proveIssuer = async (kind: Target['kind']): Promise<string> => {
  const stores = await ownStores(kind)
  try {
    const { env, session } = await openSession(stores)
    const replica = await startReplica({ ...env, TENANTRY_ISSUER: 'https://another.example' })
    try {
      const statuses = await statusesOf(replica.url, session)
      if (statuses.some((status) => status !== 200)) throw new Error(`answers ${statuses.join()}`)
      return 'the same stores and keys, another TENANTRY_ISSUER: access and refresh go on'
    } finally {
      await replica.stop()
    }
  } finally {
    await stores.remove()
  }
}

export const proveOtherInstallation = async (
  target: Target,
  session: Session,
  prove: Prove,
): Promise<void> => {
  if (target.kind === 'given') return
  await prove('a token of another installation is refused', () => proveForeign(target, session))
  await prove('a token of an earlier issuer goes on', () => proveIssuer(target.kind))
}
