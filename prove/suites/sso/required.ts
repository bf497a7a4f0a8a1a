/** Nothing but the connection: the setting `auth.sso`. */
import {
  addKey,
  newUser,
  ok,
  request,
  roleId,
  unique,
  type Answer,
  type Session,
} from '../../../lab/client.ts'
import { addRole, assign, password, permissionIds, refuteNothing } from '../../attack.ts'
import { createAuthenticatorAt, type Authenticator } from '../../authenticator.ts'
import { addApp, challengeFor, type App } from '../../second-factor.ts'
import type { Prove } from '../../suite.ts'
import { invite, joinTenant, newAddress, newPerson, unlessCode } from '../people/stage.ts'
import { firstUrl, postRefresh, publicUrl, signInBy, statusAt, type OidcHome, type Stage } from './stage.ts'

const codes = {
  lastWayIn: 40065,
  connectionUnproved: 40066,
  credentialsWrong: 40103,
  connectionNeeded: 40160,
  connectionNeededHere: 40366,
}
const setting = '/settings/tenant/auth.sso'
const [required, optional] = [{ value: 'required' }, { value: 'optional' }]

/** A home that can require its connection. */
interface ReadyHome extends OidcHome {
  /** The administrator, who came by the connection. */
  boss: Session
  breakGlass: Session
  app: App
}

/** A user with a second factor who may come in beside the connection. */
const newBreakGlass = async (by: Session): Promise<Pick<ReadyHome, 'breakGlass' | 'app'>> => {
  const breakGlass = await newUser(by)
  const app = await addApp(breakGlass)
  ok(await by.call('PUT', `/users/${breakGlass.userId}/sso-exemption`, { exempt: true }))
  return { breakGlass, app }
}

const openReady = async (stage: Stage): Promise<ReadyHome> => {
  const home = await stage.newHome()
  const { admin } = home
  const boss = await signInBy(firstUrl(stage), home)
  await assign(admin, admin.tenantId, boss.userId, await roleId(admin, admin.tenantId, 'admin'))
  return { ...home, boss, ...(await newBreakGlass(admin)) }
}

const shut = async ({ boss }: ReadyHome): Promise<void> => ok(await boss.call('PUT', setting, required))

const anyone = (url: string, path: string, body: object, token?: string): Promise<Answer> =>
  request(url, 'POST', `/api/v1${path}`, { body, token })

const addPasskey = async (user: Session): Promise<Authenticator> => {
  const keys = createAuthenticatorAt(publicUrl)
  const path = '/auth/factors/passkey'
  const options = ok(await user.call('POST', `${path}/options`, { password: user.password }))
  ok(await user.call('POST', path, { name: 'x', response: keys.create(options) }))
  return keys
}

/** The people and the proofs that could get in before. */
const newWays = async (stage: Stage, home: ReadyHome) => {
  const { admin } = home
  const keyed = await newUser(admin)
  // A user of both tenants, who is signed in to the other one.
  const traveller = await newPerson(stage, stage.foreign)
  await joinTenant(stage, traveller, home)
  return {
    member: await newUser(admin),
    keyed,
    keys: await addPasskey(keyed),
    traveller,
    invitation: await invite(stage, admin, { email: newAddress() }),
  }
}

/** Every other way to sign in, and the error code that refuses it. */
const tryWays = async (
  { admin }: OidcHome,
  url: string,
  { member, keyed, keys, traveller, invitation }: Awaited<ReturnType<typeof newWays>>,
): Promise<string[]> => {
  const tenant_id = admin.tenantId
  const login = (email: string, more: object = {}) => anyone(url, '/auth/login', { email, password, ...more })
  const response = keys.get(ok(await anyone(url, '/auth/passkey/options', {})))
  const ways: [string, Promise<Answer>, number][] = [
    ['a login', login(member.email), codes.connectionNeeded],
    ['a wrong password', login(member.email, { password: 'a wrong password' }), codes.credentialsWrong],
    ['the login of a user with a factor', login(keyed.email), codes.connectionNeeded],
    ['a login that names the tenant', login(traveller.email, { tenant_id }), codes.connectionNeeded],
    ['a passkey', anyone(url, '/auth/passkey', { response }), codes.connectionNeeded],
    ['a refresh', postRefresh(url, member), codes.connectionNeeded],
    ['a switch', anyone(url, '/auth/switch', { tenant_id }, traveller.token), codes.connectionNeededHere],
    [
      'an invitation',
      anyone(url, '/auth/invitations/accept', { token: invitation, username: unique('i'), password }),
      codes.connectionNeeded,
    ],
  ]
  const breaches: string[] = []
  for (const [what, answer, code] of ways) breaches.push(...unlessCode(what, await answer, code))
  const looked = await anyone(url, '/auth/invitations/lookup', { token: invitation })
  if (looked.status !== 200) breaches.push(`the invitation is spent: ${looked.status}`)
  return breaches
}

const proveShut = async (stage: Stage): Promise<string> => {
  const home = await openReady(stage)
  const { admin, boss, breakGlass } = home
  const ways = await newWays(stage, home)
  const machine = await addKey(admin, admin.tenantId, unique('machine'))
  const outside = { admin, member: ways.member, keyed: ways.keyed }
  const inside = { boss, breakGlass, machine }
  const breaches: string[] = []
  const expect = async (who: Record<string, Session>, expected: number) => {
    for (const url of stage.urls) {
      for (const [name, { token }] of Object.entries(who)) {
        const { status } = await request(url, 'GET', '/api/v1/ping', { token })
        if (status !== expected) breaches.push(`${name} gets ${status} at ${url}, not ${expected}`)
      }
    }
  }
  await expect({ ...outside, ...inside }, 200)
  await shut(home)
  await expect(outside, 401)
  await expect(inside, 200)
  for (const url of stage.urls) breaches.push(...(await tryWays(home, url, ways)))
  ok(await boss.call('PUT', setting, optional))
  for (const url of stage.urls) {
    const { status } = await postRefresh(url, ways.member)
    if (status !== 401) breaches.push(`a session that ended is refreshed: ${status}`)
  }
  refuteNothing(breaches)
  return `8 ways, and ${Object.keys(outside).length} sessions from before, at ${stage.urls.length} replicas`
}

/** A user who came by the connection, with some permissions. */
const newClerk = async (stage: Stage, home: ReadyHome, held: string[]): Promise<Session> => {
  const { admin } = home
  const clerk = await signInBy(firstUrl(stage), home)
  const ids = await permissionIds(admin, admin.tenantId)
  const permissions = held.map((code) => ids.get(code) ?? 0)
  const role = await addRole(admin, admin.tenantId, { name: unique('clerk'), permissions })
  await assign(admin, admin.tenantId, clerk.userId, role)
  return clerk
}

const proveClerks = async (stage: Stage): Promise<string> => {
  const home = await openReady(stage)
  const { boss } = home
  const settings = ['setting:read', 'setting:update', 'setting:delete']
  const clerks = [
    await newClerk(stage, home, settings),
    await newClerk(stage, home, [...settings, 'sso:read', 'sso:manage']),
  ]
  // The versions to revert to: 1 is optional, 2 required.
  for (const value of [optional, required]) ok(await boss.call('PUT', setting, value))
  const breaches: string[] = []
  const attempt = async (now: { value: string }, other: object, version: number) => {
    for (const clerk of clerks) {
      const answers = [
        await clerk.call('PUT', setting, other),
        await clerk.call('DELETE', setting),
        await clerk.call('POST', `${setting}/revert`, { version }),
      ]
      for (const { status } of answers) if (status !== 403) breaches.push(`a clerk gets ${status}`)
    }
    const { value } = ok(await boss.call('GET', setting))
    if (value !== now.value) breaches.push(`the value is ${value}, not ${now.value}`)
  }
  await attempt(required, optional, 1)
  ok(await boss.call('PUT', setting, optional))
  await attempt(optional, required, 2)
  refuteNothing(breaches)
  return '2 clerks, 3 changes each, in both states'
}

/** Nobody requires a connection that they did not sign in by, or that leaves no other person a sign-in. */
const proveLockOut = async (stage: Stage): Promise<string> => {
  const home = await openReady(stage)
  const { admin, boss, breakGlass, connectionId, app } = home
  const [user, connection] = [`/users/${breakGlass.userId}`, `/connections/${connectionId}`]
  const breaches: string[] = []
  const refuse = async (code: number, asked: [string, string, object?], by = boss) => {
    const [method, path] = asked
    breaches.push(...unlessCode(`${method} ${path}`, await by.call(...asked), code))
  }
  const exempt = { exempt: false }
  await refuse(codes.connectionUnproved, ['PUT', setting, required], admin)
  ok(await boss.call('PUT', `${user}/sso-exemption`, exempt))
  await refuse(codes.connectionUnproved, ['PUT', setting, required])
  ok(await boss.call('PUT', `${user}/sso-exemption`, { exempt: true }))
  const other = await newUser(admin)
  await addApp(other)
  await shut(home)
  await refuse(codes.lastWayIn, ['PUT', user, { status: 0 }])
  await refuse(codes.lastWayIn, ['DELETE', user])
  await refuse(codes.lastWayIn, ['PUT', `${user}/sso-exemption`, exempt])
  await refuse(codes.lastWayIn, ['DELETE', `${user}/factors`])
  const removal = { password: breakGlass.password }
  await refuse(codes.lastWayIn, ['POST', `/auth/factors/${app.id}/remove`, removal], breakGlass)
  await refuse(codes.lastWayIn, ['PUT', connection, { status: 'disabled' }])
  await refuse(codes.lastWayIn, ['DELETE', connection])
  const body = { challenge: await challengeFor(breakGlass), code: app.nextCode() }
  const { access_token: token } = ok(await anyone(firstUrl(stage), '/auth/login/factor', body))
  for (const url of stage.urls) {
    if ((await statusAt(url, token)) !== 200) breaches.push(`a break-glass user is kept out at ${url}`)
  }
  const { items } = ok(await boss.call('GET', `/notifications/user/${boss.userId}`))
  const isTold = items.some(({ title }: { title: string }) => title === 'A break-glass user signed in')
  if (!isTold) breaches.push('nobody hears of a break-glass user')
  ok(await boss.call('PUT', `/users/${other.userId}/sso-exemption`, { exempt: true }))
  ok(await stage.root.call('DELETE', `${user}/factors`, undefined, { tenant: boss.tenantId }))
  const { email } = breakGlass
  const bare = await anyone(firstUrl(stage), '/auth/login', { email, password })
  breaches.push(...unlessCode('a break-glass user without a factor', bare, codes.connectionNeeded))
  refuteNothing(breaches)
  return '9 ways to lock everybody out; a break-glass user with a second factor, and without'
}

export const proveRequired = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('where a tenant requires its connection, nothing else leads in, and all else ends', () =>
    proveShut(stage),
  )
  await prove('nobody without rank requires a connection, or lifts that', () => proveClerks(stage))
  await prove('who requires a connection locks nobody up: break-glass users come in', () =>
    proveLockOut(stage),
  )
}
