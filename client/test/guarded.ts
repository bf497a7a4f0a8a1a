/** Guards in front of routes, with the service under test as their Tenantry. */
import { randomUUID } from 'node:crypto'
import { SignJWT, type JWTPayload } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { newTenant, type Caller as User, type Tenant } from '../../server/test/factories.ts'
import { clock, parts, service, startApp, type Running } from '../../server/test/harness.ts'
import { createGuard, type Guard, type GuardOptions, type Needed } from '../src/guard/guard.ts'

/** No catalogue has the product's own codes yet, so a built-in code takes the place of `invoice:read`. */
export const code = 'notification:read'

export interface Product {
  tenant: Tenant
  /** Holds the permission `code`. */
  user: User
  /** Its token is the credential of the product's backend. */
  backend: User
}

/** A tenant with a user and with a backend that may ask about users. */
export const newProduct = async (): Promise<Product> => {
  const tenant = await newTenant()
  return { tenant, user: await tenant.userWith(code), backend: await tenant.userWith('authz:check') }
}

/** A guard, and the lines of its log. */
export const guardWith = (options: Partial<GuardOptions>) => {
  const lines: string[] = []
  const { issuer, audience } = parts.config
  const log = (line: string) => lines.push(line)
  const guard = createGuard({ baseUrl: service.url, issuer, audience, key: '', log, ...options })
  return { guard, lines }
}

/** A replica of the service, with the questions that it was asked. */
export const startWatched = async (): Promise<Running & { asked: string[] }> => {
  const asked: string[] = []
  const running = await startApp({}, (app) => {
    app.addHook(
      'onRequest',
      async ({ method, url }) => void asked.push(`${method} ${url.replace(/\?.*/, '')}`),
    )
  })
  onTestFinished(() => running.app.close())
  return { ...running, asked }
}

/** Sends a request with a token to a guarded route: the status, and the name of a refusal or the caller. */
export const visit = (guard: Guard, on: Needed = code) => {
  const admit = guard.request(on)
  return async (token: string, headers: Record<string, string> = {}) => {
    const request = new Request('https://product.example.com/invoices', {
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    const verdict = await admit(request)
    if (!(verdict instanceof Response)) return { status: 200, caller: verdict }
    expect(verdict.headers.get('content-type')).toMatch(/^application\/json/)
    const { error } = (await verdict.json()) as { error: string }
    return { status: verdict.status, error }
  }
}

/** Signs a token of the service for any session, `ageMs` ago. */
export const signFor = (
  { userId, tenantId }: User,
  use: 'access' | 'refresh',
  { ageMs = 0, isRestricted = false } = {},
): Promise<string> =>
  parts.tokens.sign(
    use,
    { userId, tenantId, sessionId: randomUUID(), generation: 0, amr: ['pwd'], isRestricted },
    new Date(clock.now().getTime() - ageMs),
  )

/** Signs an access token of a caller with the service's key: these claims, beside those that every token has. */
export const signClaims = async (
  { userId, tenantId }: Pick<User, 'userId' | 'tenantId'>,
  claims: JWTPayload,
  typ = 'at+jwt',
): Promise<string> => {
  const { alg, kid, key } = await parts.keys.signing('access', parts.now())
  const { issuer: iss, audience: aud } = parts.config
  const names = { iss, aud, sub: String(userId), tid: tenantId, sid: randomUUID(), jti: `0-${randomUUID()}` }
  return new SignJWT({ ...names, ...claims })
    .setProtectedHeader({ alg, kid, typ })
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(key)
}

/** Longer than the guard remembers an answer, and less than the 2 seconds in which a change has to count. */
export const outdated = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1600))
