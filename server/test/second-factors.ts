/** Second factors for tests, added through the API as a person would. */
import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { createAuthenticator, type Authenticator } from './authenticator.ts'
import { postLogin } from './accounts.ts'
import { ok, password, type Caller } from './factories.ts'
import { call, clock, parts, type Answer, type Call } from './harness.ts'

const stepMs = 30_000

/** An authenticator app. Each code works once, so the clock advances by a step before the next one. */
export interface App {
  id: string
  secret: string
  /** The code of the present step. */
  code(): string
  /** A code that was not used yet. */
  nextCode(): string
  recoveryCodes: string[]
}

const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) })

export const codeOf = (secret: string): string =>
  totpOf(secret).generate({ timestamp: clock.now().getTime() })

/** A code of six digits that is wrong now. */
export const wrongCode = (secret: string): string => {
  const near = [-stepMs, 0, stepMs].map((ms) =>
    totpOf(secret).generate({ timestamp: clock.now().getTime() + ms }),
  )
  return ['111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? ''
}

/** Begins an authenticator app, which does not count yet. */
export const beginTotp = (user: Caller, name = 'App', proof: object = { password }): Promise<Answer> =>
  user.post('/auth/factors/totp', { name, ...proof })

/** Adds an authenticator app to a user's account. */
export const addTotp = async (user: Caller, name = 'App', proof?: object): Promise<App> => {
  const { id, secret } = ok(await beginTotp(user, name, proof))
  const code = () => codeOf(secret)
  const { recovery_codes: recoveryCodes } = ok(
    await user.post(`/auth/factors/totp/${id}/confirm`, { code: code() }),
  )
  const nextCode = () => {
    clock.advance(stepMs)
    return code()
  }
  return { id, secret, code, nextCode, recoveryCodes }
}

export interface Passkey {
  id: string
  authenticator: Authenticator
  recoveryCodes: string[]
}

/** Adds a passkey to a user's account. */
export const addPasskey = async (user: Caller, name = 'Laptop'): Promise<Passkey> => {
  const authenticator = createAuthenticator()
  const options = ok(await user.post('/auth/factors/passkey/options', { password }))
  const added = ok(
    await user.post('/auth/factors/passkey', { name, response: authenticator.create(options) }),
  )
  return { id: added.id, authenticator, recoveryCodes: added.recovery_codes }
}

export const postFactor = (body: unknown, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/login/factor', { ...options, body })

/** The data of the error that a login with the right password gets. */
export const secondStepOf = async (email: string, options: Call = {}) => {
  const { status, body, data } = await postLogin(email, password, options)
  if (status !== 401 || body.code !== 40108) throw new Error(`no second step: ${JSON.stringify(body)}`)
  return data as {
    challenge: string
    methods: string[]
    passkey_options: { challenge: string; rpId: string }
  }
}

/** Signs a user in again, with a code as the second factor. */
export const signInWithCode = async (user: Caller, app: App): Promise<Caller> => {
  const { challenge } = await secondStepOf(user.email)
  return withTokens(user, ok(await postFactor({ challenge, code: app.nextCode() })))
}

/** The same user with other tokens. */
export const withTokens = (user: Caller, pair: { access_token: string; refresh_token: string }): Caller => {
  const own = { token: pair.access_token, tenant: user.tenantId }
  return {
    ...user,
    token: pair.access_token,
    refreshToken: pair.refresh_token,
    get: (path, options) => call('GET', path, { ...own, ...options }),
    post: (path, body, options) => call('POST', path, { ...own, body, ...options }),
    put: (path, body, options) => call('PUT', path, { ...own, body, ...options }),
    patch: (path, body, options) => call('PATCH', path, { ...own, body, ...options }),
    delete: (path, options) => call('DELETE', path, { ...own, ...options }),
  }
}

/** A caller's factor in the state that an endpoint needs, and an answer of it for the body. */
export interface Prepared {
  factorId?: string
  factor?: { code?: string; challenge?: string; passkey?: unknown }
}

const preparations: Record<string, (user: Caller) => Promise<Prepared>> = {
  'POST /auth/factors/totp/:id/confirm': async (user) => {
    const { id, secret } = ok(await beginTotp(user))
    return { factorId: id, factor: { code: codeOf(secret) } }
  },
  'POST /auth/factors/passkey': async (user) => {
    const options = ok(await user.post('/auth/factors/passkey/options', { password }))
    return { factor: { passkey: createAuthenticator().create(options) } }
  },
  'POST /auth/factors/:id/remove': async (user) => ({ factorId: (await addTotp(user)).id }),
  'POST /auth/factors/recovery-codes': async (user) => ({ factorId: (await addTotp(user)).id }),
  'POST /auth/password/remove': async (user) => ({ factorId: (await addTotp(user)).id }),
  'POST /auth/login/factor': async (user) => {
    const app = await addTotp(user)
    const { challenge } = await secondStepOf(user.email)
    return { factor: { challenge, code: app.nextCode() } }
  },
  'POST /auth/passkey': async (user) => {
    const { authenticator } = await addPasskey(user)
    return { factor: { passkey: authenticator.get(ok(await call('POST', '/auth/passkey/options'))) } }
  },
}

/** Prepares a user's account for a request to an endpoint of second factors. */
export const prepareFactor = async (endpoint: string, user: Caller): Promise<Prepared> =>
  (await preparations[endpoint]?.(user)) ?? {}

/** Makes the sessions of a user look as if they had been opened with these proofs (`amr`). */
export const proveBy = (
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  ...amr: string[]
): Promise<number> =>
  parts.store
    .scoped({ tenantId })
    .run(sql`update sessions set amr = ${amr} where tenant_id = ${tenantId} and user_id = ${userId}`)

/** Gives all sessions of a user a second factor, as if the person had signed in with one. */
export const proveTwice = async ({
  tenantId,
  userId,
}: Pick<Caller, 'tenantId' | 'userId'>): Promise<void> => {
  await proveBy({ tenantId, userId }, 'mfa', 'otp', 'pwd')
  await parts.cache.publish({ kind: 'user', tenantId, userId, sessionId: '' })
}
