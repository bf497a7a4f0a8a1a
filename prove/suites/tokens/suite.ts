import { createPublicKey, verify } from 'node:crypto'
import { ask, inParallel, refuteNothing, removeTenants } from '../../attack.ts'
import { newTenant, newUser, ok, request, type Session } from '../../../lab/client.ts'
import { listen } from '../../../lab/receiver.ts'
import * as forgeries from '../../forge.ts'
import { parseToken, type Forgery } from '../../forge.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveClock, proveOtherInstallation } from './clock.ts'
import { proveGuard } from './guard.ts'
import { proveKeys } from './keys.ts'
import { proveRefresh } from './refresh.ts'
import { proveRotation } from './rotation.ts'

const width = 8
const refreshPath = '/api/v1/auth/refresh'

/** A user whose tokens are forged, and another user whose identity the forger wants. */
interface Victims {
  url: string
  session: Session
  admin: Session
}

const asAccess = (url: string, token: string) => ask(url, 'GET', '/api/v1/profile', { token })
const asRefresh = (url: string, token: string) =>
  ask(url, 'POST', refreshPath, { body: { refresh_token: token } })

/** Tries a forged token as access token and as refresh token; returns the attempts that succeeded. */
const openDoors = async (url: string, { what, token }: Forgery): Promise<string[]> => {
  const [access, refresh] = await Promise.all([asAccess(url, token), asRefresh(url, token)])
  const breaches: string[] = []
  if (access.status !== 401 || access.headers.get('www-authenticate') !== 'Bearer') {
    breaches.push(`${what} as access token answers ${access.status} ${access.text.slice(0, 100)}`)
  }
  if (refresh.status !== 401) breaches.push(`${what} as refresh token answers ${refresh.status}`)
  return breaches
}

const proveRefused = async ({ url, session }: Victims, all: Forgery[]): Promise<string> => {
  const breaches: string[] = []
  await inParallel(all, width, async (forgery) => void breaches.push(...(await openDoors(url, forgery))))
  refuteNothing(breaches)
  ok(await session.call('GET', '/profile'))
  return `${all.length} forgeries at two doors: 401`
}

/** Forges the access token and the refresh token in the same way. */
const ofBoth = ({ session }: Victims, make: (parts: forgeries.Parts) => Forgery[]): Forgery[] =>
  [session.token, session.refreshToken].flatMap((token) => make(parseToken(token)))

const readKeys = async (url: string) => {
  const { text, body } = await request(url, 'GET', '/.well-known/jwks.json')
  const { keys } = body as { keys: forgeries.Fields[] }
  if (keys.length === 0) throw new Error('no key is published')
  return { text, keys }
}

const proveConfusion = async (victims: Victims): Promise<string> => {
  const { text, keys } = await readKeys(victims.url)
  const isPrivate = keys.some((key) => 'd' in key || 'k' in key)
  if (isPrivate) throw new Error('the published keys contain a secret')
  const all = keys.flatMap((key) => ofBoth(victims, (parts) => forgeries.confused(parts, key, text)))
  return `${await proveRefused(victims, all)}; ${keys.length} published, none with a secret part`
}

/** Starts the forger's own server: a verifier that follows a URL in a header would fetch from it. */
const proveBroughtKeys = async (victims: Victims): Promise<string> => {
  let visits = 0
  const lure = await listen((_, response) => {
    visits += 1
    response.end('{"keys":[]}')
  })
  try {
    const all = ofBoth(victims, (parts) => forgeries.broughtKeys(parts, lure.url))
    const evidence = await proveRefused(victims, all)
    if (visits > 0) throw new Error(`the service fetched a key from the forger ${visits} times`)
    return `${evidence}, and nothing fetched from a URL in them`
  } finally {
    await lure.stop()
  }
}

/** Verifies as other services do: by the signature and the published keys. */
const isSignedBy = (token: string, jwk: forgeries.Fields): boolean => {
  const [head, payload, signature = ''] = token.split('.')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const digest = jwk['alg'] === 'EdDSA' ? null : 'sha256'
  const input = Buffer.from(`${head}.${payload}`)
  return verify(digest, input, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
}

const provePublished = async ({ url, session }: Victims): Promise<string> => {
  const { keys } = await readKeys(url)
  const count = (token: string) => keys.filter((key) => isSignedBy(token, key)).length
  if (count(session.token) !== 1) throw new Error('no published key verifies an access token')
  if (count(session.refreshToken) !== 0) throw new Error('a published key verifies a refresh token')
  return `${keys.length} published: one verifies an access token, none a refresh token`
}

const proveTampering = async (victims: Victims): Promise<string> =>
  proveRefused(
    victims,
    ofBoth(victims, (parts) => [...forgeries.bitFlips(parts), ...forgeries.misshapen(parts)]),
  )

const proveClaims = async (victims: Victims): Promise<string> => {
  const { payload } = parseToken(victims.admin.token)
  const inAnHour = Math.floor(Date.now() / 1000) + 3600
  const others = {
    ...payload,
    iss: 'somebody else',
    exp: inAnHour * 2,
    iat: inAnHour - 9000,
    jti: '99-x',
    sub: '1',
    tid: '00000000-0000-4000-8000-000000000001',
    permissions: ['tenant:delete'],
    is_platform_admin: true,
  }
  const uses = ['access', 'refresh', 'any'].map((use) => ({ token_use: use }))
  const all = [others, ...uses].flatMap((claims) =>
    ofBoth(victims, (parts) => forgeries.otherClaims(parts, claims)),
  )
  return proveRefused(victims, all)
}

const proveUses = async ({ url, session }: Victims): Promise<string> => {
  const swapped = [await asAccess(url, session.refreshToken), await asRefresh(url, session.token)]
  refuteNothing(swapped.filter(({ status }) => status !== 401).map(({ status }) => `answered ${status}`))
  ok(await session.call('GET', '/profile'))
  const pair = ok(await asRefresh(url, session.refreshToken))
  ok(await asAccess(url, pair.access_token))
  return 'both get 401, and the session stays alive'
}

/** Places for a valid token that the service must ignore. */
const proveCarriers = async ({ url, session: { token } }: Victims): Promise<string> => {
  const path = '/api/v1/profile'
  const headers: Record<string, string>[] = [
    {},
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token} ${token}` },
    { authorization: 'Bearer' },
    { authorization: `Token ${token}` },
    { cookie: `access_token=${token}; token=${token}` },
    { 'x-access-token': token },
    { 'proxy-authorization': `Bearer ${token}` },
    { authorization: `Bearer "${token}"` },
  ]
  const answers = await Promise.all([
    ...headers.map((one) => ask(url, 'GET', path, { headers: one })),
    ...['access_token', 'token'].map((name) => ask(url, 'GET', `${path}?${name}=${token}`)),
  ])
  refuteNothing(answers.filter(({ status }) => status !== 401).map(({ status }) => `answered ${status}`))
  return `${answers.length} other places for a token: 401`
}

const proveForgeries = async (victims: Victims, prove: Prove): Promise<void> => {
  await prove('a token without a signature is refused', () =>
    proveRefused(victims, ofBoth(victims, forgeries.unsigned)),
  )
  await prove('a token signed with the published key as a secret is refused', () => proveConfusion(victims))
  await prove('a published key verifies access tokens and no refresh token', () => provePublished(victims))
  await prove('a token signed by another key is refused with any kid', () =>
    proveRefused(victims, ofBoth(victims, forgeries.foreignKeys)),
  )
  await prove('a key that a token carries or points to is not used', () => proveBroughtKeys(victims))
  await prove('a token with any character changed is refused', () => proveTampering(victims))
  await prove('a token with any claim changed or missing is refused', () => proveClaims(victims))
  await prove('a token is accepted only in the Authorization header', () => proveCarriers(victims))
  await prove('an access token refreshes no session, and a refresh token gives no access', () =>
    proveUses(victims),
  )
}

const prove = async (target: Target, record: Prove): Promise<void> => {
  const { id, admin } = await newTenant(target.root)
  try {
    const session = await newUser(target.root, id)
    await proveForgeries({ url: target.url, session, admin }, record)
    await proveRefresh({ target, tenant: id }, record)
    await proveGuard({ target, tenant: id }, record)
    await proveKeys({ target, tenant: id }, record)
    await proveRotation({ target, tenant: id }, record)
    await proveClock(target, record)
    await proveOtherInstallation(target, session, record)
  } finally {
    await removeTenants(target.root, [id])
  }
}

export const tokens: Suite = { name: 'tokens', kinds: ['embedded', 'services', 'given'], prove }
